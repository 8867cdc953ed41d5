import { decodeText } from '../../contract/decode-text.ts';
import { fileTooLargeText, readAsText, textFaultText } from '../../text/text-file.ts';

/** A text file that a person chose: its text with what to say about it, or why it is not read. */
export type ReadTextFile =
  | { readonly ok: true; readonly text: string; readonly note: string | null }
  | { readonly ok: false; readonly reason: string };

/** Reads it in any encoding that can be read for certain, as commands do. The size is checked first. */
export async function readTextFile(file: File, mostMib: number): Promise<ReadTextFile> {
  if (file.size > mostMib * 1024 * 1024) return { ok: false, reason: fileTooLargeText(file.name, mostMib) };
  const read = decodeText(new Uint8Array(await file.arrayBuffer()));
  if (!read.ok) return { ok: false, reason: textFaultText(file.name, read.fault) };
  const { text, encoding, isGuess } = read;
  const note = isGuess && encoding !== 'utf-8' ? readAsText(file.name, encoding) : null;
  return { ok: true, text, note };
}
