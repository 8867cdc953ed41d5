import { describe, expect, test } from 'vitest';
import { CallFailure } from '../../src/contract/calls/call.ts';
import { PbxTroubleCode, SilentReason } from '../../src/contract/calls/pbx.ts';
import {
  callEndSentence,
  callEndText,
  callFailureReason,
  callMomentText,
  callSpanText,
  pressedKeys,
} from '../../src/text/calls/calls-text.ts';
import { silentLines } from '../../src/text/cli/cli-calls.ts';
import {
  pbxStateText,
  pbxTestText,
  pbxTroubleLine,
  pbxTroubleText,
  silentReasonText,
} from '../../src/text/calls/pbx-text.ts';

const names = { ivr_a: 'Reception' };
const nobody = { extensions: [], menus: [] };

describe('the text of calls', () => {
  test('every failure and every trouble of a telephone system has sentences of its own', () => {
    const failures = CallFailure.options.map(callFailureReason);
    expect(new Set(failures).size).toBe(failures.length);
    const troubles = PbxTroubleCode.options.map((code) => pbxTroubleText({ code, detail: '' }));
    expect(new Set(troubles.map(({ what }) => what)).size).toBe(troubles.length);
    for (const { what, advice } of troubles) {
      expect(what).toMatch(/^[A-Z].*[^ ]\.$/);
      expect(advice).toMatch(/^[A-Z].*\.$/);
    }
  });

  test('an address that nobody listens at names what to check', () => {
    expect(pbxTroubleLine({ code: 'not_reached', detail: 'ECONNREFUSED' })).toContain('http.conf');
    expect(pbxTroubleLine({ code: 'not_reached', detail: 'ENOTFOUND' })).toContain('name');
    expect(pbxTroubleLine({ code: 'not_reached', detail: '' })).toMatch(/^It does not answer\./);
  });

  test('a test says how many checks fail', () => {
    const trouble = { code: 'signed_out', detail: '401' } as const;
    expect(pbxTestText({ version: '22.10.1', checks: [{ check: 'reach', trouble: null }] })).toBe(
      'Asterisk 22.10.1 is ready: the check passes.',
    );
    expect(
      pbxTestText({
        version: null,
        checks: [
          { check: 'reach', trouble: null },
          { check: 'sign_in', trouble },
        ],
      }),
    ).toBe('The telephone system is not ready: 1 check fails.');
  });

  test('what callers do not hear is listed with its menu and the reason', () => {
    const prompt = 'recording||custom/welcome';
    expect(silentLines([])).toEqual([]);
    const unknown = { menu: 'Reception', prompt, reason: 'unknown_sound', pbx: null } as const;
    expect(silentLines([unknown])).toEqual([
      '',
      'Callers may not hear 1 prompt of stored menus',
      '  “Reception”, recording custom/welcome: It is not in the list of recordings. Callers hear it only if the telephone system has a sound with this name.',
    ]);
    const missing = { ...unknown, reason: 'no_sound', pbx: 'office' } as const;
    expect(silentLines([missing, unknown])[1]).toBe(
      'Callers do not hear 1 prompt of stored menus, and may not hear 1 more',
    );
    expect(silentLines([missing, missing])[1]).toBe('Callers do not hear 2 prompts of stored menus');
    const reasons = SilentReason.options.map((reason) => silentReasonText({ reason, pbx: null }));
    expect(new Set(reasons).size).toBe(reasons.length);
  });

  test('a connection that is not tried again says what starts it', () => {
    const state = {
      status: 'unreachable',
      since: '2026-11-20T09:00:00.000Z',
      trouble: { code: 'taken_over', detail: '' },
      next_try_at: null,
    } as const;
    expect(pbxStateText(state, Date.parse('2026-11-20T10:00:00.000Z'))).toContain('after a change here');
  });

  test('a moment names menus as they were called, and why a prompt was not heard', () => {
    expect(callMomentText({ at_ms: 0, kind: 'entered', menu: 'ivr_a' }, names, [])).toBe(
      'The call enters “Reception”.',
    );
    expect(callMomentText({ at_ms: 0, kind: 'entered', menu: 'ivr_b' }, names, [])).toBe(
      'The call enters ivr_b.',
    );
    expect(
      callMomentText(
        { at_ms: 0, kind: 'played', menu: 'ivr_a', recording: 'recording||42', missing: 'gone' },
        names,
        [{ id: '7', name: 'Welcome' }],
      ),
    ).toBe(
      'Cannot play recording 42: there is no such recording here, and no sound with its name on the telephone system.',
    );
    expect(
      callMomentText(
        { at_ms: 0, kind: 'led', menu: 'ivr_a', by: 'timeout', to: { destination: 'extension||101' } },
        names,
        [{ id: '7', name: 'Welcome' }],
      ),
    ).toBe('The last timeout leads to extension 101.');
    expect(
      callMomentText(
        { at_ms: 0, kind: 'played', menu: 'ivr_a', recording: 'recording||7', missing: null },
        names,
        [{ id: '7', name: 'Welcome' }],
      ),
    ).toBe('Plays “Welcome”.');
  });

  test('the end of a call is told in a list and in a sentence', () => {
    const end = { kind: 'hung_up', menu: 'ivr_a' } as const;
    expect(callEndText(end, nobody, (menu) => (menu === 'ivr_a' ? 'Reception' : undefined))).toBe(
      'Hung up in “Reception”',
    );
    expect(callEndText(end, nobody, () => undefined)).toBe('Hung up');
    expect(callEndSentence(end, names)).toBe('The caller hung up in “Reception”.');
    expect(callEndText({ kind: 'failed', reason: 'fallback' }, nobody, () => undefined)).toBe(
      'Taken by the fallback menu',
    );
  });

  test('keys and spans are short', () => {
    expect(pressedKeys(['2', '-', '#'])).toBe('2, timeout, #');
    expect([900, 12_400, 61_000].map(callSpanText)).toEqual(['0.9 s', '12 s', '1 min 1 s']);
  });
});
