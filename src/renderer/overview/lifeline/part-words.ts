import type { LifelineGeneration, LifelineRow, LifelineRowOf } from '../../../contract/lifeline.ts';
import { durationText, exactText, timeLeft } from '../../../text/time.ts';
import type { RowPart } from './row-parts.ts';

/** What is told of a part: a title, and facts with their names. */
export interface PartWords {
  readonly title: string;
  readonly facts: readonly (readonly [name: string, words: string])[];
}

const endNames = {
  present: 'Expires',
  superseded: 'Superseded',
  expired: 'Expired',
  blacklisted: 'Blacklisted',
  replaced: 'Replaced manually',
} as const;

/** Everything about a part, exact to the second. */
export function partWords(row: LifelineRow, { kind, place }: RowPart, nowMs: number): PartWords {
  if (kind === 'plan' && row.kind === 'credential') return planPartWords(row, place, nowMs);
  const life = row.generations[place] ?? [0, 0, 'present' as const];
  const number = row.first_generation + place;
  const isNewest = place === row.generations.length - 1;
  return {
    title: `Token ${number}`,
    facts: [
      ...lifeFacts(life, nowMs),
      ...(isNewest && row.kind === 'credential' ? nextFacts(row, nowMs) : []),
      ...(isNewest && row.kind === 'family' && life[2] === 'present' ? [unkept] : []),
    ],
  };
}

/** The same as one text, to be read out. */
export function partSentence(row: LifelineRow, part: RowPart, nowMs: number): string {
  const { title, facts } = partWords(row, part, nowMs);
  return `${title}. ${facts.map(([name, words]) => `${name}: ${words}.`).join(' ')}`;
}

const unkept = ['Rotation', 'not rotated automatically'] as const;

function lifeFacts([from, until, end]: LifelineGeneration, nowMs: number): [string, string][] {
  const left = until * 1000 - nowMs;
  return [
    ['Since', exactText(from * 1000, nowMs)],
    [endNames[end], exactText(until * 1000, nowMs)],
    end === 'present' && left > 0
      ? ['Left', durationText(left)]
      : ['Lived', durationText((until - from) * 1000)],
  ];
}

function nextFacts(row: LifelineRowOf<'credential'>, nowMs: number): [string, string][] {
  const { next_rotation_at: nextAt, paused } = row;
  if (nextAt === null)
    return [['Next rotation', paused === null ? 'waits for a new token' : 'none while it is paused']];
  return [
    ['Next rotation', exactText(nextAt, nowMs)],
    ['Planned', `${row.planned.length} in the next 90 days`],
  ];
}

function planPartWords(row: LifelineRowOf<'credential'>, place: number, nowMs: number): PartWords {
  // The next one is known to the millisecond.
  const at =
    place === 0 && row.next_rotation_at !== null ? row.next_rotation_at : (row.planned[place] ?? 0) * 1000;
  return {
    title: place === 0 ? 'Next rotation' : `Planned rotation ${place + 1} of ${row.planned.length}`,
    facts: [
      ['At', exactText(at, nowMs)],
      ['In', timeLeft(at, nowMs)],
      ['Gives', `token ${row.first_generation + row.generations.length + place}`],
    ],
  };
}
