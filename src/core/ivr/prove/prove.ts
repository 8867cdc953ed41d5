import type { IvrProblem, IvrProblemCode } from '../../../contract/ivr-problem.ts';
import type { Flow, FlowMenu, FlowTarget } from '../flow.ts';
import { menuProblem } from '../menu-problem.ts';
import { quoted } from '../quoted.ts';
import { type IvrDirectory, readReference } from '../reference.ts';
import { hasWrongKey, menuWays, proveExits } from './prove-exits.ts';

/**
 * What is wrong with phone menus that could run, found without a call.
 *
 * A proof without an error promises, for every call that can be made:
 * - it never comes to a step that is not defined: each menu that it is led to is in the flow;
 * - from every menu there is a way to a destination;
 * - whoever stops pressing used keys comes to a destination, after at most `incorrect_count + timeout_tries + 1` wrong keys
 *   and silences in each menu, and through no menu twice.
 * Whoever goes on pressing used keys may go round between menus for as long as they like: they can stop.
 *
 * It promises nothing about what is outside the flow: `ivr||…` counts as a way out, wherever that menu leads. Warnings
 * compare with the directory (null: nothing is known, nothing is compared). That every menu is reached is asked of the
 * drawing, in `find-unreachable.ts`.
 */
// see decisions/call-flows-and-checks.md
export function prove(flow: Flow, directory: IvrDirectory | null): readonly IvrProblem[] {
  return [...findUndefinedSteps(flow), ...proveExits(flow), ...proveMenus(flow.menus.values(), directory)];
}

/** The part that can be said of each menu alone, also of a drawing that is half wired. Warnings only. */
export function proveMenus(menus: Iterable<FlowMenu>, directory: IvrDirectory | null): IvrProblem[] {
  const all = [...menus];
  return [...all.flatMap(findNeverPlayed), ...(directory === null ? [] : checkReferences(all, directory))];
}

/**
 * What menus name that the directory does not know: warnings, for it may live on the telephone system.
 *
 * An end of the drawing is told once, at itself, however many lines lead there.
 */
function checkReferences(menus: Iterable<FlowMenu>, directory: IvrDirectory): IvrProblem[] {
  const problems: IvrProblem[] = [];
  const told = new Set<string>();
  for (const menu of menus) {
    problems.push(...checkRecordings(menu, directory), ...checkSmsTemplates(menu, directory));
    for (const { to, at, field } of menuWays(menu)) {
      const unknown = unknownDestination(to, directory);
      if (unknown === null || to.kind === 'menu') continue;
      if (to.node === null) problems.push(menuProblem(menu.id, { ...unknown, at, field }, 'warning'));
      else if (!told.has(to.node)) {
        told.add(to.node);
        problems.push(menuProblem(to.node, { ...unknown, at: 'ref' }, 'warning'));
      }
    }
  }
  return problems;
}

function checkRecordings(menu: FlowMenu, { recordings }: IvrDirectory): IvrProblem[] {
  const fields = {
    recording: menu.recording,
    invalid_recording: menu.wrongKey.recording,
    timeout_retry_recording: menu.silence.retryRecording,
    timeout_recording: menu.silence.lastRecording,
  };
  return Object.entries(fields).flatMap(([field, text]) => {
    const reference = readReference(text);
    if (reference?.type !== 'recording' || recordings.has(reference.id)) return [];
    const message = `Recording ${reference.id}, which ${quoted(menu.name)} plays, is not among the recordings here. Upload it, choose another, or leave it if the telephone system has it.`;
    return [menuProblem(menu.id, { code: 'recording_unknown', at: field, field, message }, 'warning')];
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
    const message = `SMS template ${smsTemplate}, which key ${key} of ${quoted(menu.name)} sends, is not among the templates here. Add it, choose another, or leave it if the telephone system has it.`;
    return menuProblem(menu.id, { code: 'sms_template_unknown', ...where(place), message }, 'warning');
  });
  const [first] = sending;
  if (smsTemplatesEnabled || first === undefined) return problems;
  const message = `${quoted(menu.name)} sends SMS templates, but their setting is off: this service leaves them out. Turn on sms_templates_enabled to send them.`;
  const off = { code: 'sms_setting_off', ...where(first.place), message } as const;
  return [...problems, menuProblem(menu.id, off, 'warning')];
}

function unknownDestination(
  to: FlowTarget,
  { extensions, menus }: IvrDirectory,
): { code: IvrProblemCode; message: string } | null {
  const reference = to.kind === 'destination' ? readReference(to.destination) : null;
  if (reference?.type === 'extension' && !extensions.has(reference.id)) {
    const message = `Extension ${reference.id} is not among the extensions here. Add it, choose another, or leave it if the telephone system has it.`;
    return { code: 'extension_unknown', message };
  }
  if (reference?.type === 'ivr' && !menus.has(reference.id)) {
    const message = `Menu ${reference.id} is not among the menus here. Choose another, or leave it if the telephone system has it.`;
    return { code: 'menu_unknown', message };
  }
  return null;
}

/** Prompts of a menu that no caller can ever hear: warnings, for they harm nobody and were probably meant otherwise. */
function findNeverPlayed({ id, name, keys, silence }: FlowMenu): IvrProblem[] {
  const problems: IvrProblem[] = [];
  if (!hasWrongKey((key) => keys.has(key))) {
    const field = 'invalid_recording';
    const message = `What ${quoted(name)} plays after a wrong key is never heard: it uses every key that a telephone has. Nothing is to be done if that is meant.`;
    problems.push(menuProblem(id, { code: 'never_played', at: field, field, message }, 'warning'));
  }
  if (silence.retries === 0) {
    const field = 'timeout_retry_recording';
    const message = `What ${quoted(name)} plays before it begins again is never heard: after silence it does not begin again. Raise timeout_tries if it should.`;
    problems.push(menuProblem(id, { code: 'never_played', at: field, field, message }, 'warning'));
  }
  return problems;
}

/** Steps that a call could come to and that the flow does not have. A flow that was compiled has none. */
function findUndefinedSteps({ start, menus }: Flow): IvrProblem[] {
  const problems: IvrProblem[] = [];
  if (!menus.has(start)) {
    const message = 'The caller is connected with a menu that is not there. Draw a line to another.';
    problems.push({
      ...menuProblem(start, { code: 'node_unknown', message }),
      path: 'caller.to',
      node: null,
    });
  }
  for (const [id, menu] of menus) {
    for (const { to, at, field } of menuWays(menu)) {
      if (to.kind === 'destination' || menus.has(to.menu)) continue;
      const message = `A line of ${quoted(menu.name)} leads to a menu that is not there. Draw it to another.`;
      problems.push(menuProblem(id, { code: 'node_unknown', at, field, message }));
    }
  }
  return problems;
}
