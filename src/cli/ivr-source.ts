import { existsSync } from 'node:fs';
import type { IvrDocument } from '../contract/ivr-draft.ts';
import type { KnownIds } from '../contract/ivr-reference.ts';
import { drawStoredMenus } from '../core/ivr/import/draw-menus.ts';
import { readImport } from '../core/ivr/import/read-import.ts';
import { importErrors, importWarnings } from '../text/flow-import.ts';
import { fieldErrorLines, inputProblem } from '../text/cli.ts';
import { ivrText, warningLine } from '../text/cli-ivr.ts';
import { CommandFailure, exitCodes } from './command-failure.ts';
import type { GlobalOptions } from './data-dir.ts';
import { openPortal } from './portal.ts';
import { readFileText } from './read-file-bytes.ts';
import { say } from './terminal.ts';

/** More than the limit of an import, so that the import reports it. */
export const importLimitBytes = 8 * 1024 * 1024;

/**
 * Reads the call flow that an argument names: a file (`-`: stdin), otherwise the id of a draft or of a stored menu.
 *
 * A file with that name comes first. Warnings of the import go to stderr.
 */
export async function readIvrSource(options: GlobalOptions, source: string): Promise<IvrDocument> {
  if (isFile(source)) return readFile(source);
  const portal = openPortal(options);
  const params = { id: source };
  if (source.startsWith('draft_')) return (await portal.ask('readDraft', { params })).document;
  return drawStoredMenus([await portal.ask('portalReadIvr', { params })]);
}

function isFile(source: string): boolean {
  return source === '-' || existsSync(source) || !/^(?:draft|ivr)_\w+$/.test(source);
}

/** The recordings that are stored where the call flow is; null for a file, which is read without the service. */
export async function readKnownRecordings(options: GlobalOptions, source: string): Promise<KnownIds | null> {
  if (isFile(source)) return null;
  const { recordings } = await openPortal(options).ask('listRecordings');
  return new Set<string>(recordings.map(({ id }) => id));
}

async function readFile(file: string): Promise<IvrDocument> {
  const imported = readImport(await readFileText(file, importLimitBytes));
  if (imported.ok) {
    for (const warning of importWarnings(imported.value.warnings)) say(warningLine(warning));
    return imported.value.document;
  }
  const lines = fieldErrorLines(importErrors(imported.refusal), inputProblem.file);
  throw new CommandFailure(exitCodes.failed, [ivrText.unreadableMenu, ...lines]);
}
