import { setTimeout as wait } from 'node:timers/promises';
import { type Goal, judgeRatio } from '../goal.ts';
import { printTable } from '../print-table.ts';
import { DesktopApp } from './desktop-app.ts';
import { inTurns, medianOf, ratioOf } from './in-turns.ts';
import type { Launches, TrayLaunch } from './launches.ts';
import type { Plan } from './plan.ts';
import type { TrayWatch } from './tray-watch.ts';

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
export async function measureStarts(launches: Launches, tray: TrayWatch, plan: Plan): Promise<Goal[]> {
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
