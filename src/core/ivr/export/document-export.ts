import type { IvrDocument } from '../../../contract/ivr-draft.ts';
import { type DocumentFile, documentFormat } from '../document-file.ts';

export const documentVersion = 1;

/** A drawing as a file: all of it, places and scenarios included. `readImport` reads the same back. */
export function documentExport(document: IvrDocument): string {
  const file: DocumentFile = { format: documentFormat, version: documentVersion, document };
  return `${JSON.stringify(file, null, 2)}\n`;
}
