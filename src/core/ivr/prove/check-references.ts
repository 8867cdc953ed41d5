import type { IvrProblem, IvrProblemCode } from '../../../contract/ivr-problem.ts';
import type { FlowMenu, FlowTarget } from '../flow.ts';
import type { IvrDirectory } from '../ivr-directory.ts';
import { menuWays } from './menu-ways.ts';
import { menuProblem } from '../menu-problem.ts';
import { quoted } from '../quoted.ts';
import { readReference } from '../reference.ts';

/**
 * What menus name that the directory does not know: warnings, for it may live on the telephone system.
 *
 * An end of the drawing is told once, at itself, however many lines lead there.
 */
export function checkReferences(menus: Iterable<FlowMenu>, directory: IvrDirectory): IvrProblem[] {
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
