import { InvalidArgumentError } from 'commander';
import { readRanges } from '../../contract/menu/read-ranges.ts';
import {
  calendarLimit,
  CreateSchedule,
  HolidaysOf,
  type ScheduleView,
  type TimeRange,
  type Weekday,
  weekdays,
  type WeeklyHours,
} from '../../contract/menu/schedule.ts';
import {
  hoursCliText,
  hoursHelp,
  importedText,
  importLines,
  scheduleLines,
  scheduleNotes,
  scheduleWarnings,
} from '../../text/cli/cli-hours.ts';
import { optionHelp } from '../../text/cli/cli.ts';
import { wrongUsage } from '../command-failure.ts';
import { type CommandGroup, routeCommand } from '../command-table.ts';
import { readings } from '../readings.ts';
import { readFileText } from '../read-file-bytes.ts';

const { name: nameSchema, time_zone: zoneSchema } = CreateSchedule.shape;
const { country, state, region, language } = HolidaysOf.shape;
const argument = { '<name>': hoursHelp.name } as const;

const dayOption = (day: Weekday) => ({ help: hoursHelp.day(day), read: rangesIn });
const weekOptions = {
  '--zone <zone>': { help: hoursHelp.zone, schema: zoneSchema },
  '--weekdays <hours>': { help: hoursHelp.weekdays, read: rangesIn },
  '--mon <hours>': dayOption('mon'),
  '--tue <hours>': dayOption('tue'),
  '--wed <hours>': dayOption('wed'),
  '--thu <hours>': dayOption('thu'),
  '--fri <hours>': dayOption('fri'),
  '--sat <hours>': dayOption('sat'),
  '--sun <hours>': dayOption('sun'),
  '--file <file>': hoursHelp.file,
} as const;

const importOptions = { '--dry-run': optionHelp.dryRun } as const;

export const hoursCommands: CommandGroup = {
  help: hoursHelp,
  commands: {
    list: routeCommand({
      help: hoursHelp.list,
      ...readings['hours/list'],
    }),
    show: routeCommand({
      help: hoursHelp.show,
      arguments: argument,
      call: (portal, { name }) => portal.ask('readSchedule', { params: { id: name } }),
      lines: (view) => scheduleLines(view, Date.now()),
      words: scheduleNotes,
    }),
    add: routeCommand({
      help: hoursHelp.add,
      arguments: { '<name>': { help: hoursHelp.add.name, schema: nameSchema } },
      options: weekOptions,
      prepare: ({ file }) => readHours(file),
      call: (portal, { name, ...given }, read) =>
        portal.ask('createSchedule', {
          body: {
            name,
            time_zone: given.zone ?? read?.time_zone ?? ownZone(),
            weekly: { ...read?.weekly, ...weekOf(given) },
            exceptions: read?.exceptions ?? [],
          },
        }),
      words: (view) => [hoursCliText.added(view), ...scheduleWarnings(view)],
    }),
    change: routeCommand({
      help: hoursHelp.change,
      arguments: argument,
      options: {
        '--rename <name>': { help: hoursHelp.change.name, schema: nameSchema },
        ...weekOptions,
        '--close <date=name>': { help: hoursHelp.change.close, read: closedIn },
        '--remove <date>': { help: hoursHelp.change.remove, read: datesIn },
        '--remove-past': hoursHelp.change.removePast,
      },
      prepare: ({ file }) => readHours(file),
      async call(portal, input, read) {
        if (changing.every((option) => input[option] === undefined))
          throw wrongUsage(hoursCliText.nothingToChange);
        const params = { id: input.name };
        const before = await portal.ask('readSchedule', { params });
        const body = {
          version: before.version,
          name: input.rename ?? before.name,
          time_zone: input.zone ?? read?.time_zone ?? before.time_zone,
          weekly: { ...before.weekly, ...read?.weekly, ...weekOf(input) },
          exceptions: changedExceptions(before, read?.exceptions ?? before.exceptions, input),
        };
        return portal.ask('changeSchedule', { params, body });
      },
      words: (view) => [hoursCliText.changed(view), ...scheduleWarnings(view)],
    }),
    delete: routeCommand({
      help: hoursHelp.delete,
      arguments: argument,
      call: (portal, { name }) => portal.ask('deleteSchedule', { params: { id: name } }),
      words: (_deleted, { name }) => hoursCliText.deleted(name),
    }),
    set: routeCommand({
      help: hoursHelp.set,
      arguments: {
        ...argument,
        '<to>': { help: hoursHelp.set.to, choices: ['open', 'closed', 'schedule'] },
      },
      options: { '--until <when>': hoursHelp.set.until },
      call: (portal, { name, to, until = null }) =>
        portal.ask('setSwitch', { params: { id: name }, body: { to, until } }),
      words: (view) => hoursCliText.set(view, Date.now()),
    }),
    import: routeCommand({
      help: hoursHelp.import,
      arguments: { ...argument, '<file>': hoursHelp.import.file },
      options: importOptions,
      prepare: ({ file }) => readFileText(file, calendarBytes),
      call: (portal, { name, dryRun = false }, calendar) =>
        portal.ask('importSchedule', { params: { id: name }, body: { calendar, dry_run: dryRun } }),
      lines: importLines,
      words: (imported, { dryRun = false }) => importedText(imported, dryRun),
    }),
    holidays: routeCommand({
      help: hoursHelp.holidays,
      arguments: { ...argument, '<country>': { help: hoursHelp.holidays.country, schema: country } },
      options: {
        '--state <code>': { help: hoursHelp.holidays.state, schema: state },
        '--region <code>': { help: hoursHelp.holidays.region, schema: region },
        '--years <years>': { help: hoursHelp.holidays.years, read: yearsIn },
        '--language <code>': { help: hoursHelp.holidays.language, schema: language },
        ...importOptions,
      },
      call: (portal, { name, dryRun = false, years = thisYearAndNext(), ...place }) =>
        portal.ask('importSchedule', {
          params: { id: name },
          body: {
            holidays: {
              country: place.country,
              state: place.state,
              region: place.region,
              language: place.language,
              years,
            },
            dry_run: dryRun,
          },
        }),
      lines: importLines,
      words: (imported, { dryRun = false }) => importedText(imported, dryRun),
    }),
  },
};

/** In UTF-8 a letter has up to four; the service reports what is too long. */
const calendarBytes = 4 * calendarLimit;

/** Options of `change` that change something. */
const changing = [
  'rename',
  'zone',
  'weekdays',
  ...weekdays,
  'file',
  'close',
  'remove',
  'removePast',
] as const;

type Given = Readonly<Partial<Record<Weekday | 'weekdays', TimeRange[]>>>;

function weekOf(given: Given): Partial<WeeklyHours> {
  const all = weekdays.map((day) => {
    const isWorkday = day !== 'sat' && day !== 'sun';
    return [day, given[day] ?? (isWorkday ? given.weekdays : undefined)] as const;
  });
  return Object.fromEntries(all.filter(([, ranges]) => ranges !== undefined));
}

/** Hours of a day, or `closed`. */
function rangesIn(text: string): TimeRange[] {
  const ranges = text === 'closed' ? [] : readRanges(text);
  if (ranges !== null && (text === 'closed' || ranges.length > 0)) return ranges;
  throw new InvalidArgumentError(hoursCliText.badRanges);
}

type Closed = Readonly<Record<string, string>>;

/** `2026-12-24=Christmas Eve`. */
function closedIn(text: string, before: Closed = {}): Closed {
  const [, date, name] = /^([\d-]+)=(.*)$/.exec(text) ?? [];
  if (date === undefined || name === undefined) throw new InvalidArgumentError(hoursCliText.badClose);
  return { ...before, [date]: name.trim() };
}

function datesIn(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

function yearsIn(text: string): number[] {
  const years = text.split(',').map(Number);
  if (years.every(Number.isInteger)) return years;
  throw new InvalidArgumentError(hoursCliText.badYears);
}

function thisYearAndNext(): number[] {
  const year = new Date().getFullYear();
  return [year, year + 1];
}

function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** What `hours show --json` prints, or as much of it as a person wrote. */
const HoursFile = CreateSchedule.partial();
const hoursFields = ['time_zone', 'weekly', 'exceptions'] as const;

async function readHours(file: string | undefined) {
  if (file === undefined) return null;
  const read = HoursFile.safeParse(hoursOf(await readFileText(file, calendarBytes)));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw wrongUsage(hoursCliText.badFile(issue && [...issue.path, issue.message].join(' ')));
}

/** Its other fields, such as the version, are not about the hours. */
function hoursOf(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).filter(([field]) => hoursFields.some((one) => one === field)),
    );
  } catch {
    return undefined;
  }
}

function changedExceptions(
  { findings }: ScheduleView,
  exceptions: ScheduleView['exceptions'],
  {
    close = {},
    remove = [],
    removePast,
  }: { readonly close?: Closed; readonly remove?: readonly string[]; readonly removePast?: true },
): ScheduleView['exceptions'] {
  for (const date of remove)
    if (!exceptions.some((one) => one.date === date)) throw wrongUsage(hoursCliText.noException(date));
  const past = findings.flatMap((one) => (one.code === 'past_exceptions' ? one.dates : []));
  const gone = new Set([...remove, ...Object.keys(close), ...(removePast === true ? past : [])]);
  return [
    ...exceptions.filter(({ date }) => !gone.has(date)),
    ...Object.entries(close).map(([date, name]) => ({ date, name, ranges: [] })),
  ];
}
