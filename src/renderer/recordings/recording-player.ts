import { recordingAudioPath } from '../../contract/address.ts';

/** How playing came to its end: heard to the end, stopped by its signal, or not possible (gone, or no audio output). */
export type PlayEnd = 'ended' | 'stopped' | 'failed';

/**
 * Plays a stored recording and answers when it is over.
 *
 * `rate` 2 plays it twice as fast, at its own pitch. Several may play at once: whoever wants only one stops the other by
 * its signal.
 */
export function playRecording(
  id: string,
  { signal, rate = 1 }: { readonly signal: AbortSignal; readonly rate?: number },
): Promise<PlayEnd> {
  if (signal.aborted) return Promise.resolve('stopped');
  const audio = new Audio(recordingAudioPath(id));
  audio.playbackRate = rate;
  return new Promise((resolve) => {
    const end = (how: PlayEnd): void => {
      signal.removeEventListener('abort', stop);
      release(audio);
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

/** Stops it and lets go of what was loaded: an element that is only dropped may go on loading. */
function release(audio: HTMLAudioElement): void {
  audio.pause();
  audio.removeAttribute('src');
  audio.load();
}
