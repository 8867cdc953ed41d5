import { draftBounds, type IvrDocument } from '../../../contract/ivr-draft.ts';
import type { FieldError } from '../../../contract/problems.ts';
import { done, refused, type Result } from '../../result.ts';
import { documentFormat } from '../document-file.ts';
import { documentVersion } from '../export/document-export.ts';
import { drawMenus } from './draw-menus.ts';
import { findJsonError } from './find-json-error.ts';
import { findMenus, isObject, type JsonObject } from './find-menus.ts';
import { ImportNotes } from './import-notes.ts';
import { readDocument } from './read-document.ts';
import { readMenu } from './read-menu.ts';

export interface ImportedDocument {
  readonly document: IvrDocument;
  /** What was left out and what stayed open, each with its place. */
  readonly warnings: readonly string[];
}

type Import = Result<ImportedDocument, readonly FieldError[]>;

/** In UTF-16 units: a mebibyte of plain text. */
const longestText = 1024 * 1024;
const mostErrors = 20;

/**
 * Reads a file, or what was pasted, as a drawing: a body or a list of bodies (spec 2.3), menus as the platform's
 * `GET /v1/ivrs` shows them, our own export, a draft as the portal gives it.
 *
 * A menu that is not whole is drawn as far as it goes, with warnings. What is no menu at all is refused with its place and
 * with what is expected there. It never throws.
 */
export function readImport(text: string): Import {
  if (text.length > longestText)
    return refused([
      { field: '', message: `is larger than 1 MiB (${text.length} characters); import it in parts` },
    ]);
  const parsed = parseJson(text.replace(/^\ufeff/, ''));
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  if (isObject(value)) {
    if (Object.hasOwn(value, 'format')) return readExport(value);
    if (Object.hasOwn(value, 'document')) return drawn(value['document'], 'document');
    if (Object.hasOwn(value, 'nodes') && Object.hasOwn(value, 'caller')) return drawn(value, '');
  }
  return readMenus(value);
}

function parseJson(text: string): Result<unknown, readonly FieldError[]> {
  try {
    return done(JSON.parse(text) as unknown);
  } catch {
    const place = findJsonError(text);
    return refused([
      {
        field: '',
        message:
          place === null
            ? 'is not JSON'
            : `is not JSON: line ${place.line}, column ${place.column} must be ${place.expected}`,
      },
    ]);
  }
}

function readExport({ format, version, document }: JsonObject): Import {
  if (format !== documentFormat)
    return refused([{ field: 'format', message: `must be “${documentFormat}”: other formats are not read` }]);
  if (version !== documentVersion)
    return refused([
      {
        field: 'version',
        message: `must be ${documentVersion}: this file is of another version of Rotavox; update this one to read it`,
      },
    ]);
  return drawn(document, 'document');
}

function drawn(value: unknown, path: string): Import {
  const document = readDocument(value, path);
  return document.ok ? done({ document: document.value, warnings: [] }) : document;
}

function readMenus(value: unknown): Import {
  const found = findMenus(value);
  if (!found.ok) return refused(found.refusal.slice(0, mostErrors));
  const tooMany = `would have more than ${draftBounds.nodes} nodes, menus and ends together; import it in parts`;
  if (found.value.length > draftBounds.nodes) return refused([{ field: '', message: tooMany }]);
  const notes = new ImportNotes();
  const document = drawMenus(
    found.value.map((menu) => readMenu(menu, notes)),
    notes,
  );
  if (Object.keys(document.nodes).length > draftBounds.nodes)
    return refused([{ field: '', message: tooMany }]);
  return done({ document, warnings: notes.warnings() });
}
