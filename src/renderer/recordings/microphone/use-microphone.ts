import { useEffect, useRef, useState } from 'react';

import { recordingLimitBytes } from '../../../contract/recording.ts';
import { desktop } from '../../kit/desktop.ts';
import type { CutSound } from '../sound/sound-worker.ts';
import { longestMs, nextLevel } from './level.ts';
import { microphoneTrouble } from './microphone-trouble.ts';
import { type Capture, startCapture } from './start-capture.ts';

/** Where recording with the microphone stands. */
export type MicrophoneState =
  | { readonly kind: 'ready' }
  /** The browser asks the person. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'recording'; readonly heardMs: number; readonly level: number; readonly mostMs: number }
  | { readonly kind: 'stopping' }
  /** `isCut`: it ended by itself, because the microphone was gone or the recording had become as long as one may be. */
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
      setState({ kind: 'trouble', reason: microphoneTrouble(name, desktop !== undefined) });
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
