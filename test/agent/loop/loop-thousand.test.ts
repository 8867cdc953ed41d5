import { expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { type Kind, mixed, openThousandDue, soonest } from '../../fixtures/thousand-due.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const kinds = Object.keys(mixed) as Kind[];

it(
  'a thousand credentials of six services that are due at once are rotated within the limits of each',
  { tags: ['long'], timeout: 240_000 },
  async () => {
    const due = await openThousandDue(makeFolder(), 20 * secondMs);
    onTestFinished(() => due.close());
    due.agent.start();
    await due.untilRotated(20 * minuteMs);

    // None is lost, and each has a token that works.
    expect(due.rotated()).toHaveLength(1_000);
    const names = kinds.flatMap((kind) =>
      Array.from({ length: mixed[kind].count }, (_, place) => `${kind}-${place}`),
    );
    const dead: string[] = [];
    for (const name of names) if (!(await due.works(name))) dead.push(name);
    expect(dead).toEqual([]);

    for (const kind of kinds) {
      const { breaches, early, calls } = due.services[kind];
      // Where the limit is known it is never met.
      if (mixed[kind].isDocumented) expect(breaches, kind).toEqual([]);
      // Elsewhere the service complains at a few instants, and is not called before it wants to be.
      expect(new Set(breaches).size, kind).toBeLessThanOrEqual(6);
      expect(breaches.length, kind).toBeLessThanOrEqual(20);
      expect(early, kind).toBe(0);
      // No burst: the first second has a few calls.
      const [firstMs = 0] = calls;
      expect(calls.filter((atMs) => atMs < firstMs + secondMs).length, kind).toBeLessThanOrEqual(20);
      // The one whose token is about to end goes first.
      const place = due.rotated(kind).indexOf(`${kind}-${soonest(kind)}`);
      expect(place, kind).toBeGreaterThanOrEqual(0);
      expect(place, kind).toBeLessThan(8);
    }

    // A service without a limit does not wait for the others.
    expect(due.tookMs('vault')).toBeLessThan(minuteMs);
    expect(due.tookMs('vault')).toBeLessThan(due.tookMs('keys') / 2);
  },
);
