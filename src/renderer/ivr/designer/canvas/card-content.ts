import type {
  DraftNode,
  EndNode,
  HoursNode,
  IvrDocument,
  MenuNode,
  MessageNode,
  NodeId,
} from '../../../../contract/menu/ivr-draft.ts';
import { readReference } from '../../../../contract/menu/ivr-reference.ts';
import { outcomesOf } from '../../../../core/ivr/edit/lines.ts';
import { cardText } from '../../../../text/menu/designer-canvas.ts';
import { recordingText } from '../../../../text/menu/designer-inspector.ts';
import {
  hoursPortNames,
  keyLabel,
  kindNames,
  type KnownNames,
  menuTitle,
  nodeTitle,
  outcomeNames,
  referenceTitle,
  thenName,
} from '../../../../text/menu/phone-menu.ts';
import type { ReferenceData } from '../use-designer.ts';
import { keysInOrder } from './card-geometry.ts';

/** The names of what a call flow can refer to, by id. */
interface Names {
  readonly recordings: ReadonlyMap<string, string>;
  readonly extensions: ReadonlyMap<string, string>;
  readonly menus: ReadonlyMap<string, string>;
  readonly smsTemplates: ReadonlyMap<string, string>;
  readonly schedules: ReadonlyMap<string, string>;
}

export function namesOf({
  recordings,
  extensions,
  menus,
  smsTemplates,
  schedules = [],
}: ReferenceData): Names {
  const byId = (
    list: readonly { readonly id: string; readonly name: string }[],
  ): ReadonlyMap<string, string> => new Map(list.map(({ id, name }) => [id, name]));
  return {
    recordings: byId(recordings),
    extensions: byId(extensions),
    menus: byId(menus),
    smsTemplates: byId(smsTemplates),
    schedules: byId(schedules),
  };
}

/** An exit on a card: a key, the wrong key, the timeout, that of a message, or one of opening hours. */
export interface ExitContent {
  /** Where on the card its line begins (`card-geometry.ts`). */
  readonly handle: string;
  /** Its name for screen readers. */
  readonly spoken: string;
  /** Null where it leads nowhere. */
  readonly to: string | null;
}

export interface KeyContent extends ExitContent {
  readonly key: string;
  readonly sms: string | null;
}

/** The texts of a card. */
export interface CardContent {
  /** Such as `Menu` or `Extension 101`. */
  readonly kind: string;
  readonly name: string;
  /** Whether it is missing in the directory; kinds without a directory are never unknown. */
  readonly isUnknown: boolean;
  readonly prompt: { readonly text: string; readonly isOpen: boolean; readonly isUnknown: boolean } | null;
  readonly keys: readonly KeyContent[];
  readonly invalid: ExitContent | null;
  readonly timeout: ExitContent | null;
  /** Those of opening hours or of a message; a menu has the others. */
  readonly exits?: readonly ExitContent[];
}

/** The texts of every card. */
export function cardContents(document: IvrDocument, names: Names): ReadonlyMap<string, CardContent> {
  const contents = new Map<string, CardContent>();
  for (const node of Object.values(document.nodes)) contents.set(node.id, contentOf(node, document, names));
  return contents;
}

function contentOf(node: DraftNode, document: IvrDocument, names: Names): CardContent {
  if (node.kind === 'end') return endContent(node, names);
  if (node.kind === 'menu') return menuContent(node, document, names);
  return partContent(node, document, names);
}

function partContent(node: HoursNode | MessageNode, document: IvrDocument, names: Names): CardContent {
  return {
    kind: cardText[node.kind],
    name: nodeName(node, names),
    isUnknown: false,
    prompt: node.kind === 'message' ? promptContent(node.recording, names) : null,
    keys: [],
    invalid: null,
    timeout: null,
    exits: outcomesOf(node).map(({ from, to }) => ({
      handle: from.kind,
      spoken: exitNames[from.kind] ?? '',
      to:
        targetName(to, document, names) ??
        (from.kind === 'holiday' && 'closed' in node && node.closed !== null ? cardText.asClosed : null),
    })),
  };
}

const exitNames: Readonly<Record<string, string>> = { ...hoursPortNames, then: thenName };

const noNames: KnownNames = { extensions: [], menus: [] };

/** What is known by the ids of a kind of destination; undefined: nothing is. */
export function namedOf<Extensions, Menus>(
  type: EndNode['type'],
  { extensions, menus }: { readonly extensions: Extensions; readonly menus: Menus },
): Extensions | Menus | undefined {
  if (type === 'extension') return extensions;
  return type === 'ivr' ? menus : undefined;
}

function endContent({ type, ref }: EndNode, names: Names): CardContent {
  const plain = { isUnknown: false, prompt: null, keys: [], invalid: null, timeout: null };
  if (type === 'hangup') return { ...plain, kind: cardText.endOfCall, name: kindNames.hangup };
  const typed = kindNames[type];
  if (ref === '') return { ...plain, kind: typed, name: cardText.notChosen };
  const known = namedOf(type, names);
  if (known === undefined) return { ...plain, kind: typed, name: ref };
  const name = known.get(ref);
  if (name !== undefined) return { ...plain, kind: `${typed} ${type === 'ivr' ? '' : ref}`.trim(), name };
  return { ...plain, kind: cardText.notListed, name: `${typed} ${ref}`, isUnknown: true };
}

/** On the card of what leads there: “600” alone could be anything. */
function endName(end: EndNode, names: Names): string {
  const { name } = endContent(end, names);
  return name === end.ref && end.type !== 'number' ? `${kindNames[end.type]} ${name}` : name;
}

function menuContent(menu: MenuNode, document: IvrDocument, names: Names): CardContent {
  const to = (id: NodeId | null): string | null => targetName(id, document, names);
  return {
    kind: cardText.menu,
    name: menuTitle(menu),
    isUnknown: false,
    prompt: promptContent(menu.recording, names),
    keys: keysInOrder(menu).map(({ index, key }) => {
      const drawn = menu.keys[index];
      const template = drawn?.sms_template ?? null;
      return {
        handle: `key-${index}`,
        key,
        spoken: keyLabel(key),
        to: to(drawn?.to ?? null),
        sms: template === null ? null : (names.smsTemplates.get(template) ?? template),
      };
    }),
    invalid: { handle: 'invalid', spoken: outcomeNames.invalid, to: to(menu.invalid_destination) },
    timeout: { handle: 'timeout', spoken: outcomeNames.timeout, to: to(menu.timeout_destination) },
  };
}

function nodeName(node: DraftNode, names: Names): string {
  if (node.kind === 'end') return endName(node, names);
  const schedule = node.kind === 'hours' && node.hours !== null ? names.schedules.get(node.hours) : undefined;
  return schedule ?? nodeTitle(node, noNames);
}

function targetName(id: NodeId | null, document: IvrDocument, names: Names): string | null {
  const node = id === null ? undefined : document.nodes[id];
  return node === undefined ? null : nodeName(node, names);
}

function promptContent(recording: string | null, names: Names): CardContent['prompt'] {
  if (recording === null || recording === '')
    return { text: cardText.noPrompt, isOpen: true, isUnknown: false };
  const reference = readReference(recording);
  if (reference?.type === 'outbound_tts')
    return { text: recordingText.spoken(reference.id), isOpen: reference.id === '', isUnknown: false };
  const name = reference?.type === 'recording' ? names.recordings.get(reference.id) : undefined;
  const isUnknown = name === undefined && reference?.type !== 'sound';
  return { text: name ?? referenceTitle(recording), isOpen: false, isUnknown };
}
