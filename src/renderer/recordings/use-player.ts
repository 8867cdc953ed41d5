import { useCallback, useEffect, useRef, useState } from 'react';

export interface Player {
  readonly isPlaying: boolean;
  /** How far it is, in milliseconds. */
  readonly atMs: number;
  /** Whether the last try to play it came to nothing. */
  readonly hasFailed: boolean;
  readonly toggle: () => void;
  readonly seek: (ms: number) => void;
}

/** One thing is heard at a time: who begins to play ends what played before. */
let playing: HTMLAudioElement | undefined;

/**
 * Plays a sound, with its position.
 *
 * `sound` is its address; with `read`, which gets the file when it is first played, it only tells one sound from another.
 * When another takes its place while it plays, that one goes on from the same position: so two versions of a sound are
 * compared by ear.
 */
export function usePlayer(sound: string, read?: () => Promise<Blob | null>): Player {
  const audioRef = useRef<HTMLAudioElement | null>(null);
  /** What the audio element was given last. */
  const loadedRef = useRef<Loaded | null>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const [atMs, setAtMs] = useState(0);

  useEffect(() => {
    const audio = new Audio();
    audio.preload = 'none'; // nothing is loaded for a page that is only looked at
    audioRef.current = audio;
    const show = (): void => setPlaying(!audio.paused && !audio.ended);
    const end = (): void => {
      audio.currentTime = 0;
      setAtMs(0);
      show();
    };
    const fail = (): void => {
      setFailed(true);
      setPlaying(false);
    };
    audio.addEventListener('play', show);
    audio.addEventListener('pause', show);
    audio.addEventListener('ended', end);
    audio.addEventListener('error', fail);
    return () => {
      for (const [kind, heard] of [
        ['play', show],
        ['pause', show],
        ['ended', end],
        ['error', fail],
      ] as const)
        audio.removeEventListener(kind, heard);
      letGo(audio);
      audioRef.current = null;
      forget(loadedRef.current);
      loadedRef.current = null;
    };
  }, []);

  useEffect(() => {
    if (!isPlaying) return;
    let frame = requestAnimationFrame(function follow() {
      setAtMs((audioRef.current?.currentTime ?? 0) * 1000);
      frame = requestAnimationFrame(follow);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying]);

  const begin = useCallback(
    async (audio: HTMLAudioElement, wanted: string, ms: number): Promise<void> => {
      if (playing !== audio) playing?.pause();
      playing = audio;
      setFailed(false);
      const file = await read?.();
      if (playing !== audio || audioRef.current !== audio) return; // another plays by now, or this one is gone
      if (file === null) {
        setFailed(true);
        return;
      }
      const before = loadedRef.current;
      const address = file === undefined ? wanted : URL.createObjectURL(file);
      loadedRef.current = { sound: wanted, address };
      audio.src = address;
      forget(before);
      audio.currentTime = ms / 1000;
      audio.play().catch((error: unknown) => {
        // Stopped, or given another sound, before it began.
        if (!(error instanceof DOMException && error.name === 'AbortError')) setFailed(true);
      });
    },
    [read],
  );

  useEffect(() => {
    const audio = audioRef.current;
    if (audio === null || sound === '' || loadedRef.current === null || loadedRef.current.sound === sound)
      return;
    if (audio.paused) audio.removeAttribute('src');
    else void begin(audio, sound, audio.currentTime * 1000);
  }, [sound, begin]);

  function toggle(): void {
    const audio = audioRef.current;
    if (audio === null || sound === '') return; // what is to be played is being made
    if (audio.paused) void begin(audio, sound, atMs);
    else audio.pause();
  }
  function seek(ms: number): void {
    setAtMs(ms);
    const audio = audioRef.current;
    if (audio !== null && !audio.paused) audio.currentTime = ms / 1000;
  }
  return { isPlaying, atMs, hasFailed, toggle, seek };
}

interface Loaded {
  readonly sound: string;
  readonly address: string;
}

/** Gives an address back that was made here of a file that was read; a given one is its owner's. */
function forget(loaded: Loaded | null): void {
  if (loaded !== null && loaded.address !== loaded.sound) URL.revokeObjectURL(loaded.address);
}

/** An address at which a file of this page can be played, as long as it is shown; empty until it is there. */
export function useSoundAddress(file: Blob | undefined): string {
  const [address, setAddress] = useState('');
  useEffect(() => {
    if (file === undefined) return;
    const made = URL.createObjectURL(file);
    // oxlint-disable-next-line react/set-state-in-effect -- what is made has to be given back, which only an effect can see to
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address;
}

/** How playing came to its end: heard to the end, stopped by its signal, or not possible (gone, or no audio output). */
export type PlayEnd = 'ended' | 'stopped' | 'failed';

/**
 * Plays audio from its beginning and answers when it is over: of a stored recording, or of a text.
 *
 * Several may play at once: whoever wants only one stops the other by its signal.
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
function letGo(audio: HTMLAudioElement): void {
  audio.pause();
  audio.removeAttribute('src');
  audio.load();
}
