import type { CallHappening, CallPort, FlowTarget, Prompt } from '../../contract/menu/ivr-call.ts';
import type {
  DraftNode,
  EndNode,
  IvrDocument,
  LeadingNode,
  NodeId,
  Publication,
  ScenarioEnd,
  ScenarioInput,
} from '../../contract/menu/ivr-draft.ts';
import type { HoursReason, HoursState } from '../../contract/menu/schedule.ts';
import type { BodyField } from '../../contract/menu/ivr-problem.ts';
import { readReference } from '../../contract/menu/ivr-reference.ts';
import type { IvrDestinationType, IvrRecordingType } from '../../contract/menu/ivr.ts';
import { countWords } from '../count.ts';
import { namesText } from '../credential/credentials.ts';

/**
 * What the parts of a call flow are called: menus, destinations, recordings, keys and calls.
 *
 * What the checks find is in `flow-findings.ts`, what an import says in `flow-import.ts`.
 */

/** A menu's name where it is shown alone; in a sentence: `quoted`. */
export function menuTitle({ name }: { readonly name: string }): string {
  return name.trim() === '' ? 'Unnamed menu' : cut(name, longestAlone);
}

/**
 * Menus in a list, each with what tells it from the others: names that differ in letters that are easily overlooked, or not
 * at all, are followed by the id.
 */
export function distinctTitles(menus: readonly Named[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const { name } of menus) counts.set(soundOf(name), (counts.get(soundOf(name)) ?? 0) + 1);
  return new Map(
    menus.map((menu) => {
      const isAlone = counts.get(soundOf(menu.name)) === 1;
      return [menu.id, isAlone ? menuTitle(menu) : `${menuTitle(menu)} (${menu.id})`];
    }),
  );
}

/** A menu or a call flow in a choice: “Office — open until 17:00”. */
export function callStartText(title: string, hours: string | undefined): string {
  return hours === undefined ? title : `${title} — ${hours.charAt(0).toLowerCase()}${hours.slice(1)}`;
}

/** The letters and digits of a name, without the difference between upper and lower case and between forms of a letter. */
function soundOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** A menu's name in a sentence; a long one is cut. */
export function quoted(name: string): string {
  if (name.trim() === '') return 'the unnamed menu';
  return `“${cut(name, longestInSentence)}”`;
}

/** How much of a name is repeated: all of a valid one where it stands alone, less in a sentence. */
const longestAlone = 100;
const longestInSentence = 60;

function cut(name: string, most: number): string {
  return name.length <= most ? name : `${name.slice(0, most).trimEnd()}…`;
}

/** Each kind of prompt and of destination, at the beginning of a line. */
export const kindNames: Readonly<Record<IvrRecordingType | IvrDestinationType, string>> = {
  recording: 'Recording',
  outbound_tts: 'Spoken text',
  sound: 'Sound',
  extension: 'Extension',
  ivr: 'Stored menu',
  department: 'Queue or department',
  ring_group: 'Ring group',
  number: 'Outside number',
  voicemail: 'Voicemail',
  timegroup: 'Time group',
  time_condition: 'Time condition',
  hangup: 'Hang up',
};

/** The same in a sentence. */
export function kindInSentence(type: IvrRecordingType | IvrDestinationType): string {
  return type === 'hangup' ? 'the end of the call' : kindNames[type].toLowerCase();
}

/** The kinds of destination in the order in which they are offered. */
export const destinationTypes = (
  [
    'extension',
    'voicemail',
    'department',
    'ring_group',
    'number',
    'timegroup',
    'time_condition',
    'ivr',
    'hangup',
  ] as const
).map((type) => ({ type, word: kindNames[type] }));

/** The fields of a menu as nouns, by their names in the body. */
export const menuFieldNames = {
  name: 'Name',
  description: 'Description',
  recording: 'Prompt',
  timeout: 'Time to press a key',
  incorrect_count: 'Retries after a wrong key',
  invalid_recording: 'Prompt after a wrong key',
  timeout_retry_recording: 'Prompt before a retry',
  timeout_recording: 'Prompt after the last timeout',
  timeout_tries: 'Retries after a timeout',
} as const satisfies Readonly<Record<BodyField, string>>;

/** A recording or a destination in a list: `Recording 42`, `Extension 101`, `Hang up`. */
export function referenceTitle(text: string): string {
  const { type, id } = readReference(text) ?? { type: '', id: '' };
  if (!isKind(type)) return text;
  if (type === 'outbound_tts' && id !== '') return `${kindNames[type]} “${id}”`;
  return type === 'hangup' ? kindNames.hangup : `${kindNames[type]} ${id}`.trim();
}

/** The same in a sentence: `recording 42`, `extension 101`, `the end of the call`. */
export function referenceInSentence(text: string): string {
  const { type, id } = readReference(text) ?? { type: '', id: '' };
  if (!isKind(type)) return text;
  if (type === 'hangup') return kindInSentence(type);
  if (type === 'outbound_tts' && id !== '') return `${kindInSentence(type)} “${id.replace(/\.$/, '')}”`;
  return id === '' ? `the ${kindInSentence(type)} not chosen yet` : `${kindInSentence(type)} ${id}`;
}

function isKind(type: string): type is keyof typeof kindNames {
  return Object.hasOwn(kindNames, type);
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Whose names are known here. */
export interface KnownNames {
  readonly extensions: readonly Named[];
  readonly menus: readonly Named[];
  readonly schedules?: readonly Named[];
}

/** A node wherever one is chosen or mentioned: “Reception”, “Extension 101, Anna”. */
export function nodeTitle(node: DraftNode, known: KnownNames): string {
  if (node.kind === 'end') return endTitle(node, known);
  const hours = node.kind === 'hours' ? known.schedules?.find(({ id }) => id === node.hours) : undefined;
  return hours === undefined ? leadingTitle(node) : `Opening hours ${quoted(hours.name)}`;
}

/** A node that leads on, where it is shown alone. */
function leadingTitle(node: LeadingNode): string {
  switch (node.kind) {
    case 'menu':
      return menuTitle(node);
    case 'message':
      return node.name.trim() === '' ? 'Unnamed message' : cut(node.name, longestAlone);
    case 'hours':
      return 'Opening hours';
  }
}

/** The same for a destination as the body writes it. */
export function destinationTitle(destination: string, known: KnownNames): string {
  const reference = readReference(destination);
  const offered = destinationTypes.find(({ type }) => type === reference?.type);
  if (reference === null || offered === undefined) return destination;
  return endTitle({ type: offered.type, ref: reference.id }, known);
}

function endTitle({ type, ref }: Pick<EndNode, 'type' | 'ref'>, known: KnownNames): string {
  const word = kindNames[type];
  if (type === 'hangup') return word;
  if (ref === '') return `${word}, not chosen`;
  const name = directoryName({ type, ref }, known);
  // Nobody knows a menu by its id.
  if (type === 'ivr' && name !== undefined) return `${word} ${quoted(name)}`;
  return name === undefined ? `${word} ${ref}` : `${word} ${ref}, ${name}`;
}

/** What the directory calls it, where there is one. */
export function directoryName(
  { type, ref }: Pick<EndNode, 'type' | 'ref'>,
  known: KnownNames,
): string | undefined {
  if (type === 'extension') return known.extensions.find(({ id }) => id === ref)?.name;
  if (type === 'ivr') return known.menus.find(({ id }) => id === ref)?.name;
  return undefined;
}

const spokenKeys: Readonly<Record<string, string>> = { '*': 'star', '#': 'hash' };

/** A key as it is read out. */
export function keyLabel(key: string): string {
  return `Key ${spokenKeys[key] ?? key}`;
}

/** The two other outcomes of a prompt. */
export const outcomeNames = { invalid: 'Wrong key', timeout: 'Timeout' } as const;

/** What a caller does, as the end of “The caller …”. */
export function inputsText(inputs: readonly ScenarioInput[]): string {
  if (inputs.length === 0) return 'presses nothing';
  return inputs.map((input) => (input === '-' ? 'waits for the timeout' : `presses ${input}`)).join(', ');
}

/** “2 errors, 3 to do, 1 warning”. */
export function tallyText({
  errors,
  todos,
  warnings,
}: {
  readonly errors: number;
  readonly todos: number;
  readonly warnings: number;
}): string {
  const parts = [
    ...(errors === 0 ? [] : [countWords(errors, 'error')]),
    ...(todos === 0 ? [] : [`${todos.toLocaleString()} to do`]),
    ...(warnings === 0 ? [] : [countWords(warnings, 'warning')]),
  ];
  return parts.length === 0 ? 'No problems' : parts.join(', ');
}

/** “3 errors block publishing”. */
export function blockingText(errors: number): string {
  return `${countWords(errors, 'error')} ${errors === 1 ? 'blocks' : 'block'} publishing`;
}

/**
 * Which version of a draft is live, and whether the draft is another call flow: “Live: version 2 · the draft differs”.
 *
 * `fingerprint` is that of the draft. With several places each is named, the latest publication first.
 */
export function liveText(publications: readonly Publication[], fingerprint: string | undefined): string {
  const live = liveVersions(publications);
  const altered = publications.flatMap((one) => one.altered ?? []);
  if (live === '') return altered.length === 0 ? 'Not published' : 'Not live: the stored menus were deleted';
  const notes = [
    ...(publications.some((one) => isOutdated(one, fingerprint)) ? ['the draft differs'] : []),
    ...(altered.some(({ deleted }) => deleted.length > 0) ? ['a stored menu was deleted'] : []),
    ...(altered.some(({ replaced }) => replaced.length > 0) ? ['a stored menu was replaced'] : []),
  ];
  return [`Live: ${live}`, ...notes].join(' · ');
}

/** What was deleted or replaced since a version was published, a sentence each. */
export function alteredSentences({ version, altered }: Publication): string[] {
  if (version === null || altered === undefined) return [];
  const sentence = (menus: readonly string[], what: string): string[] => {
    const names = namesText(menus.map((name) => cut(name, longestInSentence)));
    return menus.length === 0
      ? []
      : [`${names} ${menus.length === 1 ? 'was' : 'were'} ${what} since version ${version} was published.`];
  };
  return [
    ...sentence(altered.deleted, 'deleted'),
    ...sentence(altered.replaced, 'replaced outside this draft'),
  ];
}

/** The versions only: “version 2”, “version 2 with pbx, version 1 here”; blank if none is live. */
export function liveVersions(publications: readonly Publication[]): string {
  const live = publications
    .filter(({ version, altered }) => version !== null && altered?.is_gone !== true)
    .sort((one, other) => (other.published_at ?? '').localeCompare(one.published_at ?? ''));
  const places = live.map(({ version, credential }) => {
    if (credential !== null) return `version ${version} with ${credential}`;
    return live.length === 1 ? `version ${version}` : `version ${version} here`;
  });
  return places.join(', ');
}

/** Whether callers would meet something else if the draft were published there now. */
export function isOutdated(published: Publication, fingerprint: string | undefined): boolean {
  const known = published.fingerprint ?? null;
  return published.version !== null && known !== null && fingerprint !== undefined && known !== fingerprint;
}

/** What happened in a call: a line of the log in the designer and in `rotavox ivr simulate`. */
export function callSentence(happening: CallHappening, flow: NamedFlow): string {
  const menuName = (id: NodeId) => quoted(flow.menus.get(id)?.name ?? '');
  const messageName = (id: NodeId) => messageInSentence(flow.messages.get(id)?.name ?? '');
  const hoursName = (id: NodeId) => hoursInSentence(flow.hours.get(id)?.schedule.name ?? '');
  const targetName = (to: FlowTarget): string => {
    switch (to.kind) {
      case 'menu':
        return menuName(to.menu);
      case 'message':
        return messageName(to.node);
      case 'hours':
        return hoursName(to.node);
      case 'destination':
        return referenceInSentence(to.destination);
    }
  };
  switch (happening.kind) {
    case 'entered':
      return flow.messages.has(happening.menu)
        ? `The call comes to ${messageName(happening.menu)}.`
        : `The call enters ${menuName(happening.menu)}.`;
    case 'hours':
      return `Asks ${hoursName(happening.menu)}: ${hoursStateWords[happening.state]}${hoursReasonWords(happening.reason)}.`;
    case 'digits':
      return `The caller has entered ${happening.digits}. Waits ${countWords(happening.seconds, 'second')} for another digit.`;
    case 'playing':
      return `Plays ${referenceInSentence(happening.prompt.recording)}${causes[happening.prompt.cause]}.`;
    case 'waiting':
      return `Waits ${countWords(happening.seconds, 'second')} for a key.`;
    case 'key':
      return happening.used
        ? `The caller presses ${happening.key}.`
        : `The caller presses ${happening.key}, a wrong key in ${menuName(happening.menu)}.`;
    case 'silence':
      return 'Timeout: the caller pressed nothing.';
    case 'sms':
      return `Sends SMS template ${happening.template}.`;
    case 'led':
      return `${portName(happening.port)} leads to ${targetName(happening.to)}.`;
  }
}

const causes: Readonly<Record<Prompt['cause'], string>> = {
  menu: '',
  wrong_key: ' after a wrong key',
  silence_retry: ' after a timeout',
  silence_last: ' after the last timeout',
  message: '',
};

/** What sentences need to know of a flow. */
export interface NamedFlow {
  readonly menus: ReadonlyMap<NodeId, { readonly name: string }>;
  readonly messages: ReadonlyMap<NodeId, { readonly name: string }>;
  readonly hours: ReadonlyMap<NodeId, { readonly schedule: { readonly name: string } }>;
}

const hoursStateWords: Readonly<Record<HoursState, string>> = {
  open: 'open',
  closed: 'closed',
  holiday: 'closed for a holiday',
};

/** After the state: “ (Christmas)”, “ (set by hand)”. */
function hoursReasonWords(reason: HoursReason): string {
  switch (reason.kind) {
    case 'weekly':
      return '';
    case 'exception':
      return reason.exception.name === '' ? '' : ` (${reason.exception.name})`;
    case 'by_hand':
      return ' (set by hand)';
  }
}

function messageInSentence(name: string): string {
  return name.trim() === '' ? 'the unnamed message' : `the message ${quoted(name)}`;
}

function hoursInSentence(name: string): string {
  return name.trim() === '' ? 'the opening hours' : `the opening hours ${quoted(name)}`;
}

function portName(port: CallPort): string {
  switch (port.kind) {
    case 'key':
      return `Key ${port.key}`;
    case 'number':
      return `Number ${port.number}`;
    case 'wrong_key':
      return 'The last wrong key';
    case 'silence':
      return 'The last timeout';
    case 'open':
    case 'closed':
    case 'holiday':
      return hoursPortNames[port.kind];
    case 'then':
      return 'The end of the message';
  }
}

/** The exits of opening hours, and that of a message. */
export const hoursPortNames = { open: 'Open', closed: 'Closed', holiday: 'Holiday' } as const;
export const thenName = 'Then';

/** The text in an exported picture. */
export const pictureLabels = {
  caller: 'Caller',
  noDestination: 'no destination',
  marks: { added: 'added', changed: 'changed', removed: 'removed' },
  menuTitle: leadingTitle,
  /** What a menu plays and how long it waits, what a message plays, or which schedule is asked. */
  menuLine(node: LeadingNode): string {
    if (node.kind === 'hours') return node.hours === null ? 'no schedule' : `asks ${node.hours}`;
    const plays = node.recording === null ? 'no prompt' : `plays ${referenceInSentence(node.recording)}`;
    return node.kind === 'message' || node.timeout === null ? plays : `${plays}, waits ${node.timeout} s`;
  },
  /** What kind of destination it is, and which one; the second is blank where there is nothing to choose. */
  end({ type, ref }: EndNode): { readonly kind: string; readonly which: string } {
    if (type === 'hangup') return { kind: kindNames[type], which: '' };
    return { kind: kindNames[type], which: ref === '' ? 'not chosen' : ref };
  },
  /** On a line; a blank key is one not chosen yet. */
  way(way: CallPort): string {
    switch (way.kind) {
      case 'key':
        return way.key === '' ? '?' : way.key;
      case 'number':
        return way.number;
      case 'wrong_key':
        return 'wrong key';
      case 'silence':
        return 'timeout';
      case 'open':
      case 'closed':
      case 'holiday':
      case 'then':
        return way.kind;
    }
  },
} as const;

/** Where a scenario ends: “Extension 101, Anna”, or “still waiting in Reception”. */
export function scenarioEndTitle(
  { nodes }: Pick<IvrDocument, 'nodes'>,
  end: ScenarioEnd,
  known: KnownNames,
): string {
  if (end.kind === 'destination') return destinationTitle(end.destination, known);
  const node = Object.hasOwn(nodes, end.menu) ? nodes[end.menu] : undefined;
  return node === undefined ? 'a menu that no longer exists' : `still waiting in ${nodeTitle(node, known)}`;
}
