import { describe, expect, it } from 'vitest';
import type { TroubleKind } from '../../../src/contract/credential-view.ts';
import { decideNotices } from '../../../src/main/notices/decide-notices.ts';
import { reportFailedAction } from '../../../src/main/notices/report-failed-action.ts';
import { credential, failing, snapshotOf, hourMs, lockedVault, nothing, inputOf } from './notice-input.ts';

/** Refused with the message of the attempt, like the port. */
function rotate(kind: TroubleKind) {
  return { kind: 'rotate', name: 'pbx', reason: `It says ${kind}.` } as const;
}

describe('a request that failed', () => {
  it('is reported at once, also where the same failure alone would not be reported', () => {
    const input = inputOf(snapshotOf([failing('pbx', 'unreachable', { attempts: 1 })]));
    expect(reportFailedAction(nothing, rotate('unreachable'), input).show).toMatchObject([
      {
        title: '“pbx” could not be rotated',
        action: { kind: 'rotate', name: 'pbx' },
        open: { kind: 'credential', name: 'pbx' },
      },
    ]);
    expect(decideNotices(nothing, input).show).toEqual([]);
  });

  it('is not reported again by the next decision', () => {
    const late = inputOf(snapshotOf([failing('pbx', 'unreachable', { leftMs: hourMs })]));
    expect(decideNotices(reportFailedAction(nothing, rotate('unreachable'), late), late).show).toEqual([]);
    const locked = inputOf(snapshotOf([failing('pbx', 'vault')], { vault: lockedVault }));
    expect(decideNotices(reportFailedAction(nothing, rotate('vault'), locked), locked).show).toEqual([]);
  });

  it('offers no second attempt where only a person can help', () => {
    const { show } = reportFailedAction(
      nothing,
      rotate('blacklisted'),
      inputOf(snapshotOf([failing('pbx', 'blacklisted')])),
    );
    expect(show).toMatchObject([{ title: '“pbx” needs a new token', action: null }]);
  });

  it('replaces the earlier notice about the same credential', () => {
    const input = inputOf(snapshotOf([failing('pbx', 'unreachable', { leftMs: hourMs })]));
    const told = decideNotices(nothing, input);
    const chosen = reportFailedAction(told, rotate('unreachable'), input);
    expect(chosen.withdraw).toEqual(told.show.map(({ id }) => id));
    expect([...chosen.shown.keys()]).toEqual(['wanted pbx']);
  });

  it('for another reason than the last attempt is reported with that reason, and the attempt is still reported later', () => {
    const late = inputOf(snapshotOf([failing('pbx', 'unreachable', { leftMs: hourMs })]));
    const wanted = { kind: 'rotate', name: 'pbx', reason: 'The disk is full.' } as const;
    const chosen = reportFailedAction(nothing, wanted, late);
    expect(chosen.show).toMatchObject([{ title: '“pbx” could not be rotated', body: 'The disk is full.' }]);
    expect(decideNotices(chosen, late).show).toHaveLength(1);
  });

  it('is withdrawn when the credential works', () => {
    const chosen = reportFailedAction(
      nothing,
      rotate('refused'),
      inputOf(snapshotOf([failing('pbx', 'refused')])),
    );
    expect(decideNotices(chosen, inputOf(snapshotOf([credential('pbx')]))).withdraw).toEqual(['wanted pbx']);
  });

  it('is reported in quiet hours, because the person is waiting', () => {
    const quiet = snapshotOf([failing('pbx', 'refused')], {
      settings: { quiet_hours: { from: '00:00', to: '00:00' } },
    });
    expect(reportFailedAction(nothing, rotate('refused'), inputOf(quiet)).show).toHaveLength(1);
  });

  it('is not reported while notices are off', () => {
    const off = snapshotOf([failing('pbx', 'refused')], { settings: { notifications_enabled: false } });
    expect(reportFailedAction(nothing, rotate('refused'), inputOf(off))).toEqual({
      ...nothing,
      show: [],
      withdraw: [],
    });
  });

  it.each([
    ['pause', '“pbx” could not be paused'],
    ['resume', '“pbx” could not be resumed'],
    ['copy', '“pbx” could not be copied'],
    ['rotate', '“pbx” could not be rotated'],
  ] as const)('says why, in the words it was given: %s', (kind, title) => {
    const reason = 'There is no credential “pbx”.';
    const { show, shown } = reportFailedAction(
      nothing,
      { kind, name: 'pbx', reason },
      inputOf(snapshotOf([])),
    );
    expect(show).toMatchObject([{ title, body: reason }]);
    expect(shown.size).toBe(0);
  });
});
