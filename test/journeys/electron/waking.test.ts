import { expect } from '@playwright/test';
import type { Owner } from '../owner.ts';
import { SecondService } from '../second-service.ts';
import { ManualClock, withManualClock } from './manual-clock.ts';
import { oneAppForAll } from './launch-app.ts';

const second = 1_000;
const hour = 3_600 * second;

const test = oneAppForAll(withManualClock).extend<{ clock: ManualClock }>({
  clock: async ({ app }, use) => {
    const clock = await ManualClock.of(app);
    await use(clock);
    // Headers of replies have the machine's time: to an app that is ahead, the service would be behind.
    await clock.sleepFor(0);
  },
});

const shown = (owner: Owner, name: string) => owner.ask('readCredential', { params: { name } });

test(
  'what failed because nothing answered is tried at once when the network is back',
  { tag: '@long' },
  async ({ app, clock, status, owner, services }) => {
    await status.expectRunning();
    const name = `network-${process.pid}`;
    const elsewhere = new SecondService(services);
    const setOnline = (isOnline: boolean) =>
      app.evaluate(({ net }, is) => void (net.isOnline = () => is), isOnline);
    try {
      await elsewhere.start();
      await elsewhere.isKeptBy(owner, name, []);
      await elsewhere.stop();
      await owner.ask('rotateCredential', { params: { name } });
      expect((await shown(owner, name)).trouble).toMatchObject({ kind: 'unreachable', attempts: 1 });
      await elsewhere.start();
      await expect.poll(() => clock.isRepeated(5 * second), 'it looks at the network').toBe(true);
      await setOnline(false);
      await clock.sleepFor(31 * second); // two attempts are so far apart at least
      await clock.passUntil(6 * second);
      expect((await shown(owner, name)).trouble).toMatchObject({ kind: 'unreachable', attempts: 1 });

      await setOnline(true);
      await clock.passUntil(12 * second);
      await expect.poll(() => shown(owner, name)).toMatchObject({ state: 'fine', generation: 2 });
    } finally {
      await elsewhere.clearAway();
    }
  },
);

test(
  'a copied secret is cleared from the clipboard after 30 s, and what was copied meanwhile stays',
  { tag: '@long' },
  async ({ app, clock, status }) => {
    await status.expectRunning();
    const copy = (secret: string) =>
      status.page.evaluate(
        (copied) => (window as unknown as Window & { rotavox: Bridge }).rotavox.copySecret(copied),
        secret,
      );
    const held = () => app.evaluate(({ clipboard }) => clipboard.readText());

    await copy('a secret');
    await clock.passUntil(29 * second);
    expect(await held()).toBe('a secret');
    await copy('another secret');
    await clock.passUntil(58 * second);
    expect(await held(), 'counted from the second').toBe('another secret');
    await clock.passUntil(60 * second);
    await expect.poll(held).toBe('');

    await copy('a third secret');
    await app.evaluate(({ clipboard }) => void clipboard.writeText('not ours'));
    await clock.passUntil(120 * second);
    expect(await held()).toBe('not ours');
  },
);

for (const event of ['resume', 'unlock-screen'] as const)
  test(
    `what came due while the machine slept is rotated at once at its ${event}`,
    { tag: '@long' },
    async ({ app, clock, status, owner }) => {
      await status.expectRunning();
      const name = `${event}-${process.pid}`;
      const { access_token: value } = await owner.issueToken({ name, validity_days: 1 });
      await owner.ask('addCredential', { body: { name, value } });
      await clock.sleepFor(20 * hour);
      expect(await shown(owner, name)).toMatchObject({ state: 'due', generation: 1 });

      await app.evaluate(({ powerMonitor }, told) => void powerMonitor.emit(told), event);
      await expect.poll(() => shown(owner, name)).toMatchObject({ state: 'fine', generation: 2 });
      await owner.ask('removeCredential', { params: { name } });
    },
  );

interface Bridge {
  copySecret(secret: string): Promise<void>;
}
