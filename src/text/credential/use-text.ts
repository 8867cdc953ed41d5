import type { CredentialUse, CredentialUser, RunningCommand } from '../../contract/credential/use.ts';
import { placeText } from './credentials.ts';
import { countWords } from '../count.ts';
import { isolated } from '../names.ts';
import { localTime } from '../time.ts';

/** Who uses a credential: the card of its page, the command line, and the questions before a rotation or a removal. */

type Way = CredentialUser['way'] | 'delivered';

/** How a program gets the token. */
const wayLabels: Record<Way, string> = {
  proxy: 'proxy',
  get: 'get',
  exec: 'exec',
  copy: 'copied',
  helper: 'connected',
  delivered: 'delivered',
};

/** The program or app; where none is known, what is known instead. */
function userName({ way, name }: Pick<CredentialUser, 'way' | 'name'>): string {
  if (name !== null) return isolated(name);
  return way === 'copy' ? 'You, to the clipboard' : 'An unknown program';
}

/** The same with the way, in one line: `deploy.sh (exec)`. Of a way that only a newer service knows, its code. */
function userText(way: string, name: string | null): string {
  const label = (wayLabels as Readonly<Record<string, string>>)[way] ?? way;
  return `${name === null ? 'unknown program' : isolated(name)} (${label})`;
}

/** One line of who uses a credential, as windows and the command line show it. */
export interface UseLine {
  readonly key: string;
  readonly way: Way;
  readonly who: string;
  readonly at: string;
  readonly generation: number;
  /** How often in the last 24 hours and 7 days; null where that is not known. */
  readonly counts: { readonly day: number; readonly week: number } | null;
  /** Since when a command runs with the token; null: it does not run. */
  readonly runsSince: string | null;
}

/** The key of the line of a program or an app. */
export function lineKey(way: Way, name: string | null): string {
  return `${way} ${name ?? ''}`;
}

/** Everything that is known of the use of a credential, the latest first. */
export function linesOfUse({ users, running, deliveries }: CredentialUse): UseLine[] {
  const lines: UseLine[] = [
    ...users.map((user) => ({
      key: lineKey(user.way, user.name),
      way: user.way,
      who: userName(user),
      at: user.last_at,
      generation: user.generation,
      counts: { day: user.last_24h, week: user.last_7d },
      runsSince: null,
    })),
    ...running.map((one, place) => ({
      key: `running ${place}`,
      way: 'exec' as const,
      who: userName({ way: 'exec', name: one.program }),
      at: one.since,
      generation: one.generation,
      counts: null,
      runsSince: one.since,
    })),
    ...deliveries.map((one) => ({
      key: one.target_id,
      way: 'delivered' as const,
      who: placeText(one.target),
      at: one.delivered_at,
      generation: one.generation,
      counts: null,
      runsSince: null,
    })),
  ];
  // A command that runs comes first, whenever it was started.
  const order = (line: UseLine): number => (line.runsSince === null ? 1 : 0);
  return lines.toSorted((a, b) => order(a) - order(b) || Date.parse(b.at) - Date.parse(a.at));
}

/** Which token it is: the current one, the one before, or its number. */
export function whichToken(generation: number, current: number): string {
  if (generation === current) return 'current token';
  return generation === current - 1 ? 'previous token' : `token ${generation}`;
}

/** A command that runs with a token that was replaced. */
export function stillHeldText({ program, generation }: RunningCommand, current: number): `${string}{since}` {
  return `${userText('exec', program)} runs with the ${whichToken(generation, current)} since {since}`;
}

/** Who uses a credential, on its page and in the questions before a rotation and a removal. */
export const usersText = {
  /** Null: nothing to count. */
  counts: ({ day, week }: NonNullable<UseLine['counts']>): string | null => {
    const spans = [
      ...(day === 0 ? [] : [`${day.toLocaleString()} in 24 hours`]),
      ...(week === 0 ? [] : [`${week.toLocaleString()} in 7 days`]),
    ];
    return spans.length === 0 ? null : spans.join(', ');
  },
  line: ({ way, generation, runsSince }: UseLine, current: number): `${string}{at}` => {
    const start = `${wayLabels[way]}, ${whichToken(generation, current)}` as const;
    if (runsSince !== null) return `${start}, runs since {at}`;
    return way === 'delivered' ? `${start}, since {at}` : `${start}, last {at}`;
  },
  limit:
    'What happens with a token after it was handed out is not known: programs may keep a copy, and the time when a target was last read is not recorded.',
  /** In the question before a rotation. */
  got: 'These programs got the current token and need the next one:',
  gotList: 'Programs that got the current token',
  /** In the question before a removal. */
  lately: 'It was used in the last 7 days by:',
  latelyList: 'Who used it in the last 7 days',
  stillUsed: {
    list: 'Commands that run with a previous token',
    title: (count: number) =>
      count === 1
        ? 'A previous token is still used.'
        : `Previous tokens are still used by ${count} commands.`,
    restart: 'Restart the command to give it the current token, or run it with `--restart-on-rotate`.',
  },
} as const;

/** The table of `credential show`. */
export const userListHead = ['Used by', 'How', 'Token', 'Last', '24 h', '7 d'] as const;

export function userListRow(line: UseLine, current: number): string[] {
  const { who, way, generation, at, counts, runsSince } = line;
  return [
    who,
    wayLabels[way],
    whichToken(generation, current),
    runsSince === null ? localTime(at) : `runs since ${localTime(runsSince)}`,
    counts === null ? '-' : String(counts.day),
    counts === null ? '-' : String(counts.week),
  ];
}

/* What was recorded of uses, as the history shows it. Each reads what a newer or an older service may have left out. */

/** How many requests of which apps. */
export function proxyUsesText(uses: unknown): string | undefined {
  if (!Array.isArray(uses)) return undefined;
  const counts = new Map<string, number>();
  for (const use of uses as readonly unknown[]) {
    if (typeof use !== 'object' || use === null || !('app' in use && 'count' in use)) continue;
    const { app, count } = use;
    if (typeof app === 'string' && typeof count === 'number') counts.set(app, (counts.get(app) ?? 0) + count);
  }
  return joined([...counts].map(([app, count]) => `${app}: ${countWords(count, 'request')}`));
}

/** How often which programs got the token. */
export function handoutsText(uses: unknown): string | undefined {
  if (!Array.isArray(uses)) return undefined;
  const sums = (uses as readonly unknown[]).flatMap((use): string[] => {
    if (typeof use !== 'object' || use === null || !('way' in use && 'program' in use && 'count' in use))
      return [];
    const { way, program, count } = use;
    if (typeof way !== 'string' || typeof count !== 'number') return [];
    return [`${userText(way, typeof program === 'string' ? program : null)}: ${countWords(count, 'time')}`];
  });
  return joined(sums);
}

function joined(parts: readonly string[]): string | undefined {
  return parts.length === 0 ? undefined : parts.join(' · ');
}

/** The dialog that shows how a program gets the token of a credential. Commands in backticks. */
export const recipeText = {
  title: 'Use it in a shell',
  works: 'It works as it is: it asks the service about the token.',
  fails: 'It fails until the token works again.',
  noCommandLine:
    'The command line is not part of this installation, so the token is read from where it is delivered. Add a file or a dotenv file as a target to see how.',
  fromTargets:
    'The command line is not part of this installation: this reads the token from where it is delivered.',
  source: 'The token comes from',
  commandLine: 'the command line',
  copied: 'the lines for a shell',
  close: 'Close',
  paste: 'Paste it into a shell or a script.',
  note: 'Read the token when you need it rather than once at the start: it may be rotated while your script runs.',
  exec: (variable: string, command: string) =>
    `A program that reads \`${variable}\` needs no script: \`${command} --restart-on-rotate -- PROGRAM\` runs it with the token, masked in what it prints.`,
} as const;
