import type { AudioFormat } from '../../contract/recording.ts';

/** What is read from the content of an audio file. */
export interface AudioFacts {
  readonly format: AudioFormat;
  /** In milliseconds; null where the file does not tell. */
  readonly durationMs: number | null;
}

/** Whether some bytes are these characters (Latin-1). */
export function saysAt(bytes: Uint8Array, place: number, text: string): boolean {
  if (place < 0 || place + text.length > bytes.length) return false;
  for (let at = 0; at < text.length; at += 1) if (bytes[place + at] !== text.charCodeAt(at)) return false;
  return true;
}

export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
