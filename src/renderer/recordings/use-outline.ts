import { type RefObject, useEffect, useState } from 'react';
import type { RecordingView } from '../../contract/menu/recording.ts';
import type { Outline } from './outline.ts';
import { readAudio } from './read-recordings.ts';
import { holdFile, SoundThreadFailed, startSoundThread } from './sound/start-sound-thread.ts';

/** Larger files are not read only to draw them, in bytes: decoded they would take hundreds of megabytes. */
const drawnBytes = 4 * 1024 * 1024;

/** By the digest of the audio: what has the same sound looks the same, and a replaced one is drawn anew. */
const known = new Map<string, Outline>();
let last: Promise<unknown> = Promise.resolve();

/**
 * The outline of a recording, made when its row first comes into sight; null while there is none.
 *
 * One after the other: a page that opens on forty recordings must not decode all of them at once.
 */
export function useOutline(recording: RecordingView, rowRef: RefObject<Element | null>): Outline | null {
  const { id, digest, bytes, duration_ms: durationMs } = recording;
  const [made, setMade] = useState<{ readonly digest: string; readonly outline: Outline } | null>(null);

  useEffect(() => {
    const row = rowRef.current;
    if (row === null || known.has(digest) || bytes > drawnBytes) return;
    const leaving = new AbortController();
    const watch = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) return;
      watch.disconnect();
      void makeInTurn({ id, digest, durationMs }, leaving.signal).then((outline) => {
        if (outline !== null && !leaving.signal.aborted) setMade({ digest, outline });
      });
    });
    watch.observe(row);
    return () => {
      watch.disconnect();
      leaving.abort();
    };
  }, [id, digest, bytes, durationMs, rowRef]);

  return known.get(digest) ?? (made?.digest === digest ? made.outline : null);
}

interface Wanted {
  readonly id: string;
  readonly digest: string;
  readonly durationMs: number | null;
}

function makeInTurn(wanted: Wanted, signal: AbortSignal): Promise<Outline | null> {
  const mine = last.then(() => makeOutline(wanted, signal));
  last = mine;
  return mine;
}

/** Null where nothing can be drawn: that is no failure, the recording can still be played. */
async function makeOutline({ id, digest, durationMs }: Wanted, signal: AbortSignal): Promise<Outline | null> {
  const before = known.get(digest);
  if (before !== undefined || signal.aborted) return before ?? null;
  try {
    const file = await readAudio(id, signal);
    if (file === null) return null;
    const thread = await startSoundThread();
    try {
      const { outline } = await holdFile(thread, file, durationMs);
      known.set(digest, outline);
      return outline;
    } finally {
      thread.end();
    }
  } catch (error) {
    // Withdrawn, or in a coding that this browser has not.
    if (error instanceof DOMException && ['AbortError', 'EncodingError'].includes(error.name)) return null;
    if (error instanceof SoundThreadFailed) return null;
    throw error;
  }
}
