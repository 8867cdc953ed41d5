import { useEffect, useState } from 'react';

import type { RecordingView } from '../../../contract/recording.ts';
import { readAudio } from '../read-recordings.ts';
import { holdFile } from '../sound/hold-file.ts';
import type { HeldFacts } from '../sound/sound-worker.ts';
import { SoundThreadFailed, type SoundThread, startSoundThread } from '../sound/start-sound-thread.ts';

/** A recording whose samples lie on a thread of their own. */
export interface HeldSound extends HeldFacts {
  readonly thread: SoundThread;
}

/** Whether the samples of a recording are there. */
export type Held =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly sound: HeldSound }
  | { readonly kind: 'failed'; readonly reason: string };

/** What a person is told where the thread failed. */
export const threadFailedWords =
  'There is not enough memory for this recording. Close other windows and try again, or upload a shorter one.';

/** Reads and decodes a recording once, and holds it on a thread of its own while it is shown. */
export function useHeldSound({ id, duration_ms: durationMs }: RecordingView): Held {
  const [held, setHeld] = useState<Held>({ kind: 'reading' });
  useEffect(() => {
    const leaving = new AbortController();
    void hold(id, durationMs, leaving.signal).then((now) => {
      if (!leaving.signal.aborted) setHeld(now);
    });
    return () => leaving.abort();
  }, [id, durationMs]);
  return held;
}

async function hold(id: string, durationMs: number | null, signal: AbortSignal): Promise<Held> {
  try {
    const file = await readAudio(id, signal);
    if (file === null)
      return { kind: 'failed', reason: 'The service does not give its audio now. Close this and try again.' };
    const thread = await startSoundThread();
    if (signal.aborted) thread.end();
    else signal.addEventListener('abort', thread.end);
    return { kind: 'read', sound: { ...(await holdFile(thread, file, durationMs)), thread } };
  } catch (error) {
    if (signal.aborted) return { kind: 'reading' };
    if (error instanceof SoundThreadFailed) return { kind: 'failed', reason: threadFailedWords };
    if (error instanceof DOMException && error.name === 'EncodingError')
      return {
        kind: 'failed',
        reason: 'This browser cannot decode its audio. It can still be played, and replaced by an upload.',
      };
    throw error;
  }
}
