import { describe, expect, it } from 'vitest';
import { dayMs } from '../../src/core/token/token-record.ts';
import { OpenService } from './open-service.ts';
import { waitFor } from '../fixtures/wait-for.ts';

/** Makes the watch check the clock, and waits until it has recorded what has expired. */
async function wakeUntilExpired(service: OpenService, id: string): Promise<void> {
  service.service.wake();
  await waitFor(async () => {
    expect((await service.historyOf(id))[0]).toMatchObject({ kind: 'token.expired' });
  });
}

describe('the end of a token', () => {
  it('happens at its instant, without a call', async () => {
    const service = await OpenService.start();
    const { value, id } = await service.issue({ validity_days: 1 });
    service.clock.nowMs += dayMs - 1;
    expect(await service.statusOf(id)).toBe('Active');
    service.clock.nowMs += 1;
    expect(await service.statusOf(id)).toBe('Expired');
    expect((await service.rotate(value)).status).toBe(401);
  });

  it('is recorded once, with its instant', async () => {
    const service = await OpenService.start();
    const { id } = await service.issue({ validity_days: 1 });
    const endedAt = new Date(service.clock.nowMs + dayMs).toISOString();
    service.clock.nowMs += 3 * dayMs; // asleep over the weekend
    await wakeUntilExpired(service, id);
    service.service.wake();
    const history = await service.historyOf(id);
    expect(history.filter(({ kind }) => kind === 'token.expired')).toMatchObject([
      { data: { expired_at: endedAt } },
    ]);
    expect((await service.owner('GET', `/portal/tokens/${id}`)).body).toMatchObject({
      status: 'Expired',
      ended_at: endedAt,
    });
  });

  it('takes a Suspended token too', async () => {
    const service = await OpenService.start();
    const { id } = await service.issue({ validity_days: 1 });
    await service.owner('POST', `/portal/tokens/${id}/suspend`);
    service.clock.nowMs += dayMs;
    await wakeUntilExpired(service, id);
    expect((await service.owner('POST', `/portal/tokens/${id}/resume`)).status).toBe(409);
  });

  it('is recorded for a successor too, at its own expiry, even if the clock was set back before the rotation', async () => {
    const service = await OpenService.start();
    const { value, id } = await service.issue({ validity_days: 7 });
    service.clock.nowMs -= 5 * dayMs;
    expect((await service.rotate(value)).status).toBe(200);
    const successor = id.replace(/_1$/, '_2');
    service.clock.nowMs += 7 * dayMs; // two days after the source was issued, and the expiry of the successor
    await wakeUntilExpired(service, successor);
    const history = await service.historyOf(successor);
    expect(history.filter(({ kind }) => kind === 'token.expired')).toHaveLength(1);
    expect(await service.statusOf(id)).toBe('Superseded');
  });

  it('is recorded once for the last of many successors', async () => {
    const service = await OpenService.start();
    let { value } = await service.issue({ validity_days: 1 });
    for (let generation = 2; generation <= 4; generation += 1) {
      service.clock.nowMs += dayMs / 2;
      value = String((await service.rotate(value)).body.access_token);
    }
    const [newest] = [...service.store.state.tokens.values()].slice(-1);
    service.clock.nowMs += dayMs;
    await wakeUntilExpired(service, newest?.id ?? '');
    expect(service.store.state.tokens.counts).toMatchObject({ Expired: 1, Superseded: 3 });
  });

  it('is in effect after a restart past it, and is then recorded', async () => {
    const service = await OpenService.start();
    const { id } = await service.issue({ validity_days: 1 });
    await service.stop();
    service.clock.nowMs += 2 * dayMs;
    const restarted = await OpenService.start({ folder: service.folder, clock: service.clock });
    expect(await restarted.statusOf(id)).toBe('Expired');
    await waitFor(async () => {
      expect((await restarted.historyOf(id))[0]).toMatchObject({ kind: 'token.expired' });
    });
  });

  it('stays when the clock is set back after it was recorded', async () => {
    const service = await OpenService.start();
    const { id } = await service.issue({ validity_days: 1 });
    service.clock.nowMs += dayMs;
    await wakeUntilExpired(service, id);
    service.clock.nowMs -= 5 * dayMs;
    expect(await service.statusOf(id)).toBe('Expired');
  });

  it('happens for thousands at once', async () => {
    const service = await OpenService.start();
    for (let round = 0; round < 12; round += 1) {
      await Promise.all(Array.from({ length: 100 }, () => service.issue({ validity_days: 1 })));
    }
    service.clock.nowMs += dayMs;
    service.service.wake();
    await waitFor(() => {
      expect(service.store.state.tokens.counts.Expired).toBe(1200);
    });
  });
});
