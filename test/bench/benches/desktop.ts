import { setTimeout as wait } from 'node:timers/promises';
import { type Bench, type Goal, judgeRatio, printTable } from '../bench.ts';
import { DesktopApp } from '../desktop/desktop-app.ts';
import { type Launches, prepareLaunches, type TrayLaunch } from '../desktop/launches.ts';
import { startSession } from '../desktop/start-session.ts';
import { TrayWatch } from '../desktop/tray-watch.ts';
import { closeWindow, openAgain, openAtLaunch, whileHidden } from '../desktop/window-watch.ts';
import { type Spread, spreadOf } from '../paired-rounds.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';

/** How often each thing is measured. */
interface Plan {
  readonly starts: number;
  /** From the tray to the look at the memory, in milliseconds. */
  readonly settledMs: number;
  readonly windows: number;
  /** Memory after a window was open; a minute and a half each. */
  readonly closedWindows: number;
}

const quickPlan: Plan = { starts: 2, settledMs: 2_000, windows: 2, closedWindows: 0 };
const fullPlan: Plan = { starts: 7, settledMs: 3_000, windows: 7, closedWindows: 1 };

/** The tray and a window, compared with minimal apps on the same Electron, on a separate desktop. */
export const desktop: Bench = {
  name: 'desktop',
  title: 'the desktop app beside an Electron hello world',
  isLong: true,
  async run({ quick }) {
    const plan = quick ? quickPlan : fullPlan;
    const scratch = createScratchFolder('desktop');
    const session = await startSession();
    try {
      const tray = await TrayWatch.start(session.env);
      const launches = await prepareLaunches(scratch, session.env);
      const goals = [
        ...(await measureStarts(launches, tray, plan)),
        ...(await measureWindows(launches, plan)),
        ...(quick ? [] : await measureAfterWindow(launches, plan)),
      ];
      if (quick) console.log('  Memory after a window was open is measured without --quick.\n');
      await tray.close();
      return goals;
    } finally {
      await session.close();
      removeScratchFolder(scratch);
    }
  },
};

interface Start {
  /** From the launch to the icon in the tray. */
  readonly iconMs: number;
  /** From the launch to a tooltip with the state. */
  readonly tooltipMs: number;
  /** Of all its processes, a little later. */
  readonly pssBytes: number;
  readonly processes: number;
}

/** Starts without a window, as at login: the time to the tray, and the memory. */
async function measureStarts(launches: Launches, tray: TrayWatch, plan: Plan): Promise<Goal[]> {
  const start = (launch: TrayLaunch) => () => startOnce(launch, tray, plan.settledMs);
  const runs = {
    hello: start(launches.hello),
    none: start(launches.none),
    thousand: start(launches.thousand),
  };
  await inTurns(runs, 1); // profiles are created, files enter the system's cache
  const seen = await inTurns(runs, plan.starts);
  printTable(
    ['started without a window, medians', 'icon, ms', 'its words, ms', 'memory, MiB', 'processes'],
    (['hello', 'none', 'thousand'] as const).map((name) => [
      launches[name].name,
      medianOf(seen[name], ({ iconMs }) => iconMs).toFixed(0),
      medianOf(seen[name], ({ tooltipMs }) => tooltipMs).toFixed(0),
      medianOf(seen[name], ({ pssBytes }) => pssBytes / 2 ** 20).toFixed(0),
      medianOf(seen[name], ({ processes }) => processes).toFixed(0),
    ]),
  );
  const judge = (what: string, figure: (start: Start) => number): Goal[] =>
    (['none', 'thousand'] as const).map((name) =>
      judgeRatio(
        `${what}, ${launches[name].name} / ${launches.hello.name}`,
        ratioOf(seen[name], seen.hello, figure),
        { atMost: 1.3 },
      ),
    );
  return [
    ...judge('launch to icon', ({ iconMs }) => iconMs),
    ...judge('launch to its words', ({ tooltipMs }) => tooltipMs),
    ...judge('memory without a window', ({ pssBytes }) => pssBytes),
  ];
}

async function startOnce(launch: TrayLaunch, tray: TrayWatch, settledMs: number): Promise<Start> {
  tray.expectNextApp();
  const app = new DesktopApp(launch, '--hidden');
  try {
    const iconAtMs = await app.whileUp(tray.iconAtMs());
    const tooltipAtMs = await app.whileUp(tray.tooltipAtMs(launch.tooltip));
    await wait(settledMs);
    const { pssBytes, processes } = app.usage();
    return {
      iconMs: iconAtMs - app.launchedAtMs,
      tooltipMs: tooltipAtMs - app.launchedAtMs,
      pssBytes,
      processes,
    };
  } finally {
    await app.end();
  }
}

/** A closed window is kept for 10 s, see src/main/windows/app-window.ts; then its process ends and V8 collects garbage. */
const closedMs = 45_000;
const itself = (figure: number): number => figure;

/** How soon a window can be used. */
async function measureWindows({ emptyWindow, none }: Launches, plan: Plan): Promise<Goal[]> {
  const launch = { empty: () => openAtLaunch(emptyWindow), ours: () => openAtLaunch(none) };
  await inTurns(launch, 1); // the page's code enters Chromium's cache
  const launched = await inTurns(launch, plan.windows);
  printTable(
    ['milliseconds to a window that can be used, medians', emptyWindow.name, 'ours'],
    [['from the launch', ...[launched.empty, launched.ours].map((ms) => medianOf(ms, itself).toFixed(0))]],
  );
  const ratio = ratioOf(launched.ours, launched.empty, itself);
  return [judgeRatio('launch to window / empty window', ratio, { atMost: 1.5 })];
}

/** The memory that stays in use after a window was closed. */
async function measureAfterWindow({ hello, none }: Launches, plan: Plan): Promise<Goal[]> {
  const seen = await inTurns(
    {
      hello: () => whileHidden(hello, closedMs, async (app) => app.usage().pssBytes),
      ours: () =>
        whileHidden(none, plan.settledMs, async (app) => {
          await openAgain(none, app);
          await closeWindow(app);
          await wait(closedMs);
          return app.usage().pssBytes;
        }),
    },
    plan.closedWindows,
  );
  const mebibytes = (bytes: number[]): string => (medianOf(bytes, itself) / 2 ** 20).toFixed(0);
  console.log(`  Memory ${closedMs / 1000} s after our window was closed: ${mebibytes(seen.ours)} MiB;`);
  console.log(`  of the ${hello.name} after as long: ${mebibytes(seen.hello)} MiB.\n`);
  const ratio = ratioOf(seen.ours, seen.hello, itself);
  return [judgeRatio(`memory after a window was closed / ${hello.name}`, ratio, { atMost: 1.3 })];
}

type Runs<N extends string, T> = Readonly<Record<N, () => Promise<T>>>;

/** Runs all of them in turn, this many times; returns the results of each. */
async function inTurns<N extends string, T>(runs: Runs<N, T>, turns: number): Promise<Record<N, T[]>> {
  const names = Object.keys(runs) as N[];
  const seen = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<N, T[]>;
  for (let turn = 0; turn < turns; turn += 1) {
    for (const name of names) seen[name].push(await runs[name]());
  }
  return seen;
}

/** The ratio of two figures, turn by turn. */
function ratioOf<T>(one: readonly T[], other: readonly T[], figure: (seen: T) => number): Spread {
  return spreadOf(one.map((seen, turn) => figure(seen) / figure(other[turn]!)));
}

function medianOf<T>(seen: readonly T[], figure: (seen: T) => number): number {
  return spreadOf(seen.map(figure)).median;
}
