import { type FieldProblem, fieldProblemsOf } from '../../contract/field-problem.ts';
import {
  DocumentFile,
  documentFormat,
  documentVersion,
  type IvrDocument,
} from '../../contract/menu/ivr-draft.ts';
import type { ScheduleHours, ScheduleId } from '../../contract/menu/schedule.ts';
import { hoursOnly } from './flow.ts';
import { done, refused, type Result } from '../result.ts';

/** Reads the JSON of an exported draft; null for other JSON, such as the body of an IVR. */
export function readDocumentFile(json: unknown): Result<DocumentFile, readonly FieldProblem[]> | null {
  if (typeof json !== 'object' || json === null || !('format' in json) || json.format !== documentFormat) {
    return null;
  }
  const parsed = DocumentFile.safeParse(json);
  return parsed.success ? done(parsed.data) : refused(fieldProblemsOf(parsed.error, json));
}

/**
 * A call flow as a file, including positions and scenarios, and the schedules that it asks, as far as they are known. `readImport` reads it
 * back.
 */
export function documentExport(
  document: IvrDocument,
  schedules: { get(id: ScheduleId): ScheduleHours | undefined } = new Map(),
): string {
  const asked = schedulesOf(document, schedules);
  const file: DocumentFile = {
    format: documentFormat,
    version: documentVersion,
    document,
    ...(asked.length === 0 ? {} : { schedules: asked }),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** The schedules that a call flow asks, each once, without what is set by hand. */
function schedulesOf(
  { nodes }: IvrDocument,
  schedules: { get(id: ScheduleId): ScheduleHours | undefined },
): ScheduleHours[] {
  const ids = Object.values(nodes).flatMap((node) =>
    node.kind === 'hours' && node.hours !== null ? [node.hours] : [],
  );
  return [...new Set(ids)].flatMap((id) => {
    const known = schedules.get(id);
    return known === undefined ? [] : [hoursOnly(known)];
  });
}
