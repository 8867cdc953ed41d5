import type { DraftKey, MenuNode, NodeId } from '../../../contract/ivr-draft.ts';
import { IvrBody, ivrBounds } from '../../../contract/ivr.ts';
import type { FlowKey, FlowMenu, FlowTarget } from '../flow.ts';
import type { MenuFinding } from '../menu-problem.ts';
import { type BodyField, openWords } from './open-words.ts';

/**
 * Makes of a drawn menu one that may run, or null; everything that is wrong with it is told.
 *
 * Each value is judged by the very schema that the body has for it, so what compiles is a body that is accepted.
 */
export function compileMenu(compilation: MenuInCompilation): FlowMenu | null {
  const { menu, name } = compilation;
  // In the order of the spec, which is the order in which problems are told.
  const parts = {
    name: judge(compilation, 'name'),
    description: judge(compilation, 'description'),
    recording: judge(compilation, 'recording'),
    timeoutSeconds: judge(compilation, 'timeout'),
    keys: compileKeys(compilation),
    wrongKeyRetries: judge(compilation, 'incorrect_count'),
    wrongKeyRecording: judge(compilation, 'invalid_recording'),
    wrongKeyTo: compileLine(compilation, menu.invalid_destination, {
      field: 'invalid_destination',
      advice: `Draw a line from the wrong key of ${name}.`,
    }),
    retryRecording: judge(compilation, 'timeout_retry_recording'),
    lastRecording: judge(compilation, 'timeout_recording'),
    silenceTo: compileLine(compilation, menu.timeout_destination, {
      field: 'timeout_destination',
      advice: `Draw a line from the silence of ${name}.`,
    }),
    silenceRetries: judge(compilation, 'timeout_tries'),
  };
  if (!isWhole(parts)) return null;
  return {
    id: menu.id,
    name: parts.name,
    description: parts.description,
    recording: parts.recording,
    timeoutSeconds: parts.timeoutSeconds,
    keys: parts.keys,
    wrongKey: {
      recording: parts.wrongKeyRecording,
      retries: parts.wrongKeyRetries,
      to: parts.wrongKeyTo,
    },
    silence: {
      retries: parts.silenceRetries,
      retryRecording: parts.retryRecording,
      lastRecording: parts.lastRecording,
      to: parts.silenceTo,
    },
  };
}

/** The value that the body would have; null, and told, where it is open or not allowed. */
function judge<F extends BodyField>({ menu, name, tell }: MenuInCompilation, field: F): IvrBody[F] | null {
  const value = menu[field];
  if (field !== 'description' && (value === null || value === '')) {
    tell({ code: 'field_open', at: field, field, message: openWords[field](name) });
    return null;
  }
  const parsed = IvrBody.shape[field].safeParse(value);
  if (parsed.success) return parsed.data as IvrBody[F];
  const rule = parsed.error.issues[0]?.message ?? 'is not allowed';
  tell({ code: 'field_not_allowed', at: field, field, message: `${field} of ${name} ${rule}.` });
  return null;
}

function isWhole<T extends object>(parts: T): parts is { [K in keyof T]: NonNullable<T[K]> } {
  return Object.values(parts).every((part) => part !== null);
}

const keySchema = IvrBody.shape.option.element;
const smsTemplateSchema = IvrBody.shape.sms_template.unwrap().element;

/** The keys of a menu that may be pressed, in order; null, and told, when one of them is not right. */
function compileKeys(compilation: MenuInCompilation): ReadonlyMap<string, FlowKey> | null {
  const { menu, name, tell } = compilation;
  const { min, max } = ivrBounds.options;
  const { length } = menu.keys;
  const isFew = length < min;
  const isMany = length > max;
  if (isFew) {
    const message = `Add a key to ${name}: a menu needs at least one that a caller can press.`;
    tell({ code: 'no_keys', at: 'keys', field: 'option', message });
  }
  if (isMany) {
    const message = `Remove keys from ${name}: it has ${length}, and a menu may have ${max}.`;
    tell({ code: 'field_not_allowed', at: 'keys', field: 'option', message });
  }
  const keys = new Map<string, FlowKey>();
  for (const [place, drawn] of menu.keys.entries()) {
    const isFree = isFreeKey(compilation, drawn, place);
    const key = compileKey(compilation, drawn, place);
    if (isFree && key !== null) keys.set(drawn.key, key);
  }
  return isFew || isMany || keys.size < length ? null : keys;
}

function isFreeKey({ menu, name, tell }: MenuInCompilation, { key }: DraftKey, place: number): boolean {
  const at = `keys.${place}.key`;
  const field = `option[${place}]`;
  if (!keySchema.safeParse(key).success) {
    const message =
      key === ''
        ? `Say which key of ${name} this is: one of 0-9, * or #.`
        : `No caller can press “${key}” in ${name}: it must be one key of 0-9, * or #.`;
    tell({ code: 'key_not_allowed', at, field, message });
    return false;
  }
  if (menu.keys.findIndex((other) => other.key === key) === place) return true;
  const message = `Key ${key} is in ${name} twice. Change one of the two or remove it.`;
  tell({ code: 'key_twice', at, field, message });
  return false;
}

function compileKey(compilation: MenuInCompilation, drawn: DraftKey, place: number): FlowKey | null {
  const key = drawn.key === '' ? 'this key' : `key ${drawn.key}`;
  const to = compileLine(compilation, drawn.to, {
    field: `destination[${place}]`,
    at: `keys.${place}.to`,
    advice: `Draw a line from ${key} of ${compilation.name} or remove the key.`,
  });
  const template = smsTemplateSchema.safeParse(drawn.sms_template ?? '');
  if (!template.success) {
    compilation.tell({
      code: 'field_not_allowed',
      at: `keys.${place}.sms_template`,
      field: `sms_template[${place}]`,
      message: `The SMS template of ${key} of ${compilation.name} must be an id of at most ${ivrBounds.idLength} characters.`,
    });
    return null;
  }
  // The body has a list; a blank in it is a key without a template.
  return to === null ? null : { to, smsTemplate: template.data === '' ? null : template.data };
}

/** Where a line ends: at what may run, at an end that is wrong itself (told there), or at nothing. */
export type LineEnd = FlowTarget | 'broken' | 'unknown';

/** A menu on its way from the drawing into a flow. */
interface MenuInCompilation {
  readonly menu: MenuNode;
  /** As messages call it. */
  readonly name: string;
  readonly endOf: (to: NodeId) => LineEnd;
  readonly tell: (finding: MenuFinding) => void;
}

/** Where a port leads; null, and told, when it leads nowhere. `advice` says what to draw. */
function compileLine(
  { endOf, tell }: MenuInCompilation,
  to: NodeId | null,
  { field, at = field, advice }: { field: string; at?: string; advice: string },
): FlowTarget | null {
  if (to === null) {
    tell({ code: 'destination_open', at, field, message: advice });
    return null;
  }
  const end = endOf(to);
  if (end === 'unknown') {
    const message = `This line leads to what is not there any more. ${advice}`;
    tell({ code: 'node_unknown', at, field, message });
  }
  return typeof end === 'string' ? null : end;
}
