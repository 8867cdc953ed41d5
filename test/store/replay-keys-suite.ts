import { describe, expect, it } from 'vitest';
import type { ReplayKeyring } from '../../src/service/secrets/sealed-reply.ts';

const hourMs = 3_600_000;
const noon = Date.parse('2026-11-23T12:00:00Z');

export interface KeyringFixture {
  /** Opened as after a restart: it knows what is durable. */
  open(clock: () => number): Promise<ReplayKeyring> | ReplayKeyring;
}

/** What every store of replay keys has to do. */
export function describeReplayKeysSuite(
  name: string,
  make: () => Promise<KeyringFixture> | KeyringFixture,
): void {
  describe(`${name}, as every store of replay keys`, () => {
    async function makeSetup() {
      const fixture = await make();
      let nowMs = noon;
      const open = () => fixture.open(() => nowMs);
      return { open, keys: await open(), wait: (ms: number) => (nowMs += ms) };
    }

    it('has one key for an hour, and another for the next', async () => {
      const { keys, wait } = await makeSetup();
      const { epoch, key } = keys.current();
      expect(key).toHaveLength(32);
      wait(hourMs - 1);
      expect(keys.current()).toEqual({ epoch, key });
      wait(1);
      expect(keys.current().epoch).not.toBe(epoch);
      expect(keys.current().key).not.toEqual(key);
      expect(keys.get(epoch)).toEqual(key);
    });

    it('has used keys again after a restart', async () => {
      const { keys, open, wait } = await makeSetup();
      const used = [keys.current()];
      wait(hourMs);
      used.push(keys.current());
      const again = await open();
      for (const { epoch, key } of used) expect(again.get(epoch)).toEqual(key);
      expect(again.current()).toEqual(used[1]);
    });

    it('destroys a key once no reply of its hour can be requested, while nothing is rotated', async () => {
      const { keys, open, wait } = await makeSetup();
      const { epoch, key } = keys.current();
      wait(25 * hourMs - 1);
      await keys.renew();
      expect(keys.get(epoch)).toEqual(key);
      wait(1);
      await keys.renew();
      expect(keys.get(epoch)).toBeUndefined();
      expect((await open()).get(epoch)).toBeUndefined();
    });
  });
}
