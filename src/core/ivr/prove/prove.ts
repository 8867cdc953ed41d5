import type { IvrProblem } from '../../../contract/menu/ivr-problem.ts';
import { RoutedType } from '../../../contract/calls/pbx.ts';
import { whyUnreachable } from '../destination-route.ts';
import type { Flow, FlowMenu } from '../flow.ts';
import { type MenuFinding, menuProblem } from '../menu-problem.ts';
import { type IvrDirectory, readReference, type UnheardSound } from '../../../contract/menu/ivr-reference.ts';
import { pbxSound } from '../../recording/pbx-sound.ts';
import { hasWrongKey, menuOutcomes, proveExits } from './prove-exits.ts';

/**
 * What is wrong with phone menus that could run, found without simulating a call.
 *
 * A proof without an error guarantees for every possible call:
 * - it never reaches an undefined step: each menu that it is led to is in the flow;
 * - from every menu there is a way to a destination;
 * - a caller who stops pressing used keys reaches a destination, after at most `incorrect_count + timeout_tries + 1` wrong
 *   keys and timeouts in each menu, and through no menu twice.
 * Callers who keep pressing used keys may stay between menus: they can stop.
 *
 * It guarantees nothing about what is outside the flow: `ivr||…` counts as a destination, wherever that menu leads; other
 * destinations can be written in a dialplan, and may not be there. Warnings compare with the directory (null: nothing is known, nothing is compared). Whether every menu is reached is checked on
 * the draft, in `check-draft.ts`.
 */
// see decisions/call-flows-and-checks.md
export function prove(flow: Flow, directory: IvrDirectory | null): readonly IvrProblem[] {
  return [...findUndefinedSteps(flow), ...proveExits(flow), ...proveMenus(flow.menus.values(), directory)];
}

/** The checks of each menu alone, also for an incomplete draft. */
export function proveMenus(menus: Iterable<FlowMenu>, directory: IvrDirectory | null): IvrProblem[] {
  const all = [...menus];
  return [
    ...all.flatMap(findNeverPlayed),
    ...(directory === null
      ? []
      : all.flatMap((menu) => [...checkRecordings(menu, directory), ...checkSmsTemplates(menu, directory)])),
    ...checkDestinations(all, directory),
  ];
}

/**
 * Destinations that no call can reach: errors. Those that the directory does not know: warnings, because they may exist on
 * the telephone system.
 *
 * A destination of the document is reported once, however many lines lead to it.
 */
function checkDestinations(menus: Iterable<FlowMenu>, directory: IvrDirectory | null): IvrProblem[] {
  const problems: IvrProblem[] = [];
  const told = new Set<string>();
  for (const menu of menus) {
    for (const { to, at, field } of menuOutcomes(menu)) {
      if (to.kind === 'menu') continue;
      const finding = destinationFinding(to.destination, directory);
      if (finding === null) continue;
      const severity = finding.code === 'destination_unreachable' ? 'error' : 'warning';
      if (to.node === null) problems.push(menuProblem(menu.id, { ...finding, at, field }, severity));
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

function checkRecordings(menu: FlowMenu, { recordings, sounds }: IvrDirectory): IvrProblem[] {
  const fields = {
    recording: menu.recording,
    invalid_recording: menu.wrongKey.recording,
    timeout_retry_recording: menu.timeout.retryRecording,
    timeout_recording: menu.timeout.lastRecording,
  };
  return Object.entries(fields).flatMap(([field, text]) => {
    const reference = readReference(text);
    if (reference?.type !== 'recording' || recordings.has(reference.id)) return [];
    const unheard = pbxSound(reference.id) === null ? noSound : sounds?.get(text);
    if (unheard === null) return [];
    const params = { menu: menu.name, recording: reference.id, ...(unheard ?? notAsked) };
    return [menuProblem(menu.id, { code: 'recording_unknown', at: field, field, params }, 'warning')];
  });
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
  const unreachable = whyUnreachable(destination);
  if (unreachable !== null) return { code: 'destination_unreachable', params: unreachable };
  const reference = readReference(destination);
  if (directory === null || reference === null) return null;
  const { type, id } = reference;
  if (type === 'extension' && !directory.extensions.has(id)) {
    return { code: 'extension_unknown', params: { extension: id } };
  }
  if (type === 'ivr') {
    return directory.menus.has(id) ? null : { code: 'menu_unknown', params: { menu_id: id } };
  }
  const routed = RoutedType.safeParse(type);
  if (!routed.success || directory.routedTypes.has(type)) return null;
  return { code: 'destination_unrouted', params: { type: routed.data, id } };
}

/** Prompts that no caller can hear: warnings, because they do no harm and are probably a mistake. */
function findNeverPlayed({ id, name, keys, timeout }: FlowMenu): IvrProblem[] {
  const problems: IvrProblem[] = [];
  if (!hasWrongKey((key) => keys.has(key))) {
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
function findUndefinedSteps({ start, menus }: Flow): IvrProblem[] {
  const problems: IvrProblem[] = [];
  if (!menus.has(start)) {
    const params = { from: 'caller', first: null } as const;
    problems.push({
      ...menuProblem(start, { code: 'node_unknown', params }),
      path: 'caller.to',
      node: null,
    });
  }
  for (const [id, menu] of menus) {
    for (const { port, to, at, field } of menuOutcomes(menu)) {
      if (to.kind === 'destination' || menus.has(to.menu)) continue;
      const params = { from: 'menu', menu: menu.name, way: port } as const;
      problems.push(menuProblem(id, { code: 'node_unknown', at, field, params }));
    }
  }
  return problems;
}
