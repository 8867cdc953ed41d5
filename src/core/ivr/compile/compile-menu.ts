import type { DraftKey, MenuNode, NodeId } from '../../../contract/menu/ivr-draft.ts';
import type { BodyField } from '../../../contract/menu/ivr-problem.ts';
import { IvrBody, ivrBounds } from '../../../contract/menu/ivr.ts';
import type { CallPort, FlowTarget } from '../../../contract/menu/ivr-call.ts';
import type { FlowKey, FlowMenu } from '../flow.ts';
import type { MenuFinding } from '../menu-problem.ts';

/**
 * Compiles a menu of a draft, or reports all its errors and returns null.
 *
 * Each value is validated by the schema of the body, so what compiles is a valid body.
 */
export function compileMenu(compilation: MenuInCompilation): FlowMenu | null {
  const { menu } = compilation;
  // In the order of the spec, which is the order of the findings.
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
      way: { kind: 'wrong_key' },
    }),
    retryRecording: judge(compilation, 'timeout_retry_recording'),
    lastRecording: judge(compilation, 'timeout_recording'),
    timeoutTo: compileLine(compilation, menu.timeout_destination, {
      field: 'timeout_destination',
      way: { kind: 'silence' },
    }),
    timeoutRetries: judge(compilation, 'timeout_tries'),
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
    timeout: {
      retries: parts.timeoutRetries,
      retryRecording: parts.retryRecording,
      lastRecording: parts.lastRecording,
      to: parts.timeoutTo,
    },
  };
}

/** The value for the body; null and a finding if it is missing or invalid. */
function judge<F extends BodyField>({ menu, tell }: MenuInCompilation, field: F): IvrBody[F] | null {
  const value = menu[field];
  // A spoken text without words is as open as a prompt that was not chosen.
  const isEmpty = field !== 'description' && (value === '' || value === 'outbound_tts||');
  if (value === null || isEmpty) {
    tell({ code: 'field_open', at: field, field, params: { of: 'menu', menu: menu.name, field } });
    return null;
  }
  const parsed = IvrBody.shape[field].safeParse(value);
  if (parsed.success) return parsed.data as IvrBody[F];
  const params = { of: 'menu', menu: menu.name, field, value } as const;
  tell({ code: 'field_not_allowed', at: field, field, params });
  return null;
}

function isWhole<T extends object>(parts: T): parts is { [K in keyof T]: NonNullable<T[K]> } {
  return Object.values(parts).every((part) => part !== null);
}

const keySchema = IvrBody.shape.option.element;
const smsTemplateSchema = IvrBody.shape.sms_template.unwrap().element;

/** The keys of a menu, in order; null and findings if one of them is invalid. */
function compileKeys(compilation: MenuInCompilation): ReadonlyMap<string, FlowKey> | null {
  const { menu, tell } = compilation;
  const { min, max } = ivrBounds.options;
  const { length } = menu.keys;
  const isFew = length < min;
  const isMany = length > max;
  const place = { at: 'keys', field: 'option' };
  if (isFew) tell({ code: 'no_keys', ...place, params: { menu: menu.name } });
  if (isMany) {
    const params = { of: 'keys', menu: menu.name, keys: length, most: max } as const;
    tell({ code: 'field_not_allowed', ...place, params });
  }
  const keys = new Map<string, FlowKey>();
  for (const [index, drawn] of menu.keys.entries()) {
    const isFree = isFreeKey(compilation, drawn, index);
    const key = compileKey(compilation, drawn, index);
    if (isFree && key !== null) keys.set(drawn.key, key);
  }
  return isFew || isMany || keys.size < length ? null : keys;
}

function isFreeKey({ menu, tell }: MenuInCompilation, { key }: DraftKey, place: number): boolean {
  const at = `keys.${place}.key`;
  const field = `option[${place}]`;
  if (!keySchema.safeParse(key).success) {
    tell({ code: 'key_not_allowed', at, field, params: { menu: menu.name, key } });
    return false;
  }
  if (menu.keys.findIndex((other) => other.key === key) === place) return true;
  tell({ code: 'key_twice', at, field, params: { menu: menu.name, key } });
  return false;
}

function compileKey(compilation: MenuInCompilation, drawn: DraftKey, place: number): FlowKey | null {
  const { key } = drawn;
  const to = compileLine(compilation, drawn.to, {
    field: `destination[${place}]`,
    at: `keys.${place}.to`,
    way: { kind: 'key', key },
  });
  const template = smsTemplateSchema.safeParse(drawn.sms_template ?? '');
  if (!template.success) {
    compilation.tell({
      code: 'field_not_allowed',
      at: `keys.${place}.sms_template`,
      field: `sms_template[${place}]`,
      params: { of: 'sms_template', menu: compilation.menu.name, key, longest: ivrBounds.idLength },
    });
    return null;
  }
  // The body has a list; a blank entry is a key without a template.
  return to === null ? null : { to, smsTemplate: template.data === '' ? null : template.data };
}

/** The end of a line: something valid, an invalid destination (reported there), or nothing. */
export type LineEnd = FlowTarget | 'broken' | 'unknown';

/** A menu while it is compiled. */
interface MenuInCompilation {
  readonly menu: MenuNode;
  readonly endOf: (to: NodeId) => LineEnd;
  readonly tell: (finding: MenuFinding) => void;
}

/** The target of a port; null and a finding if it leads nowhere. */
function compileLine(
  { menu, endOf, tell }: MenuInCompilation,
  to: NodeId | null,
  { field, at = field, way }: { field: string; at?: string; way: CallPort },
): FlowTarget | null {
  if (to === null) {
    tell({ code: 'destination_open', at, field, params: { menu: menu.name, way } });
    return null;
  }
  const end = endOf(to);
  if (end === 'unknown') {
    tell({ code: 'node_unknown', at, field, params: { from: 'menu', menu: menu.name, way } });
  }
  return typeof end === 'string' ? null : end;
}
