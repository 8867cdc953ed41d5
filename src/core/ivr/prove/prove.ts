import type { NodeId } from '../../../contract/menu/ivr-draft.ts';
import type { IvrProblem } from '../../../contract/menu/ivr-problem.ts';
import type { TimeRange } from '../../../contract/menu/schedule.ts';
import { RoutedType } from '../../../contract/calls/pbx.ts';
import { whyUnreachable } from '../destination-route.ts';
import { looksOutside } from '../outside-number.ts';
import {
  digitSeconds,
  isDialable,
  isHouseNumber,
  longerEntry,
  numbersOfPattern,
  takesDigits,
} from '../call/dialable.ts';
import {
  type Flow,
  type FlowHours,
  type FlowMenu,
  type FlowMessage,
  hasNode,
  nodeLedTo,
  nodeName,
} from '../flow.ts';
import { type MenuFinding, menuProblem } from '../menu-problem.ts';
import { type IvrDirectory, readReference, type UnheardSound } from '../../../contract/menu/ivr-reference.ts';
import { pbxSound } from '../../recording/pbx-sound.ts';
import { canBeWrong, type FlowOutcome, outcomesOfFlow, proveExits } from './prove-exits.ts';

/**
 * What is wrong with a call flow that could run, found without simulating a call.
 *
 * A proof without an error guarantees for every possible call, at any time and however switches are set:
 * - it never reaches an undefined step: each node that it is led to is in the flow;
 * - from every node there is a way to a destination, and opening hours never only lead to each other;
 * - a caller who stops pressing used keys reaches a destination, after at most `incorrect_count + timeout_tries + 1` wrong
 *   keys and timeouts in each menu, and through no node twice.
 * Callers who keep pressing used keys may stay between menus: they can stop.
 *
 * It guarantees nothing about what is outside the flow: `ivr||…` counts as a destination, wherever that menu leads; other
 * destinations can be written in a dialplan, and may not be there. Warnings compare with the directory (null: nothing is known, nothing is compared). Whether every node is reached is checked on
 * the draft, in `check-draft.ts`.
 */
// see decisions/call-flows-and-checks.md
export function prove(flow: Flow, directory: IvrDirectory | null): readonly IvrProblem[] {
  return [...findUndefinedSteps(flow), ...proveExits(flow), ...proveNodes(flow, directory)];
}

/** The checks of each node alone, also for an incomplete draft. */
export function proveNodes(flow: Omit<Flow, 'start'>, directory: IvrDirectory | null): IvrProblem[] {
  const menus = [...flow.menus.values()];
  const messages = [...flow.messages.values()];
  const outcomes = outcomesOfFlow(flow);
  return [
    ...menus.flatMap(findNeverPlayed),
    ...menus.flatMap((menu) => findWaits(menu, flow.extensions)),
    ...menus.flatMap((menu) => checkNumbers(menu, flow.extensions, directory)),
    ...(directory?.schedules === undefined ? [] : [...flow.hours.values()].flatMap(findNeverOpen)),
    ...(directory === null
      ? []
      : [
          ...menus.flatMap((menu) => [
            ...checkRecordings(menu, directory),
            ...checkSmsTemplates(menu, directory),
          ]),
          ...messages.flatMap((message) => checkMessage(message, directory)),
        ]),
    ...checkDestinations(outcomes, directory),
  ];
}

/** Keys that lead only after the time for another digit, and keys that hide a number: warnings. */
function findWaits(menu: FlowMenu, extensions: ReadonlySet<string>): IvrProblem[] {
  if (!takesDigits(menu)) return [];
  return [...menu.keys.keys()].flatMap((key, place) => {
    const where = { at: `keys.${place}.key`, field: `option[${place}]` };
    const longer = longerEntry(menu, extensions, key);
    const params = { menu: menu.name, key, seconds: digitSeconds(menu) };
    return [
      ...(longer === null
        ? []
        : [menuProblem(menu.id, { code: 'key_waits', ...where, params: { ...params, longer } }, 'warning')]),
      ...(isDialable(menu, extensions, key)
        ? [
            menuProblem(
              menu.id,
              { code: 'number_is_key', ...where, params: { menu: menu.name, key } },
              'warning',
            ),
          ]
        : []),
    ];
  });
}

/** What patterns let callers dial, and what of the directory they cannot: warnings, for a person to look at. */
function checkNumbers(
  menu: FlowMenu,
  extensions: ReadonlySet<string>,
  directory: IvrDirectory | null,
): IvrProblem[] {
  const numbers = menu.directDial?.numbers;
  const where = { at: 'direct_dial', field: 'direct_dial' };
  if (numbers === undefined) return [];
  if (numbers === 'directory') {
    const left = [...extensions].filter((number) => !isHouseNumber(number));
    const all = left.length === extensions.size;
    if (directory === null || (left.length === 0 && !all)) return [];
    const params = { menu: menu.name, numbers: left.slice(0, 3), count: left.length, all };
    return [menuProblem(menu.id, { code: 'numbers_not_dialled', ...where, params }, 'warning')];
  }
  const wide = numbers.filter((pattern) => /[XZN]/.test(pattern));
  if (wide.length === 0) return [];
  const count = wide.reduce((sum, pattern) => sum + numbersOfPattern(pattern), 0);
  const dial = { directDial: { numbers: wide, digit_timeout: 1 } };
  const listed = [...(directory?.extensions.keys() ?? [])].filter((number) =>
    isDialable(dial, extensions, number),
  );
  const unlisted = directory === null ? null : Math.max(0, count - listed.length);
  const params = { menu: menu.name, patterns: wide, numbers: count, unlisted };
  return unlisted === 0
    ? []
    : [menuProblem(menu.id, { code: 'numbers_by_pattern', ...where, params }, 'warning')];
}

/** Schedules of which one exit is never taken, but for the switch. */
function findNeverOpen({ id, schedule }: FlowHours): IvrProblem[] {
  const days = [...Object.values(schedule.weekly), ...schedule.exceptions.map(({ ranges }) => ranges)];
  const isWhole = (ranges: readonly TimeRange[]): boolean =>
    ranges.some(({ from, to }) => from === to || (from === '00:00' && to === '24:00'));
  const tell = (state: 'open' | 'closed'): IvrProblem[] => [
    menuProblem(id, { code: 'hours_never', at: 'hours', params: { hours: schedule.name, state } }, 'warning'),
  ];
  if (days.every((ranges) => ranges.length === 0)) return tell('open');
  return days.every(isWhole) ? tell('closed') : [];
}

/**
 * Destinations that no call can reach: errors. Those that the directory does not know: warnings, because they may exist on
 * the telephone system.
 *
 * A destination of the document is reported once, however many lines lead to it.
 */
function checkDestinations(
  outcomes: ReadonlyMap<NodeId, readonly FlowOutcome[]>,
  directory: IvrDirectory | null,
): IvrProblem[] {
  const problems: IvrProblem[] = [];
  const told = new Set<string>();
  for (const [id, ways] of outcomes) {
    for (const { to, at, field } of ways) {
      if (to.kind !== 'destination') continue;
      const finding = destinationFinding(to.destination, directory);
      if (finding === null) continue;
      const severity = finding.code === 'destination_unreachable' ? 'error' : 'warning';
      const where = field === undefined ? { at } : { at, field };
      if (to.node === null) problems.push(menuProblem(id, { ...finding, ...where }, severity));
      else if (!told.has(to.node)) {
        told.add(to.node);
        problems.push(menuProblem(to.node, { ...finding, at: 'ref' }, severity));
      }
    }
  }
  return problems;
}

const noSound: UnheardSound = { reason: 'gone', pbx: null };
const notAsked: UnheardSound = { reason: 'unknown_sound', pbx: null };

function checkRecordings(menu: FlowMenu, directory: IvrDirectory): IvrProblem[] {
  const fields = {
    recording: menu.recording,
    invalid_recording: menu.wrongKey.recording,
    timeout_retry_recording: menu.timeout.retryRecording,
    timeout_recording: menu.timeout.lastRecording,
  };
  return Object.entries(fields).flatMap(([field, text]) => {
    const finding = promptFinding(menu.name, text, directory);
    return finding === null ? [] : [menuProblem(menu.id, { ...finding, at: field, field }, 'warning')];
  });
}

function checkMessage({ id, name, recording }: FlowMessage, directory: IvrDirectory): IvrProblem[] {
  const finding = promptFinding(name, recording, directory);
  return finding === null ? [] : [menuProblem(id, { ...finding, at: 'recording' }, 'warning')];
}

/** Null for a prompt that callers hear, as far as that is known here. */
function promptFinding(menu: string, prompt: string, { recordings, sounds }: IvrDirectory) {
  const reference = readReference(prompt);
  if (reference?.type === 'sound') {
    const missing = sounds?.get(prompt);
    if (missing?.reason !== 'no_sound') return null;
    return { code: 'sound_unknown', params: { menu, sound: reference.id, pbx: missing.pbx ?? '' } } as const;
  }
  if (reference?.type !== 'recording' || recordings.has(reference.id)) return null;
  const unheard = pbxSound(reference.id) === null ? noSound : sounds?.get(prompt);
  if (unheard === null) return null;
  const params = { menu, recording: reference.id, ...(unheard ?? notAsked) };
  return { code: 'recording_unknown', params } as const;
}

function checkSmsTemplates(
  menu: FlowMenu,
  { smsTemplates, smsTemplatesEnabled }: IvrDirectory,
): IvrProblem[] {
  const sending = [...menu.keys.entries()].flatMap(([key, { smsTemplate }], place) =>
    smsTemplate === null ? [] : [{ key, smsTemplate, place }],
  );
  const where = (place: number) => ({ at: `keys.${place}.sms_template`, field: `sms_template[${place}]` });
  const unknown = sending.filter(({ smsTemplate }) => !smsTemplates.has(smsTemplate));
  const problems = unknown.map(({ key, smsTemplate, place }) => {
    const params = { menu: menu.name, key, template: smsTemplate };
    return menuProblem(menu.id, { code: 'sms_template_unknown', ...where(place), params }, 'warning');
  });
  const [first] = sending;
  if (smsTemplatesEnabled || first === undefined) return problems;
  const off = { code: 'sms_setting_off', ...where(first.place), params: { menu: menu.name } } as const;
  return [...problems, menuProblem(menu.id, off, 'warning')];
}

function destinationFinding(destination: string, directory: IvrDirectory | null): MenuFinding | null {
  const unreachable = whyUnreachable(destination, directory?.outside ?? null);
  if (unreachable !== null) return { code: 'destination_unreachable', params: unreachable };
  const reference = readReference(destination);
  if (directory === null || reference === null) return null;
  const { type, id } = reference;
  const isListed = type === 'extension' && directory.extensions.has(id);
  const routed = RoutedType.safeParse(type);
  if (routed.success && type !== 'number' && !isListed && looksOutside(id)) {
    return { code: 'looks_outside', params: { type: routed.data, id } };
  }
  if (type === 'extension' && !directory.extensions.has(id)) {
    return { code: 'extension_unknown', params: { extension: id } };
  }
  if (type === 'ivr') {
    return directory.menus.has(id) ? null : { code: 'menu_unknown', params: { menu_id: id } };
  }
  if (type === 'hours' || type === 'message')
    return directory.flowParts?.has(id) === false
      ? { code: 'part_unknown', params: { kind: type, id } }
      : null;
  if (!routed.success || directory.routedTypes.has(type)) return null;
  return { code: 'destination_unrouted', params: { type: routed.data, id } };
}

/** Prompts that no caller can hear: warnings, because they do no harm and are probably a mistake. */
function findNeverPlayed(menu: FlowMenu): IvrProblem[] {
  const { id, name, timeout } = menu;
  const problems: IvrProblem[] = [];
  if (!canBeWrong(menu)) {
    const field = 'invalid_recording';
    const params = { menu: name, recording: 'wrong_key' } as const;
    problems.push(menuProblem(id, { code: 'never_played', at: field, field, params }, 'warning'));
  }
  if (timeout.retries === 0) {
    const field = 'timeout_retry_recording';
    const params = { menu: name, recording: 'retry' } as const;
    problems.push(menuProblem(id, { code: 'never_played', at: field, field, params }, 'warning'));
  }
  return problems;
}

/** Targets that the flow does not have. A compiled flow has none of these. */
function findUndefinedSteps(flow: Flow): IvrProblem[] {
  const problems: IvrProblem[] = [];
  if (!hasNode(flow, flow.start)) {
    const params = { from: 'caller', first: null } as const;
    problems.push({
      ...menuProblem(flow.start, { code: 'node_unknown', params }),
      path: 'caller.to',
      node: null,
    });
  }
  for (const [id, ways] of outcomesOfFlow(flow)) {
    for (const { port, to, at, field } of ways) {
      if (to.kind === 'destination' || hasNode(flow, nodeLedTo(to))) continue;
      const params = { from: 'menu', menu: nodeName(flow, id), way: port } as const;
      const where = field === undefined ? { at } : { at, field };
      problems.push(menuProblem(id, { code: 'node_unknown', ...where, params }));
    }
  }
  return problems;
}
