/** How playing came to its end: heard to the end, stopped by its signal, or not possible (gone, or no audio output). */
export type PlayEnd = 'ended' | 'stopped' | 'failed';

/**
 * Plays audio from its beginning and answers when it is over: of a stored recording, or of a text.
 *
 * Several may play at once: whoever wants only one stops the other by its signal. With its position: `use-player.ts`.
 */
export async function playFile(
  read: (signal: AbortSignal) => Promise<Blob | null>,
  { signal }: { readonly signal: AbortSignal },
): Promise<PlayEnd> {
  const file = await read(signal).catch(() => null); // withdrawn
  if (signal.aborted) return 'stopped';
  if (file === null) return 'failed';
  const address = URL.createObjectURL(file);
  const audio = new Audio(address);
  return new Promise((resolve) => {
    const end = (how: PlayEnd): void => {
      signal.removeEventListener('abort', stop);
      letGo(audio);
      URL.revokeObjectURL(address);
      resolve(how);
    };
    const stop = (): void => end('stopped');
    signal.addEventListener('abort', stop);
    audio.addEventListener('ended', () => end('ended'), { once: true });
    audio.addEventListener('error', () => end('failed'), { once: true });
    // Refused where nothing was pressed before, and where no output is there. After `stop` nobody listens any more.
    audio.play().catch(() => end(signal.aborted ? 'stopped' : 'failed'));
  });
}

/** Stops an audio element and lets go of what it loaded: one that is only dropped may go on loading. */
export function letGo(audio: HTMLAudioElement): void {
  audio.pause();
  audio.removeAttribute('src');
  audio.load();
}
