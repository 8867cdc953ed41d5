import type { FieldError } from '../../../contract/problems.ts';
import { done, refused, type Result } from '../../result.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A menu as it was written, and where that was: `[2]`, `data.ivrs[0]`, or nothing when it was all there was. */
export interface FoundMenu {
  readonly path: string;
  readonly fields: JsonObject;
}

/** What envelopes call their content, the usual name first. */
const envelopes = ['data', 'ivrs', 'ivr', 'items', 'results', 'result', 'records', 'rows'];
const deepestEnvelope = 4;

/** Finds the menus in a JSON value: one alone, a list of them, or either in an envelope. */
export function findMenus(value: unknown, path = '', depth = 0): Result<FoundMenu[], FieldError[]> {
  if (Array.isArray(value)) return menusOfList(value, path);
  if (!isObject(value))
    return refused([{ field: path, message: `must be ${whatIsRead}, not ${kindOf(value)}` }]);
  if (isMenu(value)) return done([{ path, fields: value }]);
  const content = depth < deepestEnvelope ? contentOf(value) : null;
  if (content === null)
    return refused([{ field: path, message: `has no field of a menu; it must be ${whatIsRead}` }]);
  return findMenus(value[content], path === '' ? content : `${path}.${content}`, depth + 1);
}

/** The list in a JSON value, itself or in an envelope, whatever it holds; null when there is none. */
export function findList(value: unknown, depth = 0): readonly unknown[] | null {
  if (Array.isArray(value)) return value as unknown[];
  const content = isObject(value) && depth < deepestEnvelope ? contentOf(value) : null;
  return isObject(value) && content !== null ? findList(value[content], depth + 1) : null;
}

const whatIsRead =
  'an IVR with fields such as name, recording and option, a list of them, or a draft that was exported';

function menusOfList(list: readonly unknown[], path: string): Result<FoundMenu[], FieldError[]> {
  if (list.length === 0) return refused([{ field: path, message: 'holds no menu' }]);
  const menus: FoundMenu[] = [];
  const errors: FieldError[] = [];
  for (const [place, fields] of list.entries()) {
    const at = `${path}[${place}]`;
    if (!isObject(fields)) errors.push({ field: at, message: `must be an IVR, not ${kindOf(fields)}` });
    else if (!isMenu(fields))
      errors.push({ field: at, message: 'has no field of an IVR, such as name, recording or option' });
    else menus.push({ path: at, fields });
  }
  return errors.length === 0 ? done(menus) : refused(errors);
}

function isMenu(fields: JsonObject): boolean {
  return menuFields.some((field) => Object.hasOwn(fields, field));
}

/** The field of an envelope that holds the menus: one with a usual name, else the only list. */
function contentOf(fields: JsonObject): string | null {
  const usual = envelopes.find((name) => Object.hasOwn(fields, name) && typeof fields[name] === 'object');
  if (usual !== undefined) return usual;
  const lists = Object.keys(fields).filter((name) => Array.isArray(fields[name]));
  return lists.length === 1 ? (lists[0] ?? null) : null;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return (
    { string: 'a text', number: 'a number', boolean: 'true or false', object: 'an object' }[
      typeof value as string
    ] ?? 'nothing'
  );
}

/**
 * Fields by which a menu is known, in the body (spec 2.3) and as the platform's `GET /v1/ivrs` shows it.
 *
 * `name`, `description` and `id` are not among them: anything may have those.
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
