import type { DraftNode, EndNode, IvrDocument, MenuNode, NodeId } from '../../../../contract/ivr-draft.ts';
import { readReference } from '../../../../contract/ivr-reference.ts';
import { keyWord, kindWords, menuTitle, outcomeWords, referenceTitle } from '../../../../text/phone-menu.ts';
import { keysInOrder } from './card-geometry.ts';
import type { Names } from './names.ts';

/** Where a way out of a menu leads, on the card of the menu. */
export interface WayWords {
  /** The name of the place on the card where its line begins (`card-geometry.ts`). */
  readonly handle: string;
  /** What it is called when it is read out. */
  readonly spoken: string;
  /** Null where it leads nowhere. */
  readonly to: string | null;
}

export interface KeyWords extends WayWords {
  readonly key: string;
  readonly sms: string | null;
}

/** What a card says in words. */
export interface CardWords {
  /** Such as `Menu` or `Extension 101`. */
  readonly kind: string;
  readonly name: string;
  /** Whether it is not in the directory; what has no directory is taken as it is. */
  readonly isUnknown: boolean;
  readonly prompt: { readonly words: string; readonly isOpen: boolean; readonly isUnknown: boolean } | null;
  readonly keys: readonly KeyWords[];
  readonly invalid: WayWords | null;
  readonly timeout: WayWords | null;
}

/** What every card says, card by card. */
export function cardWords(document: IvrDocument, names: Names): ReadonlyMap<string, CardWords> {
  const words = new Map<string, CardWords>();
  for (const node of Object.values(document.nodes))
    words.set(node.id, node.kind === 'end' ? endWords(node, names) : menuWords(node, document, names));
  return words;
}

function endWords({ type, ref }: EndNode, names: Names): CardWords {
  const plain = { isUnknown: false, prompt: null, keys: [], invalid: null, timeout: null };
  if (type === 'hangup') return { ...plain, kind: 'End of call', name: kindWords.hangup };
  const typed = kindWords[type];
  if (ref === '') return { ...plain, kind: typed, name: 'Not chosen' };
  const known = type === 'extension' ? names.extensions : type === 'ivr' ? names.menus : undefined;
  if (known === undefined) return { ...plain, kind: typed, name: ref };
  const name = known.get(ref);
  if (name !== undefined) return { ...plain, kind: `${typed} ${type === 'ivr' ? '' : ref}`.trim(), name };
  return { ...plain, kind: 'Not in the directory', name: `${typed} ${ref}`, isUnknown: true };
}

function menuWords(menu: MenuNode, document: IvrDocument, names: Names): CardWords {
  const to = (id: NodeId | null): string | null => {
    const node = id === null ? undefined : document.nodes[id];
    return node === undefined ? null : nodeName(node, names);
  };
  return {
    kind: 'Menu',
    name: menuTitle(menu),
    isUnknown: false,
    prompt: promptWords(menu.recording, names),
    keys: keysInOrder(menu).map(({ index, key }) => {
      const drawn = menu.keys[index];
      const template = drawn?.sms_template ?? null;
      return {
        handle: `key-${index}`,
        key,
        spoken: keyWord(key),
        to: to(drawn?.to ?? null),
        sms: template === null ? null : (names.smsTemplates.get(template) ?? template),
      };
    }),
    invalid: { handle: 'invalid', spoken: outcomeWords.invalid, to: to(menu.invalid_destination) },
    timeout: { handle: 'timeout', spoken: outcomeWords.timeout, to: to(menu.timeout_destination) },
  };
}

/** What a node is called where it is mentioned. */
function nodeName(node: DraftNode, names: Names): string {
  return node.kind === 'menu' ? menuTitle(node) : endWords(node, names).name;
}

function promptWords(recording: string | null, names: Names): CardWords['prompt'] {
  if (recording === null || recording === '') return { words: 'No prompt', isOpen: true, isUnknown: false };
  const reference = readReference(recording);
  const name = reference?.type === 'recording' ? names.recordings.get(reference.id) : undefined;
  const isSpoken = reference?.type === 'outbound_tts';
  return {
    words: name ?? referenceTitle(recording),
    isOpen: false,
    isUnknown: name === undefined && !isSpoken,
  };
}
