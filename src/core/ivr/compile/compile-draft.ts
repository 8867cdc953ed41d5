import type {
  EndNode,
  HoursNode,
  IvrDocument,
  MessageNode,
  NodeId,
  DraftKey,
  MenuNode,
} from '../../../contract/menu/ivr-draft.ts';
import type { IvrProblem, BodyField } from '../../../contract/menu/ivr-problem.ts';
import { IvrBody, ivrBounds, type DirectDial } from '../../../contract/menu/ivr.ts';
import type { ScheduleHours, ScheduleId } from '../../../contract/menu/schedule.ts';
import { done, refused, type Result } from '../../result.ts';
import {
  type Flow,
  type FlowHours,
  type FlowMenu,
  type FlowMessage,
  type FlowSources,
  hoursOnly,
  unknownSchedule,
  type FlowKey,
} from '../flow.ts';
import { type MenuFinding, menuProblem } from '../menu-problem.ts';
import { withFlowPrompts } from '../flow-prompts.ts';
import { menusOf, nodeOf } from '../edit/lines.ts';
import { writeReference } from '../../../contract/menu/ivr-reference.ts';
import type { CallPort, FlowTarget } from '../../../contract/menu/ivr-call.ts';
import { patternFault } from '../call/dialable.ts';

/** The result of compiling a draft: the nodes that can run, and all errors of the others. */
export interface Compilation extends Omit<Flow, 'start'> {
  readonly start: NodeId | null;
  readonly problems: readonly IvrProblem[];
}

/**
 * Compiles a draft to a flow, or returns all its errors.
 *
 * Every node has to be valid, also one that no call reaches. `prove.ts` then checks the flow, and `check-draft.ts`
 * whether every node is reached.
 */
export function compileDraft(
  document: IvrDocument,
  sources: FlowSources,
): Result<Flow, readonly IvrProblem[]> {
  const { start, problems, ...parts } = compileNodes(document, sources);
  return start === null || problems.length > 0 ? refused(problems) : done({ start, ...parts });
}

/** The same for an incomplete draft: returns the nodes that are valid already. */
export function compileNodes(document: IvrDocument, sources: FlowSources): Compilation {
  const problems: IvrProblem[] = [];
  const start = compileStart(document, problems);
  const menus = new Map<NodeId, FlowMenu>();
  const hours = new Map<NodeId, FlowHours>();
  const messages = new Map<NodeId, FlowMessage>();
  const ends = new Map<NodeId, LineEnd>();
  const own = document.speech === undefined ? {} : { speech: document.speech };
  for (const node of Object.values(document.nodes)) {
    const tell = (finding: MenuFinding): void => void problems.push(menuProblem(node.id, finding));
    if (node.kind === 'menu') {
      const compiled = compileMenu({ menu: withFlowPrompts(document, node), name: node.name, endOf, tell });
      if (compiled !== null) menus.set(node.id, { ...compiled, ...own });
    } else if (node.kind === 'hours') {
      const compiled = compileHours(node, sources.schedules, { endOf, tell });
      if (compiled !== null) hours.set(node.id, compiled);
    } else if (node.kind === 'message') {
      const compiled = compileMessage(node, { name: node.name, endOf, tell });
      if (compiled !== null) messages.set(node.id, { ...compiled, ...own });
    }
  }
  const dialsDirectory = [...menus.values()].some(({ directDial }) => directDial?.numbers === 'directory');
  const extensions = new Set(dialsDirectory ? sources.extensions?.keys() : []);
  return { start, menus, hours, messages, extensions, problems };

  /** An invalid destination is reported once, however many lines lead to it, and not if no line does. */
  function endOf(to: NodeId): LineEnd {
    const known = ends.get(to);
    if (known !== undefined) return known;
    const end = compileTarget(document, to, problems);
    ends.set(to, end);
    return end;
  }
}

function compileTarget(document: IvrDocument, to: NodeId, problems: IvrProblem[]): LineEnd {
  const node = nodeOf(document, to);
  if (node === null) return 'unknown';
  if (node.kind === 'menu') return { kind: 'menu', menu: to };
  if (node.kind !== 'end') return { kind: node.kind, node: to };
  const compiled = compileEnd(node);
  if (compiled.ok) return { kind: 'destination', destination: compiled.value, node: to };
  problems.push(compiled.refusal);
  return 'broken';
}

function compileStart(document: IvrDocument, problems: IvrProblem[]): NodeId | null {
  const { to } = document.caller;
  const node = nodeOf(document, to);
  if (node !== null && node.kind !== 'end') return node.id;
  const [first] = menusOf(document);
  const suggested = { first: first?.name ?? null };
  problems.push({
    ...(to !== null && node === null
      ? { code: 'node_unknown', params: { from: 'caller', ...suggested } }
      : { code: 'no_start', params: suggested }),
    severity: 'error',
    path: 'caller.to',
    node: null,
    field: null,
    scenario: null,
  });
  return null;
}

/** Undefined: there is none of this id. */
function scheduleOf(id: ScheduleId, schedules: FlowSources['schedules']): ScheduleHours | undefined {
  return schedules === undefined ? unknownSchedule(id) : schedules.get(id);
}

function compileHours(
  { id, hours, open, closed, holiday }: HoursNode,
  schedules: FlowSources['schedules'],
  lines: Omit<LinesInCompilation, 'name'>,
): FlowHours | null {
  const schedule = hours === null ? null : scheduleOf(hours, schedules);
  if (hours === null) lines.tell({ code: 'field_open', at: 'hours', params: { of: 'hours' } });
  else if (schedule === undefined)
    lines.tell({ code: 'schedule_unknown', at: 'hours', params: { schedule: hours } });
  const compilation = { ...lines, name: schedule?.name ?? '' };
  const leads = {
    open: compileLine(compilation, open, { at: 'open', way: { kind: 'open' } }),
    closed: compileLine(compilation, closed, { at: 'closed', way: { kind: 'closed' } }),
    holiday:
      holiday === null
        ? ('as_closed' as const)
        : compileLine(compilation, holiday, { at: 'holiday', way: { kind: 'holiday' } }),
  };
  const parts = {
    schedule: schedule === null || schedule === undefined ? null : hoursOnly(schedule),
    ...leads,
  };
  if (!isWhole(parts)) return null;
  return { id, ...parts, holiday: parts.holiday === 'as_closed' ? null : parts.holiday };
}

function compileMessage(
  { id, name, recording, then }: MessageNode,
  compilation: LinesInCompilation,
): FlowMessage | null {
  const { tell } = compilation;
  const isOpen = recording === null || recording === '' || recording === 'outbound_tts||';
  const played = IvrBody.shape.recording.safeParse(recording);
  const longest = ivrBounds.name.max;
  if (isOpen) tell({ code: 'field_open', at: 'recording', params: { of: 'message', message: name } });
  else if (!played.success)
    tell({
      code: 'field_not_allowed',
      at: 'recording',
      params: { of: 'message', message: name, value: recording },
    });
  if (name.length > longest)
    tell({ code: 'field_not_allowed', at: 'name', params: { of: 'message_name', message: name, longest } });
  const to = compileLine(compilation, then, { at: 'then', way: { kind: 'then' } });
  if (!played.success || to === null || name.length > longest) return null;
  return { id, name, recording: played.data, then: to };
}

const destination = IvrBody.shape.invalid_destination;

/** The destination as the body writes it, or its errors. */
function compileEnd({ id, type, ref }: EndNode): Result<string, IvrProblem> {
  const params = { of: 'destination', type } as const;
  if (ref === '' && type !== 'hangup') {
    return refused(menuProblem(id, { code: 'field_open', at: 'ref', params }));
  }
  const parsed = destination.safeParse(writeReference({ type, id: ref }));
  if (parsed.success) return done(parsed.data);
  return refused(menuProblem(id, { code: 'field_not_allowed', at: 'ref', params }));
}

/**
 * Compiles a menu of a draft, or reports all its errors and returns null.
 *
 * Each value is validated by the schema of the body, so what compiles is a valid body.
 */
function compileMenu(compilation: MenuInCompilation): FlowMenu | null {
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
    directDial: compileDirectDial(compilation),
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
    directDial: parts.directDial === 'none' ? null : parts.directDial,
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

/** Null and findings if callers may not dial what it says. */
function compileDirectDial({ menu, tell }: MenuInCompilation): DirectDial | 'none' | null {
  const dial = menu.direct_dial ?? null;
  if (dial === null) return 'none';
  const { numbers } = dial;
  if (numbers === 'directory') return dial;
  if (numbers.length === 0)
    tell({ code: 'field_open', at: 'direct_dial', params: { of: 'numbers', menu: menu.name } });
  const faults = numbers.map((pattern) => patternFault(pattern));
  for (const [place, why] of faults.entries()) {
    if (why === null) continue;
    const params = { of: 'pattern', menu: menu.name, pattern: numbers[place] ?? '', why } as const;
    tell({ code: 'field_not_allowed', at: `direct_dial.numbers.${place}`, field: 'direct_dial', params });
  }
  return numbers.length === 0 || faults.some((why) => why !== null) ? null : dial;
}

/** The end of a line: something valid, an invalid destination (reported there), or nothing. */
type LineEnd = FlowTarget | 'broken' | 'unknown';

/** A node while its lines are compiled. */
interface LinesInCompilation {
  /** For the findings. */
  readonly name: string;
  readonly endOf: (to: NodeId) => LineEnd;
  readonly tell: (finding: MenuFinding) => void;
}

interface MenuInCompilation extends LinesInCompilation {
  readonly menu: MenuNode;
}

/** The target of a port; null and a finding if it leads nowhere. */
function compileLine(
  { name, endOf, tell }: LinesInCompilation,
  to: NodeId | null,
  { way, ...place }: LinePlace,
): FlowTarget | null {
  const { at = place.field, field } = place;
  const where = { ...(at === undefined ? {} : { at }), ...(field === undefined ? {} : { field }) };
  if (to === null) {
    tell({ code: 'destination_open', ...where, params: { menu: name, way } });
    return null;
  }
  const end = endOf(to);
  if (end === 'unknown') {
    tell({ code: 'node_unknown', ...where, params: { from: 'menu', menu: name, way } });
  }
  return typeof end === 'string' ? null : end;
}

/** An outcome, and where it is: the path into its node, and the field of the body where there is one. */
interface LinePlace {
  readonly way: CallPort;
  readonly at?: string;
  readonly field?: string;
}
