import { lineOfReplaced } from '../../../contract/decode-text.ts';
import { findJsonError } from '../../../contract/find-json-error.ts';
import {
  documentFormat,
  documentVersion,
  draftBounds,
  IvrDocument,
} from '../../../contract/menu/ivr-draft.ts';
import type { ImportRefusal, ImportWarnings } from '../../../contract/menu/ivr-import.ts';
import { expectedWords, fieldProblemsOf } from '../../../contract/field-problem.ts';
import { done, refused, type Result } from '../../result.ts';
import { unfitNames } from '../draft/change-draft.ts';
import { drawMenus } from './draw-menus.ts';
import { findMenus, isObject, type JsonObject } from './find-menus.ts';
import { ImportNotes } from './import-notes.ts';
import { nameJson, nameText } from './name-format.ts';
import { readMenu } from './read-menu.ts';

export interface ImportedDocument {
  readonly document: IvrDocument;
  /** What was left out and what is incomplete, each with its path. */
  readonly warnings: ImportWarnings;
}

type Import = Result<ImportedDocument, readonly ImportRefusal[]>;

/** In UTF-16 units: a mebibyte of plain text. */
const longestText = 1024 * 1024;
const mostErrors = 20;

/**
 * Reads a file or pasted text as a document: a body or a list of bodies (spec 2.3), menus of the platform's `GET
 * /v1/ivrs`, our own export, or a draft from the portal.
 *
 * An incomplete menu is imported as far as possible, with warnings. Anything that is not a menu is refused with its
 * path and what is expected there. Never throws.
 */
export function readImport(text: string): Import {
  if (text.length > longestText)
    return refused([{ code: 'too_large', at: '', params: { characters: text.length } }]);
  const parsed = parseJson(text.replace(/^\ufeff/, ''));
  if (!parsed.ok) return parsed;
  // Also where it is written as an escape. A backslash before that is one of a pair in no text that people write.
  const line = lineOfReplaced(text.replaceAll(/\\ufffd/gi, '\ufffd'));
  if (line !== null) return refused([{ code: 'replaced', at: '', params: { line } }]);
  const { value } = parsed;
  if (isObject(value)) {
    if (Object.hasOwn(value, 'format')) return readExport(value);
    if (Object.hasOwn(value, 'document')) return drawn(value['document'], 'document');
    if (Object.hasOwn(value, 'nodes') && Object.hasOwn(value, 'caller')) return drawn(value, '');
  }
  return readMenus(value);
}

/**
 * Whether a value is one body, which is checked as `POST /v1/ivr` would: not a list or an envelope of menus, an export, or what another
 * program has written. What is nothing of all this is an incomplete body.
 */
export function isBody(value: unknown): boolean {
  if (!isObject(value)) return !Array.isArray(value);
  if (nameJson(value) !== null) return false;
  if (['format', 'document', 'nodes', 'ivr_menu'].some((field) => Object.hasOwn(value, field))) return false;
  const found = findMenus(value);
  return found.ok ? found.value.every(({ path }) => path === '') : found.refusal.every(({ at }) => at === '');
}

function parseJson(text: string): Result<unknown, readonly ImportRefusal[]> {
  try {
    return done(JSON.parse(text) as unknown);
  } catch {
    const format = nameText(text);
    if (format !== null) return refused([{ code: 'foreign', at: '', params: { format } }]);
    return refused([{ code: 'not_json', at: '', params: findJsonError(text) }]);
  }
}

function readExport({ format, version, document }: JsonObject): Import {
  if (format !== documentFormat)
    return refused([{ code: 'wrong_format', at: 'format', params: { format: documentFormat } }]);
  if (version !== documentVersion)
    return refused([{ code: 'wrong_version', at: 'version', params: { version: documentVersion } }]);
  return drawn(document, 'document');
}

function drawn(value: unknown, path: string): Import {
  const document = readDocument(value, path);
  return document.ok ? done({ document: document.value, warnings: new ImportNotes().warnings() }) : document;
}

function readMenus(value: unknown): Import {
  const found = findMenus(value);
  if (!found.ok) {
    const format = nameJson(value);
    if (format !== null) return refused([{ code: 'foreign', at: '', params: { format } }]);
    return refused(found.refusal.slice(0, mostErrors));
  }
  const tooMany = { code: 'too_many_nodes', at: '', params: { most: draftBounds.nodes } } as const;
  if (found.value.length > draftBounds.nodes) return refused([tooMany]);
  const notes = new ImportNotes();
  const document = drawMenus(
    found.value.map((menu, index) => readMenu(menu, notes, index + 1)),
    notes,
  );
  if (Object.keys(document.nodes).length > draftBounds.nodes) return refused([tooMany]);
  return done({ document, warnings: notes.warnings() });
}

const mostDocumentErrors = 20;

/** The document in a file, or the path of the first error and what is expected there; `path` is where it is. */
function readDocument(value: unknown, path: string): Result<IvrDocument, readonly ImportRefusal[]> {
  const parsed = IvrDocument.safeParse(value, { error: expectedWords });
  const found = parsed.success ? unfitNames(parsed.data) : fieldProblemsOf(parsed.error, value);
  if (parsed.success && found.length === 0) return done(parsed.data);
  const problems = found.slice(0, mostDocumentErrors);
  return refused(
    problems.map(({ field, ...finding }) => ({
      code: 'field',
      at: [path, field].filter((part) => part !== '').join('.'),
      params: finding,
    })),
  );
}
