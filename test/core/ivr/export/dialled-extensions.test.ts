import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import type { DirectDial } from '../../../../src/contract/menu/ivr.ts';
import { takesDigits } from '../../../../src/core/ivr/call/dialable.ts';
import { dialledExtensions } from '../../../../src/core/ivr/export/dialplan-digits.ts';
import { dialled } from '../../../fixtures/dialled.ts';
import { type Flow, type FlowMenu, menusOnly } from '../../../../src/core/ivr/flow.ts';

const hangup = { kind: 'destination', destination: 'hangup', node: null } as const;

function menuWith(keys: readonly string[], directDial: DirectDial | null): FlowMenu {
  const recording = 'recording||1';
  return {
    id: 'menu' as NodeId,
    name: 'Menu',
    description: '',
    recording,
    timeoutSeconds: 5,
    keys: new Map(keys.map((key) => [key, { to: hangup, smsTemplate: null }])),
    wrongKey: { recording, retries: 0, to: hangup },
    timeout: { retries: 0, retryRecording: recording, lastRecording: recording, to: hangup },
    directDial,
  };
}

/** What a caller has chosen, and after how many inputs that was certain; null: nothing yet. */
type Choice = { readonly chosen: string; readonly after: number } | null;

function byEngine(flow: Flow, inputs: readonly string[]): Choice {
  const choice = dialled(flow, inputs);
  if (choice === null) return null;
  const { key, number, after } = choice;
  if (number !== null) return { chosen: `dial ${number}`, after };
  return { chosen: key === null ? 'wrong' : `key ${key}`, after };
}

/** As Asterisk collects digits (main/pbx.c, `collect_digits`), and as the contexts of the export go on. */
function byExtensions(menu: FlowMenu, extensions: ReadonlySet<string>, inputs: readonly string[]): Choice {
  const actions = dialledExtensions(menu, extensions);
  let digits = '';
  let isTooFar = false;
  for (const [place, input] of inputs.entries()) {
    const after = place + 1;
    if (isTooFar) {
      if (input === '-' || (input === '#' && !menu.keys.has('#'))) return { chosen: 'wrong', after };
      continue;
    }
    if (input === '-' && digits === '') continue;
    if (input !== '-') digits += input;
    if (input !== '-' && matchesMore(actions.keys(), digits)) continue;
    const found = bestMatch(actions.keys(), digits);
    const action = found === null ? null : actions.get(found)!;
    if (action === 'too_far' || (action === null && digits !== '#' && takesDigits(menu))) {
      if (input === '-') return { chosen: 'wrong', after };
      isTooFar = true;
      continue;
    }
    if (found === null || action === null || action === 'wrong') return { chosen: 'wrong', after };
    const isEnded = found.length > 1 && found.endsWith('#') && !menu.keys.has('#');
    const number = isEnded ? digits.slice(0, -1) : digits;
    return { chosen: action === 'dial' ? `dial ${number}` : `key ${number}`, after };
  }
  return null;
}

const classes: Readonly<Record<string, string>> = { X: '0123456789', Z: '123456789', N: '23456789' };

/** At each place of an extension, the keys that match there. */
function placesOf(extension: string): string[] {
  if (!extension.startsWith('_')) return Array.from(extension);
  return Array.from(
    extension.slice(1).matchAll(/\[([^\]]*)\]|./g),
    ([one, set]) => set ?? classes[one] ?? one,
  );
}

function matches(extension: string, digits: string): boolean {
  const places = placesOf(extension);
  return Array.from(digits).every((digit, place) => places[place]?.includes(digit));
}

function matchesMore(extensions: Iterable<string>, digits: string): boolean {
  return [...extensions].some((one) => placesOf(one).length > digits.length && matches(one, digits));
}

/** The one with fewer keys at the first place where two differ. */
function bestMatch(extensions: Iterable<string>, digits: string): string | null {
  const found = [...extensions].filter(
    (one) => placesOf(one).length === digits.length && matches(one, digits),
  );
  const counts = (one: string): number[] => placesOf(one).map(({ length }) => length);
  return (
    found.sort((one, other) => {
      const place = counts(one).findIndex((count, at) => count !== counts(other)[at]);
      return place < 0 ? 0 : counts(one)[place]! - counts(other)[place]!;
    })[0] ?? null
  );
}

const key = fc.oneof(fc.constantFrom(...Array.from('0123456789*#')), fc.stringMatching(/^[0-9*]{2,4}$/));
const pattern = fc.stringMatching(/^[1-9ZN][0-9XZN]{0,4}$/);
const number = fc.stringMatching(/^[0-9]{1,7}$/);
const directDial = fc.option(
  fc.record({
    numbers: fc.oneof(fc.constant('directory' as const), fc.array(pattern, { maxLength: 4 })),
    digit_timeout: fc.constant(2),
  }),
);

describe('the extensions of a menu that takes several digits', () => {
  it('lead callers as the simulator does, whatever they enter', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(key, { minLength: 1, maxLength: 8 }),
        directDial,
        fc.uniqueArray(number, { maxLength: 12 }),
        fc.array(
          fc.oneof(
            { weight: 9, arbitrary: fc.constantFrom(...Array.from('0123456789*#')) },
            { weight: 1, arbitrary: fc.constant('-') },
          ),
          {
            minLength: 1,
            maxLength: 10,
          },
        ),
        fc.nat(),
        (keys, dial, numbers, typed, choice) => {
          const menu = menuWith(keys, dial);
          const extensions = new Set(dial?.numbers === 'directory' ? numbers : []);
          const flow: Flow = { ...menusOnly(menu.id, new Map([[menu.id, menu]])), extensions };
          // Half of the callers begin with something that exists.
          const known = [...keys, ...numbers];
          const inputs = choice % 2 === 0 ? [...Array.from(known[choice % known.length]!), ...typed] : typed;
          expect(byExtensions(menu, extensions, inputs)).toEqual(byEngine(flow, inputs));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('of patterns leave out emergency and service numbers, and what waits for more digits ends with #', () => {
    const actions = dialledExtensions(
      menuWith(['1'], { numbers: ['1XX', '11XX'], digit_timeout: 2 }),
      new Set(),
    );
    expect(Object.fromEntries(actions)).toMatchObject({
      '1': 'lead',
      '1#': 'lead',
      _1XX: 'dial',
      _11X: 'dial',
      '_11X#': 'dial',
      '112': 'wrong',
      '112#': 'wrong',
      _11XX: 'dial',
      '199': 'too_far',
    });
    expect(actions.has('_1XX#')).toBe(false);
  });

  it('of a menu without them are its keys', () => {
    expect([...dialledExtensions(menuWith(['1', '#'], null), new Set(['100']))]).toEqual([
      ['1', 'lead'],
      ['#', 'lead'],
    ]);
  });
});
