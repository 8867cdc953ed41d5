import { type KeyboardEvent, useMemo, useState } from 'react';
import type { IvrDocument } from '../../../../contract/menu/ivr-draft.ts';
import type { ScheduleHours, ScheduleSwitch, ScheduleView } from '../../../../contract/menu/schedule.ts';
import type { PlannedCall } from '../../../../core/ivr/call/run-scenario.ts';
import { instantMs, isoInstant } from '../../../../core/iso-instant.ts';
import { hoursAt, nextChange } from '../../../../core/schedule/hours-at.ts';
import { daysFrom } from '../../../../core/schedule/day-hours.ts';
import { readInstant, writeLocalTime } from '../../../../core/schedule/read-until.ts';
import { hoursWindowText } from '../../../../text/menu/hours-window.ts';
import { zonedText } from '../../../../text/menu/schedule-text.ts';
import { callTimeText as text } from '../../../../text/menu/test-call.ts';
import { Field } from '../../../kit/field.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import { useMinute } from '../../../kit/use-minute.ts';
import { Combo, matching, type Offer } from '../inspector/combo.tsx';
import panel from '../panel.module.css';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import styles from './play-phone.module.css';

/** When a call comes, and what is set by hand then. */
export type CallTiming = Omit<PlannedCall, 'inputs'>;

/** The schedules that the call flow asks, in its order. Times of the day are those of the first, as for the command line. */
export function useAskedSchedules(): readonly ScheduleView[] {
  const { schedules } = useDesigner().referenceData;
  const nodes = useDesignerState(({ document }) => document.nodes);
  return useMemo(() => askedSchedules({ nodes }, schedules ?? []), [nodes, schedules]);
}

function askedSchedules(
  { nodes }: Pick<IvrDocument, 'nodes'>,
  known: readonly ScheduleView[],
): readonly ScheduleView[] {
  const asked = new Set(Object.values(nodes).map((node) => (node.kind === 'hours' ? node.hours : null)));
  return [...asked].flatMap((id) => known.find((schedule) => schedule.id === id) ?? []);
}

/** When the call comes, now or at an instant, and the switch of each schedule that the call flow asks. */
export function CallTimeFields({
  schedules,
  timing,
  path,
  onChange,
}: {
  schedules: readonly [ScheduleHours, ...ScheduleHours[]];
  timing: CallTiming;
  /** Of the field of the time, where a problem leads. */
  path?: string;
  /** `isDone`: by Enter or a choice from the list, after which a person goes on. */
  onChange: (timing: CallTiming, isDone: boolean) => void;
}) {
  const { at = null, switches = {} } = timing;
  const nowMs = useMinute();
  const atMs = at === null ? nowMs : instantMs(at);

  function set(id: ScheduleHours['id'], to: string): void {
    const kept = Object.entries(switches).filter(([other]) => other !== id);
    const chosen = switchPlaces.find((one) => one === to);
    const changed = chosen === undefined ? kept : [...kept, [id, { to: chosen, until: null }] as const];
    onChange({ at, switches: Object.fromEntries(changed) }, false);
  }
  return (
    <Stack gap={2}>
      <TimeField
        schedules={schedules}
        at={at}
        path={path}
        onChange={(changed, isDone) => onChange({ at: changed, switches }, isDone)}
      />
      {schedules.map((schedule) => {
        const by = switches[schedule.id] ?? scheduled;
        const zone = { timeZone: schedule.time_zone, nowMs: atMs };
        return (
          <label key={schedule.id} className={styles['switch']}>
            <Text as="span" size="small" title={schedule.name} lines={2}>
              <bdi>{schedule.name}</bdi>
            </Text>
            <select
              className={panel['select']}
              aria-label={hoursWindowText.switch.label(schedule.name)}
              value={by.to}
              onChange={({ target }) => set(schedule.id, target.value)}
            >
              <option value="schedule">{text.bySchedule[hoursAt(schedule, scheduled, atMs)]}</option>
              {switchPlaces.map((to) => (
                <option key={to} value={to}>
                  {text.byHand[to](by.to === to && by.until !== null ? zonedText(by.until, zone) : null)}
                </option>
              ))}
            </select>
          </label>
        );
      })}
    </Stack>
  );
}

const switchPlaces = ['open', 'closed'] as const;
const scheduled: ScheduleSwitch = { to: 'schedule', until: null };

/** An instant as `rotavox ivr simulate --at` takes it, with the next times at which something changes to choose from; empty: now. */
function TimeField({
  schedules,
  at,
  path,
  onChange,
}: {
  schedules: readonly [ScheduleHours, ...ScheduleHours[]];
  at: string | null;
  path: string | undefined;
  onChange: (at: string | null, isDone: boolean) => void;
}) {
  const zone = schedules[0].time_zone;
  const nowMs = useMinute();
  const offers = useMemo(() => offersOf(schedules, nowMs), [schedules, nowMs]);
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState<string>();
  const written = at === null ? '' : writeLocalTime(instantMs(at), zone);
  const names = { timeZone: zone, nowMs };

  function take(entered: string, isDone: boolean): void {
    const wanted = entered.trim();
    if (wanted === written) {
      setTyped(null);
      setError(undefined);
      return;
    }
    const isNow = wanted === '' || wanted.toLowerCase() === text.now.toLowerCase();
    const read = isNow ? null : readInstant(wanted, zone, Date.now());
    if (read !== null && !read.ok) {
      setError(text.refusals[read.refusal]);
      return;
    }
    setTyped(null);
    setError(undefined);
    onChange(read === null ? null : isoInstant(read.value), isDone);
  }
  function press(event: KeyboardEvent<HTMLDivElement>): void {
    // With a choice of the list marked, Enter takes that.
    const isMarked = event.target instanceof Element && event.target.hasAttribute('aria-activedescendant');
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && typed !== null && !isMarked) take(typed, true);
  }
  return (
    <div onKeyDownCapture={press}>
      <Field
        label={text.label}
        hint={at === null ? text.isNow(zone) : text.isAt(zonedText(at, names), zone)}
        error={error}
      >
        {(tied) => (
          <Combo
            tied={{ ...tied, 'data-path': path, placeholder: text.now }}
            value={typed ?? written}
            offers={(sought) => matching(offers, sought)}
            onChange={setTyped}
            onTake={({ value }) => take(value, true)}
            onLeave={() => typed !== null && take(typed, false)}
          />
        )}
      </Field>
    </div>
  );
}

/** How far exceptions are offered, and how many of each schedule. */
const offeredDays = 370;
const mostExceptions = 8;

/** Now, when each schedule opens and closes next, and its next exceptions. */
export function offersOf(
  schedules: readonly [ScheduleHours, ...ScheduleHours[]],
  nowMs: number,
): readonly Offer[] {
  const zone = schedules[0].time_zone;
  const moments = schedules.flatMap((schedule) => {
    const of = schedules.length > 1 ? schedule.name : null;
    return [
      ...nextTurns(schedule, nowMs).map(({ at, isOpen }) => ({ at, name: text.turns(of, isOpen) })),
      ...nextExceptions(schedule, nowMs).map(({ at, name }) => ({ at, name: text.exception(of, name) })),
    ];
  });
  const byTime = new Map<string, Offer>();
  for (const { at, name } of moments.toSorted((one, other) => one.at - other.at)) {
    const value = writeLocalTime(at, zone);
    const note = zonedText(isoInstant(at), { timeZone: zone, nowMs });
    // Those of the same minute are one choice: what is chosen is the time.
    if (!byTime.has(value)) byTime.set(value, { value, name, note });
  }
  return [{ value: text.now, name: text.now, note: '' }, ...byTime.values()];
}

/** When a schedule opens and closes next, by its hours. */
function nextTurns(schedule: ScheduleHours, nowMs: number): { at: number; isOpen: boolean }[] {
  const turns: { at: number; isOpen: boolean }[] = [];
  let isOpen = hoursAt(schedule, scheduled, nowMs) === 'open';
  let next = nextChange(schedule, scheduled, nowMs);
  // From closed to a holiday is no turn.
  for (let looked = 0; next !== null && turns.length < 2 && looked < offeredDays; looked += 1) {
    if ((next.to === 'open') !== isOpen) {
      isOpen = !isOpen;
      turns.push({ at: next.at, isOpen });
    }
    next = nextChange(schedule, scheduled, next.at);
  }
  return turns;
}

/** At ten in the morning: when somebody would call. */
function nextExceptions(schedule: ScheduleHours, nowMs: number): { at: number; name: string }[] {
  return daysFrom(schedule, nowMs, offeredDays)
    .flatMap(({ date, exception }) => {
      const read = readInstant(`${date} 10:00`, schedule.time_zone, nowMs);
      return exception === null || !read.ok ? [] : [{ at: read.value, name: exception.name }];
    })
    .slice(0, mostExceptions);
}
