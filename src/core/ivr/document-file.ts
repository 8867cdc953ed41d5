import { type FieldProblem, fieldProblemsOf } from '../../contract/field-problem.ts';
import {
  DocumentFile,
  documentFormat,
  documentVersion,
  type IvrDocument,
} from '../../contract/menu/ivr-draft.ts';
import { done, refused, type Result } from '../result.ts';

/** Reads the JSON of an exported draft; null for other JSON, such as the body of an IVR. */
export function readDocumentFile(json: unknown): Result<IvrDocument, readonly FieldProblem[]> | null {
  if (typeof json !== 'object' || json === null || !('format' in json) || json.format !== documentFormat) {
    return null;
  }
  const parsed = DocumentFile.safeParse(json);
  return parsed.success ? done(parsed.data.document) : refused(fieldProblemsOf(parsed.error, json));
}

/** A call flow as a file, including positions and scenarios. `readImport` reads it back. */
export function documentExport(document: IvrDocument): string {
  const file: DocumentFile = { format: documentFormat, version: documentVersion, document };
  return `${JSON.stringify(file, null, 2)}\n`;
}
