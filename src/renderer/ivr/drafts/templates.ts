import holidays from '../../../../resources/ivr-templates/holidays.json' with { type: 'json' };
import office from '../../../../resources/ivr-templates/office.json' with { type: 'json' };
import onCall from '../../../../resources/ivr-templates/on-call.json' with { type: 'json' };
import hours from '../../../../resources/ivr-templates/opening-hours.json' with { type: 'json' };
import reception from '../../../../resources/ivr-templates/reception.json' with { type: 'json' };
import queue from '../../../../resources/ivr-templates/support-queue.json' with { type: 'json' };
import survey from '../../../../resources/ivr-templates/survey.json' with { type: 'json' };
import { DocumentFile, type DraftSummary, IvrDocument } from '../../../contract/menu/ivr-draft.ts';
import type { ScheduleHours, ScheduleId, ScheduleView } from '../../../contract/menu/schedule.ts';
import { askSchedules } from '../../../core/ivr/edit/edit-nodes.ts';
import type { templateText } from '../../../text/menu/designer-canvas.ts';

/** A call flow to start with. */
export interface Template {
  readonly name: keyof typeof templateText;
  readonly document: IvrDocument;
  /** The opening hours that it asks, for which existing ones may stand. */
  readonly schedules: readonly ScheduleHours[];
}

/** Each is complete: every key has a destination, and every prompt is a spoken text, which needs no recording. */
export const templates: readonly Template[] = [
  { name: 'reception', document: IvrDocument.parse(reception), schedules: [] },
  withSchedules('office', office),
  withSchedules('on-call', onCall),
  withSchedules('holidays', holidays),
  { name: 'opening-hours', document: IvrDocument.parse(hours), schedules: [] },
  { name: 'support-queue', document: IvrDocument.parse(queue), schedules: [] },
  { name: 'survey', document: IvrDocument.parse(survey), schedules: [] },
];

function withSchedules(name: Template['name'], file: unknown): Template {
  const { document, schedules = [] } = DocumentFile.parse(file);
  return { name, document, schedules };
}

/** A template on a machine with schedules: its document asks those that fit, and `missing` have to be created with it. */
export function templateHere(
  { document, schedules }: Template,
  known: readonly ScheduleView[],
): TemplateHere {
  const found = new Map<ScheduleId, ScheduleView>();
  for (const wanted of schedules) {
    const fit = fittingSchedule(wanted, known);
    if (fit !== undefined) found.set(wanted.id, fit);
  }
  return {
    document: askSchedules(document, new Map(Array.from(found, ([id, fit]) => [id, fit.id]))),
    uses: [...found.values()],
    missing: schedules.filter(({ id }) => !found.has(id)),
  };
}

export interface TemplateHere {
  readonly document: IvrDocument;
  readonly uses: readonly ScheduleView[];
  readonly missing: readonly ScheduleHours[];
}

/** The template as a part of another call flow: opening hours that have to be chosen there are left open. */
export function templatePart(name: string, known: readonly ScheduleView[] = []): IvrDocument | null {
  const template = templates.find((one) => one.name === name);
  if (template === undefined) return null;
  const { document, missing } = templateHere(template, known);
  return askSchedules(document, new Map(missing.map(({ id }) => [id, null])));
}

/**
 * The schedule that can stand for that of a template: one of its name, or the only one. It has to be open at some times and closed at
 * others, and closed on the days that the template names. Where several could, none is taken: which is meant is not known.
 */
function fittingSchedule(wanted: ScheduleHours, known: readonly ScheduleView[]): ScheduleView | undefined {
  const fitting = known.filter(({ findings, exceptions }) => {
    const isUsual = !findings.some(({ code }) => unusual.has(code));
    return (
      isUsual &&
      wanted.exceptions.every(({ date }) =>
        exceptions.some((one) => one.date === date && one.ranges.length === 0),
      )
    );
  });
  const named = fitting.find(({ name }) => name.toLowerCase() === wanted.name.toLowerCase());
  return named ?? (fitting.length === 1 ? fitting[0] : undefined);
}

const unusual: ReadonlySet<string> = new Set(['zone_unknown', 'never_open', 'never_closed']);

/** A name that no draft has, such as `Reception 2`. */
export function freeName(name: string, drafts: readonly Pick<DraftSummary, 'name'>[]): string {
  const taken = new Set(drafts.map((draft) => draft.name));
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name} ${number}`;
  return free;
}
