import { useEffect, useRef, useState } from 'react';
import type { RecordingView } from '../../contract/menu/recording.ts';
import { heldSoundText } from '../../text/menu/recordings-text.ts';
import { readAudio } from './read-recordings.ts';
import type { HeldFacts } from './sound/sound-worker.ts';
import {
  holdFile,
  SoundThreadFailed,
  type SoundThread,
  startSoundThread,
} from './sound/start-sound-thread.ts';

/** The audio of a recording, and what is made of it for a dialog that changes it. */
export type HeldSound<Made> =
  | { readonly kind: 'reading' }
  | { readonly kind: 'made'; readonly made: Made }
  | { readonly kind: 'failed'; readonly reason: string };

type Make<Made> = (thread: SoundThread, held: HeldFacts) => Promise<Made>;

/** Reads a recording and makes something of its samples, once, on a thread that ends with it or with the dialog. */
export function useHeldSound<Made>(
  { id, duration_ms: durationMs }: RecordingView,
  make: Make<Made>,
): HeldSound<Made> {
  const [sound, setSound] = useState<HeldSound<Made>>({ kind: 'reading' });
  const makeRef = useRef(make);
  useEffect(() => {
    const leaving = new AbortController();
    void madeOf({ id, durationMs }, makeRef.current, leaving.signal).then((now) => {
      if (!leaving.signal.aborted) setSound(now);
    });
    return () => leaving.abort();
  }, [id, durationMs]);
  return sound;
}

async function madeOf<Made>(
  { id, durationMs }: { readonly id: string; readonly durationMs: number | null },
  make: Make<Made>,
  signal: AbortSignal,
): Promise<HeldSound<Made>> {
  try {
    const file = await readAudio(id, signal);
    if (file === null) return { kind: 'failed', reason: heldSoundText.unavailable };
    const thread = await startSoundThread();
    try {
      if (signal.aborted) return { kind: 'reading' };
      signal.addEventListener('abort', thread.end);
      return { kind: 'made', made: await make(thread, await holdFile(thread, file, durationMs)) };
    } finally {
      thread.end();
    }
  } catch (error) {
    if (signal.aborted) return { kind: 'reading' };
    if (error instanceof SoundThreadFailed) return { kind: 'failed', reason: heldSoundText.noMemory };
    if (error instanceof DOMException && error.name === 'EncodingError')
      return { kind: 'failed', reason: heldSoundText.undecodable };
    throw error;
  }
}
