import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TrayRefresher } from '../../../src/main/tray/tray-refresher.ts';
import type { TrayView } from '../../../src/main/tray/tray-view.ts';
import { ManualTimer } from '../../fakes/manual-timer.ts';
import { hourMs, minuteMs, noonMs } from './view-of.ts';

/** A tray that shows a number, which a test changes. */
function makeTray({ lastsMs = null }: { lastsMs?: number | null } = {}) {
  const timer = new ManualTimer(noonMs);
  const shown: string[] = [];
  const told = { truth: 0, lastsMs };
  const refresher = new TrayRefresher(
    () => viewOf(String(told.truth), told.lastsMs),
    ({ title }) => shown.push(title),
    timer,
  );
  const change = (): void => {
    told.truth += 1;
    refresher.refresh();
  };
  return { timer, shown, told, refresher, change };
}

function viewOf(title: string, lastsMs: number | null): TrayView {
  return { icon: { state: 'idle', fullness: 1 }, title, menu: [], lastsMs };
}

describe('keeping the tray true', () => {
  it('shows a change at once', () => {
    const { change, shown } = makeTray();
    change();
    expect(shown).toEqual(['1']);
  });

  it('shows the second of two quick changes a moment later, and the next slow one at once', async () => {
    const { change, shown, timer } = makeTray();
    change();
    change();
    expect(shown).toEqual(['1']);
    await timer.advance(1_000);
    expect(shown).toEqual(['1', '2']);
    change();
    expect(shown).toEqual(['1', '2', '3']);
  });

  it('shows at once what cannot wait, and no second time what it has shown', async () => {
    const { change, refresher, told, shown, timer } = makeTray();
    change();
    change();
    told.truth += 1;
    refresher.refresh({ atOnce: true });
    expect(shown).toEqual(['1', '3']);
    await timer.advance(minuteMs);
    expect(shown).toEqual(['1', '3']);
  });

  it('shows a burst of a thousand changes a few times, and the last of them always', async () => {
    const { change, shown, timer } = makeTray();
    for (let count = 0; count < 1_000; count += 1) {
      change();
      await timer.advance(1);
    }
    await timer.advance(minuteMs);
    expect(shown.length).toBeLessThanOrEqual(6);
    expect(shown.at(-1)).toBe('1000');
  });

  it('sets no timer for a view without a limit, and none is left after a change was shown', async () => {
    const { change, timer } = makeTray();
    change();
    expect(timer.waiting).toBe(0);
    change();
    expect(timer.waiting).toBe(1);
    await timer.advance(hourMs);
    expect(timer.waiting).toBe(0);
    expect(timer.wakeUps).toBe(1);
  });

  it('refreshes when the view is no longer correct, and only then', async () => {
    const { refresher, shown, told, timer } = makeTray({ lastsMs: minuteMs });
    refresher.refresh();
    told.truth = 7;
    await timer.advance(minuteMs - 1);
    expect(shown).toEqual(['0']);
    await timer.advance(1);
    expect(shown).toEqual(['0', '7']);
    await timer.advance(60 * minuteMs);
    expect(timer.wakeUps).toBe(61);
  });

  it('stops refreshing when a view without a limit is shown', async () => {
    const { refresher, told, timer } = makeTray({ lastsMs: minuteMs });
    refresher.refresh();
    told.lastsMs = null;
    await timer.advance(hourMs);
    expect(timer.wakeUps).toBe(1);
    expect(timer.waiting).toBe(0);
  });

  it('shows a change at once although the clock was set back by a year', () => {
    const { change, shown, timer } = makeTray();
    change();
    timer.jump(-365 * 24 * hourMs);
    change();
    expect(shown).toEqual(['1', '2']);
  });

  it('loses no change when the clock is set back by less than it waits', async () => {
    const { change, shown, timer } = makeTray();
    change();
    timer.jump(-100);
    change();
    await timer.advance(minuteMs);
    expect(shown.at(-1)).toBe('2');
  });

  it('refreshes after the time that a view is correct although the clock was set back meanwhile', async () => {
    const { refresher, shown, timer } = makeTray({ lastsMs: minuteMs });
    refresher.refresh();
    timer.jump(-hourMs);
    await timer.advance(minuteMs);
    expect(shown).toHaveLength(2);
  });

  it('does nothing once it is closed', async () => {
    const { change, refresher, shown, timer } = makeTray({ lastsMs: minuteMs });
    change();
    change();
    refresher.close();
    change();
    expect(timer.waiting).toBe(0);
    await timer.advance(hourMs);
    expect(shown).toEqual(['1']);
  });

  it('leaves no timer behind when it is closed by what it shows', () => {
    const timer = new ManualTimer(noonMs);
    const refresher: TrayRefresher = new TrayRefresher(
      () => viewOf('', minuteMs),
      () => {
        refresher.close();
      },
      timer,
    );
    refresher.refresh();
    expect(timer.waiting).toBe(0);
  });

  it('does not lose a change that showing causes', async () => {
    const timer = new ManualTimer(noonMs);
    const shown: string[] = [];
    let truth = 0;
    const refresher: TrayRefresher = new TrayRefresher(
      () => viewOf(String(truth), null),
      ({ title }) => {
        shown.push(title);
        if (truth > 0) return;
        truth = 1;
        refresher.refresh();
      },
      timer,
    );
    refresher.refresh();
    await timer.advance(minuteMs);
    expect(shown).toEqual(['0', '1']);
  });

  it('has one timer at most, and ends with the truth, whatever happens in whatever order', async () => {
    const steps = fc.array(
      fc.oneof(
        fc.constant({ kind: 'change' as const, ms: 0 }),
        fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 400 }) }),
        fc.record({ kind: fc.constant('jump' as const), ms: fc.integer({ min: -1_000, max: 1_000 }) }),
        fc.record({ kind: fc.constant('lasts' as const), ms: fc.integer({ min: 1, max: 600 }) }),
      ),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const { change, shown, told, timer } = makeTray();
        change();
        for (const { kind, ms } of taken) {
          if (kind === 'change') change();
          else if (kind === 'wait') await timer.advance(ms);
          else if (kind === 'jump') timer.jump(ms);
          else told.lastsMs = ms;
          expect(timer.waiting).toBeLessThanOrEqual(1);
        }
        told.lastsMs = null;
        await timer.advance(1_000);
        expect(shown.at(-1)).toBe(String(told.truth));
        expect(timer.waiting).toBe(0);
      }),
    );
  });
});
