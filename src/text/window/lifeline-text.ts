import {
  lifelineDays,
  type LifelineGeneration,
  type LifelineRow,
  type LifelineRowOf,
} from '../../contract/window/lifeline.ts';
import { isSignedIn } from '../../providers/catalogue.ts';
import { credentialLabel, tokenNameText } from '../credential/credentials.ts';
import { countWords } from '../count.ts';
import { isolated } from '../names.ts';
import { dueText, durationText, exactText, expiryText, nearText, timeLeft } from '../time.ts';

/** The fixed labels of the lifeline. */
export const lifelineText = {
  title: 'Lifeline',
  now: 'Now',
  rows: 'Lifelines',
  range: 'Time range',
  days: (count: number) => `${count} days`,
  shortcuts: {
    zoomIn: 'Lifeline: zoom in',
    zoomOut: 'Lifeline: zoom out',
    goToNow: 'Lifeline: scroll to now',
  },
  /** How the keyboard moves through the rows, for a screen reader. */
  keys: 'Up and down arrow: other rows. Left and right arrow: scroll through time. Shift with left or right arrow: previous or next token. Enter: open.',
  legend: {
    fresh: 'Current token: elapsed and remaining',
    superseded: 'Superseded',
    expired: 'Expired',
    blacklisted: 'Blacklisted',
    replaced: 'Replaced manually',
    unkept: 'Not rotated automatically',
    resting: 'Paused or suspended',
    failing: 'Needs attention',
    next: 'Next rotation',
    planned: 'Planned rotations',
  },
  leftOut: (shown: number, leftOut: number) =>
    `Shows the ${shown.toLocaleString()} that expire first. ${leftOut.toLocaleString()} more are not shown.`,
  empty: {
    title: 'Each token and credential appears here as a line.',
    text: `It shows the tokens of the last ${lifelineDays} days, when each expires, and the rotations planned for the next ${lifelineDays} days.`,
    showFirstSteps: 'Show the first steps',
  },
} as const;

/** The state of a row, in a few words below its name. */
export function standingText(row: LifelineRow, nowMs: number): string {
  return row.kind === 'credential' ? credentialStanding(row, nowMs) : familyStanding(row, nowMs);
}

function credentialStanding(row: LifelineRowOf<'credential'>, nowMs: number): string {
  const label = credentialLabel(row.state, row.trouble, row.provider);
  const until = row.paused?.until ?? null;
  const isAssumed = row.expiry_assumed === true;
  switch (row.state) {
    case 'expired':
      return expiryText(row.expires_at, nowMs, { isOver: true, isAssumed });
    case 'reminder':
      return `Not rotated, ${lower(expiryText(row.expires_at, nowMs, { isAssumed }))}`;
    case 'failing':
      return `${label}, expires in ${isAssumed ? 'about ' : ''}${timeLeft(row.expires_at, nowMs)}`;
    case 'paused':
      return until === null ? label : `Paused until ${nearText(until, nowMs)}`;
    case 'fine':
      return row.next_rotation_at === null ? label : `Next ${dueText(row.next_rotation_at, nowMs)}`;
    case 'reply_lost':
    case 'value_missing':
    case 'refused':
    case 'vault_unavailable':
    case 'rotating':
    case 'due':
    case 'delivery_failing':
      return label;
  }
}

function familyStanding(row: LifelineRowOf<'family'>, nowMs: number): string {
  const endMs = (row.generations.at(-1)?.[1] ?? 0) * 1000;
  switch (row.status) {
    case 'Active':
      return row.needs_attention && endMs > nowMs
        ? `Expires in ${timeLeft(row.expires_at, nowMs)}`
        : expiryText(endMs, nowMs);
    case 'Suspended':
      return `Suspended, ${lower(expiryText(endMs, nowMs))}`;
    case 'Superseded':
    case 'Expired':
    case 'Blacklisted':
      return `${row.status} ${nearText(endMs, nowMs)}`;
  }
}

function isExpiryAssumed(row: LifelineRow): boolean {
  return row.kind === 'credential' && row.expiry_assumed === true;
}

/** As it stands within a sentence. */
function lower(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/** What a row is called: like the token in its list. */
export function rowNameText(row: LifelineRow): string {
  if (row.kind === 'family') return row.name;
  return tokenNameText({ name: row.token_name ?? row.name, kept_fresh_by: row.name });
}

/** The whole row in sentences, for a screen reader. It begins with the name that is shown. */
export function rowText(row: LifelineRow, nowMs: number): string {
  const number = row.first_generation + row.generations.length - 1;
  const [from, until, end] = row.generations.at(-1) ?? [0, 0, 'present'];
  const life =
    end === 'present'
      ? `since ${nearText(from * 1000, nowMs)}, ${lower(expiryText(until * 1000, nowMs, { isAssumed: isExpiryAssumed(row) }))}`
      : `from ${nearText(from * 1000, nowMs)}, ${end} ${nearText(until * 1000, nowMs)}`;
  // In the order in which they are shown, without parentheses, whose content does not count as a part of a name.
  const other = row.kind === 'family' || row.token_name === row.name ? null : row.token_name;
  const names = [row.name, ...(other === null ? [] : [other])].map(isolated).join(', ');
  const start = `${names}. ${standingText(row, nowMs)}.`;
  const tokens = `Token ${number} ${life}.${earlierText(row)}`;
  if (row.kind === 'family') return `${start} Token without a credential. ${tokens}`;
  const where = row.service === 'embedded' ? 'this service' : row.origin;
  return `${start} Credential of ${where}. ${tokens} ${planText(row)}`;
}

function planText({ planned, is_renewed: isRenewed }: LifelineRowOf<'credential'>): string {
  const what = isRenewed ? 'renewal' : 'rotation';
  if (planned.length === 0) return `No ${what} is planned.`;
  const rotations = countWords(planned.length, what);
  return `${rotations} ${planned.length === 1 ? 'is' : 'are'} planned in the next ${lifelineDays} days.`;
}

function earlierText({ generations }: LifelineRow): string {
  const counts = new Map<string, number>();
  for (const [, , end] of generations.slice(0, -1)) counts.set(end, (counts.get(end) ?? 0) + 1);
  if (counts.size === 0) return '';
  const ends = [...counts].map(([end, count]) => `${count} ${end}`).join(', ');
  return ` Earlier tokens in the last ${lifelineDays} days: ${ends}.`;
}

/** The details of a token or a planned rotation in a row: a title, and facts with their names. */
export interface PartText {
  readonly title: string;
  readonly facts: readonly (readonly [name: string, text: string])[];
}

/** A token or a planned rotation of a row, by its index in its list. */
interface Part {
  readonly kind: 'token' | 'plan';
  readonly place: number;
}

const endNames = {
  present: 'Expires',
  superseded: 'Superseded',
  expired: 'Expired',
  blacklisted: 'Blacklisted',
  replaced: 'Replaced manually',
} as const;

/** Everything about a part, exact to the second. */
export function partText(row: LifelineRow, { kind, place }: Part, nowMs: number): PartText {
  if (kind === 'plan' && row.kind === 'credential') return plannedText(row, place, nowMs);
  const life = row.generations[place] ?? [0, 0, 'present' as const];
  const isNewest = place === row.generations.length - 1;
  return {
    title: `Token ${row.first_generation + place}`,
    facts: [
      ...lifeFacts(life, nowMs, isNewest && isExpiryAssumed(row)),
      ...(isNewest && row.kind === 'credential' ? nextFacts(row, nowMs) : []),
      ...(isNewest && row.kind === 'family' && life[2] === 'present' ? [notRotated] : []),
    ],
  };
}

/** The same as one text, for a screen reader. */
export function partSentence(row: LifelineRow, part: Part, nowMs: number): string {
  const { title, facts } = partText(row, part, nowMs);
  return `${title}. ${facts.map(([name, text]) => `${name}: ${text}.`).join(' ')}`;
}

const notRotated = ['Rotation', 'not rotated automatically'] as const;

function lifeFacts(
  [from, until, end]: LifelineGeneration,
  nowMs: number,
  isAssumed: boolean,
): [string, string][] {
  const left = until * 1000 - nowMs;
  const about = isAssumed && end === 'present' ? 'about ' : '';
  return [
    ['Since', exactText(from * 1000, nowMs)],
    [
      end === 'present' && left <= 0 ? endNames.expired : endNames[end],
      `${about}${exactText(until * 1000, nowMs)}${about === '' ? '' : ' (assumed)'}`,
    ],
    end === 'present' && left > 0
      ? ['Left', `${about}${durationText(left)}`]
      : ['Lasted', durationText((until - from) * 1000)],
  ];
}

function nextFacts(row: LifelineRowOf<'credential'>, nowMs: number): [string, string][] {
  const { next_rotation_at: nextAt, paused } = row;
  const next = row.is_renewed ? 'Next renewal' : 'Next rotation';
  const waitsFor =
    row.provider !== undefined && isSignedIn({ id: row.provider })
      ? 'waits for a sign-in'
      : 'waits for a new token';
  if (nextAt === null) return [[next, paused === null ? waitsFor : 'none while paused']];
  return [
    [next, exactText(nextAt, nowMs)],
    ['Planned', `${row.planned.length} in the next ${lifelineDays} days`],
  ];
}

function plannedText(row: LifelineRowOf<'credential'>, place: number, nowMs: number): PartText {
  const what = row.is_renewed ? 'renewal' : 'rotation';
  // The next one is known to the millisecond.
  const at =
    place === 0 && row.next_rotation_at !== null ? row.next_rotation_at : (row.planned[place] ?? 0) * 1000;
  return {
    title: place === 0 ? `Next ${what}` : `Planned ${what} ${place + 1} of ${row.planned.length}`,
    facts: [
      ['At', exactText(at, nowMs)],
      ['In', timeLeft(at, nowMs)],
      row.is_renewed
        ? ['Renews', `token ${row.first_generation + row.generations.length - 1}`]
        : ['Creates', `token ${row.first_generation + row.generations.length + place}`],
    ],
  };
}

/** The dates above the rows, by how much room there is for them. */
export const axisDates = {
  monthAndYear: axisDate({ month: 'long', year: 'numeric' }),
  shortMonth: axisDate({ month: 'short', year: '2-digit' }),
  weekdayAndDay: axisDate({ weekday: 'short', day: 'numeric' }),
  day: axisDate({ day: 'numeric' }),
  dayAndMonth: axisDate({ day: 'numeric', month: 'short' }),
} as const;

function axisDate(options: Intl.DateTimeFormatOptions): (atMs: number) => string {
  const format = new Intl.DateTimeFormat(undefined, options);
  return (atMs) => format.format(atMs);
}
