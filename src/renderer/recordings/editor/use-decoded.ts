import { useEffect, useState } from 'react';

import { readAudio } from '../read-recordings.ts';
import { decodeSound } from '../sound/decode-sound.ts';
import type { Sound } from '../sound/sound.ts';

/** Whether the samples of a recording are there. */
export type Decoded =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly sound: Sound }
  | { readonly kind: 'failed'; readonly reason: string };

/** Reads and decodes a recording once. */
export function useDecoded(id: string): Decoded {
  const [decoded, setDecoded] = useState<Decoded>({ kind: 'reading' });
  useEffect(() => {
    const leaving = new AbortController();
    void decode(id, leaving.signal).then((now) => {
      if (!leaving.signal.aborted) setDecoded(now);
    });
    return () => leaving.abort();
  }, [id]);
  return decoded;
}

async function decode(id: string, signal: AbortSignal): Promise<Decoded> {
  try {
    const file = await readAudio(id, signal);
    if (file === null)
      return { kind: 'failed', reason: 'The service does not give its audio now. Close this and try again.' };
    return { kind: 'read', sound: await decodeSound(file) };
  } catch (error) {
    if (signal.aborted) return { kind: 'reading' };
    if (error instanceof DOMException && error.name === 'EncodingError')
      return {
        kind: 'failed',
        reason: 'This browser cannot decode its audio. It can still be played, and replaced by an upload.',
      };
    throw error;
  }
}
