import { describe, expect, it } from 'vitest';
import { AttentionList } from '../../../src/contract/attention.ts';
import { Lifeline } from '../../../src/contract/lifeline.ts';
import { dayMs } from '../../../src/core/token/token.ts';
import { MemoryVault } from '../../fakes/memory-vault.ts';
import { OpenService } from '../open-service.ts';

const urls = ['/portal/attention', '/portal/lifeline'] as const;

async function readBoth(open: OpenService): Promise<{ attention: AttentionList; lifeline: Lifeline }> {
  const [attention, lifeline] = await Promise.all(urls.map((url) => open.owner('GET', url)));
  expect([attention!.status, lifeline!.status]).toEqual([200, 200]);
  return { attention: AttentionList.parse(attention!.body), lifeline: Lifeline.parse(lifeline!.body) };
}

describe('the overview', () => {
  it.each(urls)('is for the owner only: %s', async (url) => {
    const open = await OpenService.start();
    expect(await open.call({ method: 'GET', url })).toMatchObject({ status: 401 });
  });

  it('of an empty service is empty', async () => {
    const { attention, lifeline } = await readBoth(await OpenService.start());
    expect(attention).toEqual({ items: [], left_out: 0, next_rotation: null });
    expect(lifeline).toMatchObject({ rows: [], left_out: 0 });
  });

  it('shows a token from its issue on, and asks for it before it ends; rotated, it is calm again', async () => {
    const open = await OpenService.start();
    const { value, id } = await open.issue({ name: 'nightly' });
    open.clock.nowMs += 6.5 * dayMs;
    const before = await readBoth(open);
    expect(before.attention.items).toMatchObject([{ kind: 'ends_unkept', name: 'nightly', token_id: id }]);
    expect(before.lifeline.rows).toMatchObject([{ kind: 'family', name: 'nightly', needs_attention: true }]);

    await open.rotate(value);
    const after = await readBoth(open);
    expect(after.attention.items).toEqual([]);
    expect(after.lifeline.rows).toMatchObject([
      { needs_attention: false, generations: [{ 2: 'superseded' }, { 2: 'present' }] },
    ]);
  });

  it('shows a credential in the place of the family that it keeps, and its next rotation', async () => {
    const open = await (await OpenService.start({ vault: new MemoryVault() })).listen();
    const { value } = await open.issue({ name: 'nightly' });
    await open.owner('POST', '/portal/credentials', { name: 'nightly-job', value });
    const { attention, lifeline } = await readBoth(open);
    expect(lifeline.rows).toMatchObject([{ kind: 'credential', name: 'nightly-job', service: 'embedded' }]);
    const [row] = lifeline.rows;
    expect(row).toHaveProperty('next_rotation_at', attention.next_rotation?.at);
    expect(attention).toMatchObject({ items: [], next_rotation: { name: 'nightly-job' } });
  });
});
