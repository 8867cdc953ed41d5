import { setTimeout as wait } from 'node:timers/promises';
import { type Goal, judgeRatio } from '../goal.ts';
import { printTable } from '../print-table.ts';
import { inTurns, medianOf, ratioOf } from './in-turns.ts';
import type { Launches } from './launches.ts';
import { closeWindow, openAgain, openAtLaunch, whileHidden } from './open-window.ts';
import type { Plan } from './plan.ts';

/** A closed window is kept for 10 s, see src/main/windows/app-window.ts; then its process ends and V8 collects garbage. */
const closedMs = 45_000;
const itself = (figure: number): number => figure;

/** How soon a window can be used. */
export async function measureWindows({ emptyWindow, none }: Launches, plan: Plan): Promise<Goal[]> {
  const launch = { empty: () => openAtLaunch(emptyWindow), ours: () => openAtLaunch(none) };
  await inTurns(launch, 1); // the page's code enters Chromium's cache
  const launched = await inTurns(launch, plan.windows);
  const again = await inTurns(
    {
      empty: () => whileHidden(emptyWindow, plan.settledMs, (app) => openAgain(emptyWindow, app)),
      ours: () => whileHidden(none, plan.settledMs, (app) => openAgain(none, app)),
    },
    plan.secondLaunches,
  );
  const row = (what: string, { empty, ours }: Record<'empty' | 'ours', number[]>): string[] => [
    what,
    medianOf(empty, itself).toFixed(0),
    medianOf(ours, itself).toFixed(0),
  ];
  printTable(
    ['milliseconds to a window that can be used, medians', emptyWindow.name, 'ours'],
    [
      row('from the launch', launched),
      ...(plan.secondLaunches > 0 ? [row('from another launch, while it runs without a window', again)] : []),
    ],
  );
  const ratio = ratioOf(launched.ours, launched.empty, itself);
  return [judgeRatio('launch to window / empty window', ratio, { atMost: 1.5 })];
}

/** The memory that stays in use after a window was closed. */
export async function measureAfterWindow({ hello, none }: Launches, plan: Plan): Promise<Goal[]> {
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
