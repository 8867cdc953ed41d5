import type { DraftVersion, IvrDocument } from '../../../../contract/menu/ivr-draft.ts';
import type { ScheduleHours, ScheduleId, ScheduleView } from '../../../../contract/menu/schedule.ts';
import { isSame } from '../../../../core/ivr/draft/document-delta.ts';
import { askSchedules } from '../../../../core/ivr/edit/edit-nodes.ts';
import { askPortal } from '../../../kit/ask-portal.ts';
import type { PortalReply } from '../../../kit/read-portal.ts';
import { freeName } from '../../drafts/templates.ts';

/** What differs between the opening hours of a version and those that are stored now. */
export interface HoursToRestore {
  /** Changed since. Names do not count: callers do not hear them. */
  readonly changed: readonly { readonly hours: ScheduleHours; readonly present: ScheduleView }[];
  /** Deleted since. */
  readonly missing: readonly ScheduleHours[];
  /** Deleted since, and there again with the same name and times, such as after an earlier restoring: by its id then and now. */
  readonly again: ReadonlyMap<ScheduleId, ScheduleId>;
}

export function hoursToRestore(
  { schedules = [] }: Pick<DraftVersion, 'schedules'>,
  stored: readonly ScheduleView[],
): HoursToRestore {
  const found = schedules.map((hours) => ({ hours, present: stored.find(({ id }) => id === hours.id) }));
  const gone = found.flatMap(({ hours, present }) => (present === undefined ? [hours] : []));
  const again = new Map(
    gone.flatMap((hours): [ScheduleId, ScheduleId][] => {
      const twin = stored.find((one) => one.name === hours.name && isSame(timesOf(one), timesOf(hours)));
      return twin === undefined ? [] : [[hours.id, twin.id]];
    }),
  );
  return {
    changed: found.flatMap(({ hours, present }) =>
      present === undefined || isSame(timesOf(hours), timesOf(present)) ? [] : [{ hours, present }],
    ),
    missing: gone.filter(({ id }) => !again.has(id)),
    again,
  };
}

/** The call flows and stored menus that ask changed hours, too: not the draft, nor what its versions stored. */
export function othersThatAsk(
  changed: HoursToRestore['changed'],
  {
    draftId,
    versions,
  }: { readonly draftId: string; readonly versions: readonly Pick<DraftVersion, 'menus'>[] },
): string[] {
  const own = new Set([draftId, ...versions.flatMap(({ menus }) => Object.values(menus))]);
  const uses = changed.flatMap(({ present }) => present.used_by);
  return [...new Set(uses.filter(({ id }) => !own.has(id)).map(({ name }) => name))];
}

function timesOf({ time_zone, weekly, exceptions }: ScheduleHours) {
  return { time_zone, weekly, exceptions };
}

/**
 * Sets changed opening hours back if `setsBack`, then adds those that are missing, so that nothing is added where the first is refused; answers the document of the version, which asks them.
 */
// see decisions/opening-hours.md
export async function restoreHours(
  document: IvrDocument,
  { changed, missing, again }: HoursToRestore,
  { setsBack, stored }: { readonly setsBack: boolean; readonly stored: readonly ScheduleView[] },
): Promise<PortalReply<IvrDocument>> {
  for (const { hours, present } of setsBack ? changed : []) {
    const { name, version } = present;
    const params = { id: present.id };
    const set = await askPortal('changeSchedule', { params, body: { ...timesOf(hours), name, version } });
    if (set.kind !== 'ok') return set;
  }
  const ids = new Map(again);
  const named: { readonly name: string }[] = [...stored];
  for (const { id, ...hours } of missing) {
    const name = freeName(hours.name, named);
    named.push({ name });
    const created = await askPortal('createSchedule', { body: { ...hours, name } });
    if (created.kind !== 'ok') return created;
    ids.set(id, created.value.id);
  }
  return { kind: 'ok', value: askSchedules(document, ids) };
}
