import { existsSync } from 'node:fs';
import type { IvrDocument, NodeId } from '../contract/menu/ivr-draft.ts';
import { IvrId, type StoredIvr } from '../contract/menu/ivr.ts';
import { FlowPartId, type ScheduleHours, type ScheduleId } from '../contract/menu/schedule.ts';
import { flowOfStored, type StoredBeside } from '../core/calls/flow-of-stored.ts';
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
  readonly stored: ReadonlyMap<IvrId, StoredIvr>;
  /** What else their calls need. */
  readonly beside: StoredBeside & { readonly schedules: ReadonlyMap<ScheduleId, ScheduleHours> };
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
  | {
      readonly kind: 'document';
      readonly document: IvrDocument;
      /** Those that the file has. */
      readonly schedules: ReadonlyMap<ScheduleId, ScheduleHours>;
    }
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
    return { kind: 'document', document: imported.value.document, schedules: byId(imported.value.schedules) };
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
  const { stored, beside } = await storedMenus(portal);
  stored.set(first.id, first);
  const flow = flowOfStored(stored, id, beside);
  const menus = [...(flow?.menus.keys() ?? [])].flatMap((one) => stored.get(IvrId.parse(one)) ?? []);
  const parts = [...(flow?.hours.keys() ?? []), ...(flow?.messages.keys() ?? [])].flatMap(
    (one) => beside.flowParts.get(FlowPartId.parse(one)) ?? [],
  );
  const document = drawStoredMenus(menus, parts);
  const ids = new Map(menusOf(document).map((menu, place) => [menu.id, menus[place]?.id]));
  return {
    document,
    identity: { name: first.name, id },
    isStored: true,
    stored,
    beside,
    idOf: (menu) => ids.get(menu) ?? menu,
    portal,
  };
}

async function readDraft(portal: Portal, id: string): Promise<IvrSource> {
  const { document, publications } = await portal.ask('readDraft', { params: { id } });
  const identity = identityOfDraft(document, id, publications);
  return { document, identity, isStored: false, ...(await storedMenus(portal)), idOf: String, portal };
}

async function storedMenus(portal: Portal) {
  const [{ ivrs, parts }, { schedules }, { extensions }] = await Promise.all([
    portal.ask('portalListIvrs'),
    portal.ask('listSchedules'),
    portal.ask('listExtensions'),
  ]);
  return {
    stored: byId(ivrs),
    beside: { flowParts: byId(parts), schedules: byId(schedules), extensions: byId(extensions) },
  };
}

function byId<One extends { readonly id: string }>(list: readonly One[] = []): Map<One['id'], One> {
  return new Map(list.map((one) => [one.id, one]));
}

async function readFile(file: string): Promise<IvrSource> {
  const imported = readImport(await readFileText(file, importLimitBytes));
  if (imported.ok) {
    for (const warning of importWarnings(imported.value.warnings)) say(warningLine(warning));
    const { document } = imported.value;
    const identity = identityOfFile(document);
    const beside = { schedules: byId(imported.value.schedules) };
    return { document, identity, isStored: false, stored: new Map(), beside, idOf: String, portal: null };
  }
  const lines = fieldErrorLines(importErrors(imported.refusal), inputProblem.file);
  throw new CommandFailure(exitCodes.failed, [ivrText.unreadableMenu, ...lines]);
}
