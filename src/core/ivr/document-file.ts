import { z } from 'zod';
import { IvrDocument } from '../../contract/ivr-draft.ts';
import type { FieldError } from '../../contract/problems.ts';
import { fieldErrorsOf } from '../field-errors.ts';
import { done, refused, type Result } from '../result.ts';

/** By this a drawing in a file is known again. */
export const documentFormat = 'rotavox-ivr';

/** A drawing in a file of ours: what the window exports and imports, and the CLI checks. */
const DocumentFile = z.strictObject({
  format: z.literal(documentFormat),
  version: z.literal(1, 'must be 1: this file is of another version of Rotavox'),
  document: IvrDocument,
});
export type DocumentFile = z.infer<typeof DocumentFile>;

/** Reads such a file's JSON; null when it is another kind of JSON, such as the body of an IVR. */
export function readDocumentFile(json: unknown): Result<IvrDocument, readonly FieldError[]> | null {
  if (typeof json !== 'object' || json === null || !('format' in json) || json.format !== documentFormat) {
    return null;
  }
  const parsed = DocumentFile.safeParse(json);
  return parsed.success ? done(parsed.data.document) : refused(fieldErrorsOf(parsed.error, json));
}

export const documentVersion = 1;

/** A drawing as a file: all of it, places and scenarios included. `readImport` reads the same back. */
export function documentExport(document: IvrDocument): string {
  const file: DocumentFile = { format: documentFormat, version: documentVersion, document };
  return `${JSON.stringify(file, null, 2)}\n`;
}
