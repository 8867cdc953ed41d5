import type { ImportRefusal, JsonKind } from '../../../contract/menu/ivr-import.ts';
import { FlowPart } from '../../../contract/menu/schedule.ts';
import { done, refused, type Result } from '../../result.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A menu as it was written, or opening hours or a message of its call flow, and its path: `[2]`, `data.ivrs[0]`, or empty if it was the whole value. */
export interface FoundMenu {
  readonly path: string;
  readonly fields: JsonObject;
}

/** The names that envelopes use for their content, the usual name first. */
const envelopes = ['data', 'ivrs', 'ivr', 'items', 'results', 'result', 'records', 'rows'];
const deepestEnvelope = 4;

/** Finds the menus in a JSON value: one alone, a list of them, or either in an envelope. */
export function findMenus(value: unknown, path = '', depth = 0): Result<FoundMenu[], ImportRefusal[]> {
  if (Array.isArray(value)) return menusOfList(value, path);
  const noMenus = { code: 'no_menus', at: path, params: { found: jsonKind(value) } } as const;
  if (!isObject(value)) return refused([noMenus]);
  if (isMenu(value)) return done([{ path, fields: value }]);
  const content = depth < deepestEnvelope ? contentOf(value) : null;
  if (content === null) return refused([noMenus]);
  return findMenus(value[content], path === '' ? content : `${path}.${content}`, depth + 1);
}

/** The list in a JSON value, itself or in an envelope, whatever its items; null if there is none. */
export function findList(value: unknown, depth = 0): readonly unknown[] | null {
  if (Array.isArray(value)) return value as unknown[];
  const content = isObject(value) && depth < deepestEnvelope ? contentOf(value) : null;
  return isObject(value) && content !== null ? findList(value[content], depth + 1) : null;
}

function menusOfList(list: readonly unknown[], path: string): Result<FoundMenu[], ImportRefusal[]> {
  if (list.length === 0) return refused([{ code: 'empty_list', at: path, params: null }]);
  const menus: FoundMenu[] = [];
  const errors: ImportRefusal[] = [];
  for (const [place, fields] of list.entries()) {
    const at = `${path}[${place}]`;
    if (isObject(fields) && (isMenu(fields) || FlowPart.safeParse(fields).success))
      menus.push({ path: at, fields });
    else errors.push({ code: 'not_a_menu', at, params: { found: jsonKind(fields) } });
  }
  return errors.length === 0 ? done(menus) : refused(errors);
}

function isMenu(fields: JsonObject): boolean {
  return menuFields.some((field) => Object.hasOwn(fields, field));
}

/** The field of an envelope that contains the menus: one with a usual name, otherwise the only list. */
function contentOf(fields: JsonObject): string | null {
  const usual = envelopes.find((name) => Object.hasOwn(fields, name) && typeof fields[name] === 'object');
  if (usual !== undefined) return usual;
  const lists = Object.keys(fields).filter((name) => Array.isArray(fields[name]));
  return lists.length === 1 ? (lists[0] ?? null) : null;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function jsonKind(value: unknown): JsonKind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'object' ? 'object' : 'nothing';
}

/**
 * Fields that identify a menu, in the body (spec 2.3) and in the platform's `GET /v1/ivrs`.
 *
 * Without `name`, `description` and `id`, which any object may have.
 */
const menuFields = [
  'recording',
  'timeout',
  'option',
  'destination',
  'ivr_menu',
  'incorrect_count',
  'invalid_retries',
  'invalid_recording',
  'recording_invalid',
  'invalid_destination',
  'invalid_destination_type',
  'timeout_retry_recording',
  'timeout_recording',
  'timeout_destination',
  'timeout_destination_type',
  'timeout_tries',
  'timeout_retries',
  'sms_template',
] as const;
