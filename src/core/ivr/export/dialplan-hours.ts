/** Opening hours in the dialplan of an exported call flow: the meaning of `hoursAt` (`core/schedule`), by the clock of Asterisk. */
import {
  type ScheduleHours,
  type ScheduleId,
  type ScheduleSwitch,
  type TimeRange,
  weekdays,
} from '../../../contract/menu/schedule.ts';
import { knownTimeZone } from '../../schedule/time-zone.ts';
import { commentText } from './dialplan-names.ts';
import { isPlainId, plainWord } from './plain-names.ts';

/** Where calls go on in each case, as an application of the dialplan: `Goto(…)`. */
export interface HoursExits {
  readonly open: string;
  readonly closed: string;
  readonly holiday: string;
}

/**
 * The function of the dialplan that has what was set by hand, which Rotavox writes while it is connected. The database of Asterisk
 * keeps it over a restart, which a global variable would not survive.
 */
export function switchFunction(schedule: ScheduleId): string {
  return `DB(rotavox/hours_${isPlainId(schedule) ? schedule : plainWord(schedule, 60)})`;
}

/** Its value: `open:` or `closed:`, and the second since 1970 at which it ends; 0: it does not. Empty: by the hours. */
export function switchValue({ to, until }: ScheduleSwitch): string {
  if (to === 'schedule') return '';
  return `${to}:${until === null ? 0 : Math.ceil(Date.parse(until) / 1000)}`;
}

/**
 * The context that asks a schedule; calls enter it at `s,1`.
 *
 * Each day is an extension of the same context: `YYYYMMDDw`, `w` being 1 (Monday) to 7. Asterisk takes the pattern with the most
 * digits from the left (main/pbx.c, `ext_cmp_pattern`), so a date goes before a yearly date, and that before a weekday. It says whether the minute
 * is within its ranges. The day before is asked with a minute beyond 24:00, for what passes midnight; it is found at its noon, because days
 * of 23 and of 25 hours exist.
 */
export function hoursContext(context: string, hours: ScheduleHours, exits: HoursExits): string[] {
  // As `hoursAt` has it: a zone that nobody knows is UTC.
  const zone = knownTimeZone(hours.time_zone) ?? 'UTC';
  const local = (format: string, at = '${ROTAVOX_NOW}'): string => `\${STRFTIME(${at},${zone},${format})}`;
  const dayKey = '%Y%m%d%u';
  const dayBefore = '$[${ROTAVOX_NOW} - 60 * ${ROTAVOX_MINUTE} - 43200]';
  return [
    `; Opening hours: ${commentText(hours.name)} (${zone})`,
    `[${context}]`,
    'exten => s,1,Set(ROTAVOX_NOW=${EPOCH})',
    ` same => n,Set(ROTAVOX_SWITCH=\${${switchFunction(hours.id)}})`,
    ` same => n,GotoIf(${isSwitched('open')}?open)`,
    ` same => n,GotoIf(${isSwitched('closed')}?closed)`,
    ` same => n,Set(ROTAVOX_MINUTE=$[60 * ${local('%H')} + ${local('%M')}])`,
    ' same => n,Set(ROTAVOX_BACK=today)',
    ` same => n,Goto(${local(dayKey)},1)`,
    ' same => n(today),GotoIf(${ROTAVOX_OPEN}?open)',
    ' same => n,Set(ROTAVOX_CLOSED=${ROTAVOX_DAY})',
    ` same => n,Set(ROTAVOX_NOW=${dayBefore})`,
    ' same => n,Set(ROTAVOX_MINUTE=$[${ROTAVOX_MINUTE} + 1440])',
    ' same => n,Set(ROTAVOX_BACK=before)',
    ` same => n,Goto(${local(dayKey)},1)`,
    ' same => n(before),GotoIf(${ROTAVOX_OPEN}?open)',
    ' same => n,Goto(${ROTAVOX_CLOSED})',
    ` same => n(open),${exits.open}`,
    ` same => n(closed),${exits.closed}`,
    ` same => n(holiday),${exits.holiday}`,
    ...weekdays.flatMap((day, place) =>
      dayExtension(`XXXXXXXX${place + 1}`, hours.weekly[day], 'closed', ''),
    ),
    ...hours.exceptions.flatMap(({ date, name, ranges }) =>
      dayExtension(`${date.replaceAll('-', '').padStart(8, 'X')}X`, ranges, 'holiday', name),
    ),
  ];
}

function isSwitched(to: 'open' | 'closed'): string {
  const value = `\${ROTAVOX_SWITCH:0:${to.length + 1}}`;
  const end = `0\${ROTAVOX_SWITCH:${to.length + 1}}`;
  return `$["${value}" = "${to}:" & (${end} = 0 | \${EPOCH} < ${end})]`;
}

function dayExtension(
  pattern: string,
  ranges: readonly TimeRange[],
  closed: 'closed' | 'holiday',
  name: string,
): string[] {
  const comment = commentText(name);
  return [
    ...(comment === '' ? [] : [`; ${comment}`]),
    `exten => _${pattern},1,Set(ROTAVOX_DAY=${closed})`,
    ` same => n,Set(ROTAVOX_OPEN=${ranges.length === 0 ? '0' : `$[${ranges.map(isWithin).join(' | ')}]`})`,
    ' same => n,Goto(s,${ROTAVOX_BACK})',
  ];
}

/** As `${ROTAVOX_MINUTE}` counts: from midnight of the day on which the range begins. */
function isWithin({ from, to }: TimeRange): string {
  const start = minuteOf(from);
  const end = minuteOf(to);
  return `(\${ROTAVOX_MINUTE} >= ${start} & \${ROTAVOX_MINUTE} < ${end <= start ? end + 1440 : end})`;
}

function minuteOf(time: string): number {
  return 60 * Number(time.slice(0, 2)) + Number(time.slice(3));
}
