import type { DraftKey } from '../../../contract/ivr-draft.ts';
import { IvrBody, ivrBounds } from '../../../contract/ivr.ts';
import type { FlowKey } from '../flow.ts';
import { compileLine, type MenuInCompilation } from './menu-in-compilation.ts';

const keySchema = IvrBody.shape.option.element;
const smsTemplateSchema = IvrBody.shape.sms_template.unwrap().element;

/** The keys of a menu that may be pressed, in order; null, and told, when one of them is not right. */
export function compileKeys(compilation: MenuInCompilation): ReadonlyMap<string, FlowKey> | null {
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
