import { setTimeout as wait } from 'node:timers/promises';
import { type Goal, judgeRatio } from '../goal.ts';
import { printTable } from '../print-table.ts';
import { DesktopApp } from './desktop-app.ts';
import { spentBetween } from './group-usage.ts';
import { medianOf, ratioOf } from './in-turns.ts';
import type { Launches, TrayLaunch } from './launches.ts';
import type { Plan } from './plan.ts';
import type { TrayWatch } from './tray-watch.ts';

interface Idle {
  /** Of all its processes, as a share of one core. */
  readonly cpuPercent: number;
  /** Of all threads of all its processes. */
  readonly wakeUpsPerMinute: number;
}

/**
 * The cost of apps without a window while nothing happens.
 *
 * Measured at the same time, so that other load affects them equally.
 */
export async function measureIdling(
  { hello, none, thousand }: Launches,
  tray: TrayWatch,
  plan: Plan,
): Promise<Goal[]> {
  const contenders = [hello, none, thousand];
  const seen: Idle[][] = contenders.map(() => []);
  for (let turn = 0; turn < plan.idle; turn += 1) {
    for (const [place, idle] of (await idleOnce(contenders, tray, plan)).entries()) seen[place]!.push(idle);
  }
  printTable(
    ['idling without a window, medians', 'CPU, % of a core', 'wake-ups a minute'],
    contenders.map(({ name }, place) => [
      name,
      medianOf(seen[place]!, ({ cpuPercent }) => cpuPercent).toFixed(3),
      medianOf(seen[place]!, ({ wakeUpsPerMinute }) => wakeUpsPerMinute).toFixed(0),
    ]),
  );
  const [seenOfHello, ...ours] = seen;
  // A ratio of two figures close to zero means nothing: an absolute difference this small is irrelevant.
  const judge = (what: string, free: number, figure: (idle: Idle) => number): Goal[] =>
    ours.map((idle, place) =>
      judgeRatio(
        `${what}, ${[none, thousand][place]!.name} / ${hello.name}`,
        ratioOf(idle, seenOfHello!, (one) => figure(one) + free),
        { atMost: 1.1 },
      ),
    );
  return [
    ...judge('CPU while idle', 0.1, ({ cpuPercent }) => cpuPercent),
    ...judge('wake-ups while idle', 60, ({ wakeUpsPerMinute }) => wakeUpsPerMinute),
  ];
}

async function idleOnce(
  launches: readonly TrayLaunch[],
  tray: TrayWatch,
  { calmMs, idleMs }: Plan,
): Promise<Idle[]> {
  const apps: DesktopApp[] = [];
  try {
    for (const launch of launches) {
      tray.expectNextApp();
      const app = new DesktopApp(launch, '--hidden');
      apps.push(app);
      await app.whileUp(tray.tooltipAtMs(launch.tooltip));
    }
    await wait(calmMs);
    const before = apps.map((app) => app.usage());
    await wait(idleMs);
    return apps.map((app, place) => {
      const { cpuMs, wakeUps } = spentBetween(before[place]!, app.usage());
      return { cpuPercent: (cpuMs * 100) / idleMs, wakeUpsPerMinute: (wakeUps * 60_000) / idleMs };
    });
  } finally {
    await Promise.all(apps.map((app) => app.end()));
  }
}
