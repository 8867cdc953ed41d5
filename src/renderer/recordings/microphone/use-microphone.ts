import { useEffect, useRef, useState } from 'react';
import { recordingLimitBytes } from '../../../contract/menu/recording.ts';
import { microphoneProblemText } from '../../../text/menu/recordings-text.ts';
import { desktop } from '../../kit/desktop-bridge.ts';
import { loudest } from '../sound/find-sound.ts';
import type { CutSound } from '../sound/sound-worker.ts';
import { type Capture, startCapture } from './start-capture.ts';

/** Where recording with the microphone stands. */
export type MicrophoneState =
  | { readonly kind: 'ready' }
  /** The browser asks the person. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'recording'; readonly heardMs: number; readonly level: number; readonly mostMs: number }
  | { readonly kind: 'stopping' }
  /** `isCut`: it was stopped, because the microphone was gone or the recording was as long as it may be. */
  | { readonly kind: 'heard'; readonly sound: CutSound; readonly isCut: boolean }
  | { readonly kind: 'trouble'; readonly reason: string };

/** Records with the microphone: asks for it at the press, and lets it go at the end, also when the page is left. */
export function useMicrophone() {
  const [state, setState] = useState<MicrophoneState>({ kind: 'ready' });
  const current = useRef<Capture | null>(null);
  const isThere = useRef(true);

  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
      void current.current?.stop();
    };
  }, []);

  async function start(): Promise<void> {
    setState({ kind: 'asking' });
    let heard = 0;
    let level = 0;
    try {
      const capture = await startCapture({
        onBlock: (samples) => {
          heard += samples.length;
          level = nextLevel(level, samples);
          const { rate } = current.current ?? {};
          if (rate === undefined) return;
          const heardMs = (heard / rate) * 1000;
          const mostMs = longestMs(rate, recordingLimitBytes);
          if (heardMs >= mostMs) void stop(true);
          else setState({ kind: 'recording', heardMs, level, mostMs });
        },
        onLost: () => void stop(true),
      });
      if (!isThere.current) {
        await capture.stop();
        return;
      }
      current.current = capture;
      setState({
        kind: 'recording',
        heardMs: 0,
        level: 0,
        mostMs: longestMs(capture.rate, recordingLimitBytes),
      });
    } catch (error) {
      const name = error instanceof Error ? error.name : String(error);
      setState({ kind: 'trouble', reason: microphoneProblemText(name, desktop !== undefined) });
    }
  }

  async function stop(isCut = false): Promise<void> {
    const capture = current.current;
    if (capture === null) return;
    current.current = null;
    setState({ kind: 'stopping' });
    const sound = await capture.stop();
    if (isThere.current) setState({ kind: 'heard', sound, isCut });
  }
  return { state, start, stop: () => stop() };
}

/** The quietest that a meter shows, in decibels below the loudest. */
const floor = -60;

/** How far a level meter goes for a stretch of samples, from 0 to 1: as loudness is heard, in decibels. */
export function levelOf(samples: Float32Array): number {
  const decibels = 20 * Math.log10(Math.max(loudest(samples), 1e-9));
  return Math.min(1, Math.max(0, 1 - decibels / floor));
}

/** How far the meter falls at most from one block to the next: in about a second all the way, so that an eye can follow. */
const fall = 0.04;

/** What a meter shows after a block: up at once, down slowly. */
export function nextLevel(shown: number, samples: Float32Array): number {
  return Math.max(levelOf(samples), shown - fall);
}

/** The longest recording of 16-bit samples that fits in a file of so many bytes, in milliseconds. */
export function longestMs(rate: number, fileBytes: number): number {
  const headerBytes = 44;
  return Math.floor((fileBytes - headerBytes) / (2 * rate)) * 1000;
}
