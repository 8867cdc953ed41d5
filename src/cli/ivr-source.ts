import { existsSync } from 'node:fs';
import type { IvrDocument, NodeId } from '../contract/menu/ivr-draft.ts';
import { type Ivr, IvrId } from '../contract/menu/ivr.ts';
import { flowOfStored } from '../core/calls/flow-of-stored.ts';
import { type FlowIdentity, identityOfDraft, identityOfFile } from '../core/ivr/export/dialplan-names.ts';
import { drawStoredMenus } from '../core/ivr/import/draw-menus.ts';
import { isBody, readImport } from '../core/ivr/import/read-import.ts';
import type { FieldError } from '../contract/problems.ts';
import { menusOf } from '../core/ivr/edit/lines.ts';
import { importErrors, importWarnings } from '../text/menu/flow-import.ts';
import { fieldErrorLines, inputProblem } from '../text/cli/cli.ts';
import { ivrText, warningLine } from '../text/cli/cli-ivr.ts';
import { CommandFailure, exitCodes, wrongUsage } from './command-failure.ts';
import type { GlobalOptions } from './chosen-data-dir.ts';
import { openPortal, type Portal } from './open-portal.ts';
import { readFileText } from './read-file-bytes.ts';
import { say } from './terminal.ts';

/** More than the limit of an import, so that the import reports it. */
export const importLimitBytes = 8 * 1024 * 1024;

/** A call flow that an argument names. */
export interface IvrSource {
  readonly document: IvrDocument;
  readonly identity: FlowIdentity;
  /** Whether it is a stored menu itself. */
  readonly isStored: boolean;
  /** All menus that are stored: it may lead to some of them. */
  readonly stored: ReadonlyMap<IvrId, Ivr>;
  /** The id of a menu of the document as others refer to it. */
  readonly idOf: (menu: NodeId) => string;
  /** Null for a file. */
  readonly portal: Portal | null;
}

/**
 * Reads the call flow that an argument names: a file (`-`: stdin), otherwise the id of a draft or of a stored menu.
 *
 * A file with that name comes first. Warnings of the import go to stderr.
 */
export async function readIvrSource(options: GlobalOptions, source: string): Promise<IvrSource> {
  if (isFile(source)) return readFile(source);
  const portal = openPortal(options);
  return source.startsWith('draft_') ? readDraft(portal, source) : readStored(portal, source);
}

/** Whether an argument names a file, and not the id of a draft or of a stored menu. */
export function isFile(source: string): boolean {
  return source === '-' || existsSync(source) || !/^(?:draft|ivr)_\w+$/.test(source);
}

/** What a file has: one body, as `POST /v1/ivr` takes it, a call flow, or why neither. */
export type IvrFile =
  | { readonly kind: 'body'; readonly body: unknown }
  | { readonly kind: 'document'; readonly document: IvrDocument }
  | { readonly kind: 'refused'; readonly errors: readonly FieldError[] };

/**
 * Reads everything that `import` reads and `export` writes. Warnings of the import go to stderr.
 *
 * Throws wrong usage for what is no JSON, which says what else it is.
 */
export async function readIvrFile(file: string): Promise<IvrFile> {
  const text = await readFileText(file, importLimitBytes);
  const one = bodyIn(text);
  if (one !== null) return { kind: 'body', body: one.body };
  const imported = readImport(text);
  if (imported.ok) {
    for (const warning of importWarnings(imported.value.warnings)) say(warningLine(warning));
    return { kind: 'document', document: imported.value.document };
  }
  const errors = importErrors(imported.refusal);
  const [first] = imported.refusal;
  if (first?.code !== 'not_json' && first?.code !== 'foreign') return { kind: 'refused', errors };
  const name = file === '-' ? inputProblem.stdin : file;
  throw wrongUsage(`${name} ${errors[0]?.message ?? ''}.`);
}

function bodyIn(text: string): { readonly body: unknown } | null {
  try {
    const body: unknown = JSON.parse(text);
    return isBody(body) ? { body } : null;
  } catch {
    return null; // the import says what it is
  }
}

/** A stored menu, and every menu that its callers can come to. */
async function readStored(portal: Portal, id: string): Promise<IvrSource> {
  const first = await portal.ask('portalReadIvr', { params: { id } });
  const stored = (await storedMenus(portal)).set(first.id, first);
  const reached = [...(flowOfStored(stored, id)?.menus.keys() ?? [])];
  const menus = reached.flatMap((one) => stored.get(IvrId.parse(one)) ?? []);
  const document = drawStoredMenus(menus);
  const ids = new Map(menusOf(document).map((menu, place) => [menu.id, menus[place]?.id]));
  return {
    document,
    identity: { name: first.name, id },
    isStored: true,
    stored,
    idOf: (menu) => ids.get(menu) ?? menu,
    portal,
  };
}

async function readDraft(portal: Portal, id: string): Promise<IvrSource> {
  const { document, publications } = await portal.ask('readDraft', { params: { id } });
  const identity = identityOfDraft(document, id, publications);
  return { document, identity, isStored: false, stored: await storedMenus(portal), idOf: String, portal };
}

async function storedMenus(portal: Portal): Promise<Map<IvrId, Ivr>> {
  return new Map((await portal.ask('portalListIvrs')).ivrs.map((ivr) => [ivr.id, ivr]));
}

async function readFile(file: string): Promise<IvrSource> {
  const imported = readImport(await readFileText(file, importLimitBytes));
  if (imported.ok) {
    for (const warning of importWarnings(imported.value.warnings)) say(warningLine(warning));
    const { document } = imported.value;
    const identity = identityOfFile(document);
    return { document, identity, isStored: false, stored: new Map(), idOf: String, portal: null };
  }
  const lines = fieldErrorLines(importErrors(imported.refusal), inputProblem.file);
  throw new CommandFailure(exitCodes.failed, [ivrText.unreadableMenu, ...lines]);
}
