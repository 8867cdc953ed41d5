import { describe, expect, it } from 'vitest';
import {
  decideNotices,
  type NoticeDecision,
  type NoticeState,
} from '../../../src/main/notices/decide-notices.ts';
import type { Reuse } from '../../../src/main/notices/notice-memory.ts';
import {
  credential,
  familyId,
  snapshotOf,
  hourMs,
  minuteMs,
  noonMs,
  nothing,
  inputOf,
} from './notice-input.ts';

const byCurl: Reuse = { family_id: familyId, address: '10.0.0.7', user_agent: 'curl/8.5' };

function look(
  state: NoticeState,
  reuses: readonly Reuse[],
  { atMs = noonMs, quiet = false, familyName = () => null as string | null } = {},
): NoticeDecision {
  const snapshot = snapshotOf([credential('pbx', { service: 'embedded', family_id: familyId })], {
    settings: { quiet_hours: quiet ? { from: '11:00', to: '13:00' } : null },
  });
  return decideNotices(state, inputOf(snapshot, { reuses, nowMs: atMs, familyName }));
}

describe('a Superseded token that is used again', () => {
  it('is reported by the name of its credential, with its user and address, and leads to its page', () => {
    const { show } = look(nothing, [byCurl], { familyName: () => 'smartflo' });
    expect(show).toMatchObject([
      {
        title: 'Superseded token of “pbx” was used',
        open: { kind: 'family', id: familyId },
        action: { kind: 'dismiss_use', familyId },
        urgency: 'critical',
      },
    ]);
    expect(show[0]?.body).toContain('curl/8.5 at 10.0.0.7');
  });

  it('has its own name if no credential rotates it', () => {
    const { show } = look(nothing, [{ ...byCurl, family_id: 'fam_b' }], { familyName: () => 'smartflo' });
    expect(show[0]?.title).toContain('“smartflo”');
  });

  it('is named by its family if no name is known', () => {
    const { show } = look(nothing, [{ ...byCurl, family_id: 'fam_unknown' }]);
    expect(show[0]?.title).toContain('“fam_unknown”');
  });

  it('is reported once an hour for the same caller', () => {
    const first = look(nothing, [byCurl]);
    const soon = look(first, [byCurl], { atMs: noonMs + 59 * minuteMs });
    const later = look(soon, [byCurl], { atMs: noonMs + hourMs });
    expect([first, soon, later].map(({ show }) => show.length)).toEqual([1, 0, 1]);
  });

  it('is reported an hour after the last report, whatever was reported of others meanwhile', () => {
    const first = look(nothing, [byCurl]);
    const other = look(first, [{ ...byCurl, user_agent: 'other' }], { atMs: noonMs + 50 * minuteMs });
    expect(look(other, [byCurl], { atMs: noonMs + hourMs }).show).toHaveLength(1);
  });

  it('is reported when the clock was set back far, and the hour would take days to pass', () => {
    const first = look(nothing, [byCurl]);
    expect(look(first, [byCurl], { atMs: noonMs - 24 * hourMs }).show).toHaveLength(1);
  });

  it('is reported at once for another caller, and for no more than three an hour', () => {
    let state: NoticeState = nothing;
    const told = ['a', 'b', 'c', 'd', 'e'].map((agent, place) => {
      const decision = look(state, [{ ...byCurl, user_agent: agent }], { atMs: noonMs + place * minuteMs });
      state = decision;
      return decision.show.length;
    });
    expect(told).toEqual([1, 1, 1, 0, 0]);
  });

  it('is one notice when several callers or families come together', () => {
    const byOther = { ...byCurl, user_agent: 'python-requests/2.32' };
    const ofFamily = look(nothing, [byCurl, byOther]).show;
    expect(ofFamily).toHaveLength(1);
    expect(ofFamily[0]?.body).toContain('python-requests/2.32 at 10.0.0.7 and 1 more');
    const ofTwo = look(nothing, [byCurl, { ...byOther, family_id: 'fam_b' }]).show;
    expect(ofTwo).toMatchObject([{ title: '2 superseded tokens were used', open: { kind: 'home' } }]);
  });

  it('waits for the end of quiet hours', () => {
    const held = look(nothing, [byCurl], { quiet: true });
    expect(held).toMatchObject({ show: [], nextMs: noonMs + hourMs });
    expect(look(held, [], { quiet: true, atMs: noonMs + hourMs }).show).toHaveLength(1);
  });

  it('is never withdrawn: it happened', () => {
    const told = look(nothing, [byCurl]);
    expect(look(told, [], { atMs: noonMs + 9 * hourMs }).withdraw).toEqual([]);
  });

  it('is shown with the text of a stranger on one line, shortened', () => {
    const { show } = look(nothing, [{ ...byCurl, user_agent: `evil\n\u0007${'x'.repeat(500)}` }]);
    expect(show[0]?.body).toContain(`evil ${'x'.repeat(34)}… at 10.0.0.7`);
  });

  it('that is not read is forgotten in the end, however many there are', () => {
    let state: NoticeState = nothing;
    for (let place = 0; place < 500; place += 1) {
      state = look(state, [{ ...byCurl, family_id: `fam_${place}` }], { quiet: true });
    }
    expect(state.memory.reuses).toHaveLength(200);
    const told = look(state, []);
    expect(told.show).toHaveLength(1);
    expect(look(told, [], { atMs: noonMs + 2 * hourMs }).memory.reuses).toEqual([]);
  });
});
