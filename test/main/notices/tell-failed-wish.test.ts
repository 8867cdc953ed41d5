import { describe, expect, it } from 'vitest';
import type { TroubleKind } from '../../../src/contract/credential-view.ts';
import { decideNotices } from '../../../src/main/notices/decide-notices.ts';
import { tellFailedWish } from '../../../src/main/notices/tell-failed-wish.ts';
import { credential, failing, glanceOf, hourMs, lockedVault, nothing, sightOf } from './sights.ts';

/** Refused with the message of the attempt, as the desk does it. */
function rotate(kind: TroubleKind) {
  return { kind: 'rotate', name: 'pbx', sentence: `It says ${kind}.` } as const;
}

describe('a wish that failed', () => {
  it('is told at once, also where the same failure alone would be no news', () => {
    const sight = sightOf(glanceOf([failing('pbx', 'unreachable', { attempts: 1 })]));
    expect(tellFailedWish(nothing, rotate('unreachable'), sight).show).toMatchObject([
      {
        title: '“pbx” could not be rotated',
        action: { kind: 'rotate', name: 'pbx' },
        open: { kind: 'credential', name: 'pbx' },
      },
    ]);
    expect(decideNotices(nothing, sight).show).toEqual([]);
  });

  it('is not told once more by the next look', () => {
    const late = sightOf(glanceOf([failing('pbx', 'unreachable', { leftMs: hourMs })]));
    expect(decideNotices(tellFailedWish(nothing, rotate('unreachable'), late), late).show).toEqual([]);
    const locked = sightOf(glanceOf([failing('pbx', 'vault')], { vault: lockedVault }));
    expect(decideNotices(tellFailedWish(nothing, rotate('vault'), locked), locked).show).toEqual([]);
  });

  it('offers no second attempt where only a person can help', () => {
    const { show } = tellFailedWish(
      nothing,
      rotate('blacklisted'),
      sightOf(glanceOf([failing('pbx', 'blacklisted')])),
    );
    expect(show).toMatchObject([{ title: '“pbx” needs a new token', action: null }]);
  });

  it('takes the place of what was told of the same credential', () => {
    const sight = sightOf(glanceOf([failing('pbx', 'unreachable', { leftMs: hourMs })]));
    const told = decideNotices(nothing, sight);
    const wished = tellFailedWish(told, rotate('unreachable'), sight);
    expect(wished.withdraw).toEqual(told.show.map(({ id }) => id));
    expect([...wished.shown.keys()]).toEqual(['wish pbx']);
  });

  it('for another reason than the last attempt is told with that, and the attempt stays to be told', () => {
    const late = sightOf(glanceOf([failing('pbx', 'unreachable', { leftMs: hourMs })]));
    const wish = { kind: 'rotate', name: 'pbx', sentence: 'The disk is full.' } as const;
    const wished = tellFailedWish(nothing, wish, late);
    expect(wished.show).toMatchObject([{ title: '“pbx” could not be rotated', body: 'The disk is full.' }]);
    expect(decideNotices(wished, late).show).toHaveLength(1);
  });

  it('is withdrawn when the credential works', () => {
    const wished = tellFailedWish(nothing, rotate('refused'), sightOf(glanceOf([failing('pbx', 'refused')])));
    expect(decideNotices(wished, sightOf(glanceOf([credential('pbx')]))).withdraw).toEqual(['wish pbx']);
  });

  it('is told in quiet hours: who asked is awake', () => {
    const quiet = glanceOf([failing('pbx', 'refused')], {
      settings: { quiet_hours: { from: '00:00', to: '00:00' } },
    });
    expect(tellFailedWish(nothing, rotate('refused'), sightOf(quiet)).show).toHaveLength(1);
  });

  it('is not told while notices are off', () => {
    const off = glanceOf([failing('pbx', 'refused')], { settings: { notifications_enabled: false } });
    expect(tellFailedWish(nothing, rotate('refused'), sightOf(off))).toEqual({
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
    const sentence = 'There is no credential “pbx”.';
    const { show, shown } = tellFailedWish(nothing, { kind, name: 'pbx', sentence }, sightOf(glanceOf([])));
    expect(show).toMatchObject([{ title, body: sentence }]);
    expect(shown.size).toBe(0);
  });
});
