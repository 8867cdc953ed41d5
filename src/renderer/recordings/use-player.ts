import { useCallback, useEffect, useRef, useState } from 'react';

import { letGo } from './let-go.ts';

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
 * Plays an audio address, with its position.
 *
 * When another address takes its place while it plays, that one goes on from the same position: so two versions of a
 * sound are compared by ear.
 */
export function usePlayer(address: string): Player {
  const audioRef = useRef<HTMLAudioElement | null>(null);
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

  const begin = useCallback((audio: HTMLAudioElement, from: string, ms: number): void => {
    if (playing !== audio) playing?.pause();
    playing = audio;
    setFailed(false);
    audio.src = from;
    audio.currentTime = ms / 1000;
    audio.play().catch((error: unknown) => {
      // Stopped, or given another address, before it began.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setFailed(true);
    });
  }, []);

  useEffect(() => {
    const audio = audioRef.current;
    if (audio === null || audio.src === '' || audio.src === new URL(address, location.href).href) return;
    if (audio.paused) audio.removeAttribute('src');
    else begin(audio, address, audio.currentTime * 1000);
  }, [address, begin]);

  function toggle(): void {
    const audio = audioRef.current;
    if (audio === null || address === '') return; // what is to be played is being made
    if (audio.paused) begin(audio, address, atMs);
    else audio.pause();
  }
  function seek(ms: number): void {
    setAtMs(ms);
    const audio = audioRef.current;
    if (audio !== null && !audio.paused) audio.currentTime = ms / 1000;
  }
  return { isPlaying, atMs, hasFailed, toggle, seek };
}
