import { describe, expect, it } from 'vitest';
import { AttentionList } from '../../../src/contract/window/attention.ts';
import { PortalStatus } from '../../../src/contract/service/portal.ts';
import type { TeamHost } from '../../../src/contract/service/team.ts';
import { Lifeline } from '../../../src/contract/window/lifeline.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { ManualOrigin, otherMachine } from '../../fakes/manual-origin.ts';
import { MemoryVault } from '../../fakes/memory-vault.ts';
import { OpenService } from '../open-service.ts';
import { issueAndAdd, shown } from './credential-token.ts';
import { follower, leader, missing } from '../../fixtures/team-hosts.ts';

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

describe('data from another machine', () => {
  async function startElsewhere() {
    const origin = new ManualOrigin();
    origin.from = otherMachine;
    return { origin, open: await OpenService.start({ origin }) };
  }
  const statusOf = async (open: OpenService) =>
    PortalStatus.parse((await open.owner('GET', '/portal/status')).body);

  it('are reported and waited for until an owner confirms, and once', async () => {
    const { open } = await startElsewhere();
    expect((await readBoth(open)).attention.items).toEqual([
      { kind: 'moved', from: otherMachine, waiting: [] },
    ]);
    expect((await statusOf(open)).moved_from).toEqual(otherMachine);
    expect(await open.call({ method: 'POST', url: '/portal/confirm-move' })).toMatchObject({ status: 401 });
    expect((await statusOf(open)).moved_from).toEqual(otherMachine);
    const confirm = () => open.owner('POST', '/portal/confirm-move', {});
    expect(await confirm()).toMatchObject({ status: 200, body: { confirmed: otherMachine } });
    expect((await readBoth(open)).attention.items).toEqual([]);
    expect((await statusOf(open)).moved_from).toBeNull();
    expect(await confirm()).toMatchObject({ status: 200, body: { confirmed: null } });
  });

  it('wait on when the confirmation cannot be written', async () => {
    const { open, origin } = await startElsewhere();
    origin.refusal = 'The disk is full.';
    expect(await open.owner('POST', '/portal/confirm-move', {})).toMatchObject({
      status: 409,
      body: { message: 'The disk is full.' },
    });
    expect((await statusOf(open)).moved_from).toEqual(otherMachine);
  });

  it('are those of no team', async () => {
    const open = await OpenService.start();
    expect((await statusOf(open)).moved_from).toBeNull();
    expect((await open.owner('POST', '/portal/confirm-move', {})).body).toEqual({ confirmed: null });
  });

  it('get a target that is delivered to later', async () => {
    const { open, origin } = await startElsewhere();
    await open.listen();
    await issueAndAdd(open, 'a');
    const target = { kind: 'keychain', service: 'app', account: 'me' };
    expect(await open.owner('POST', '/portal/credentials/a/targets', target)).toMatchObject({
      status: 200,
      body: { targets: [{ generation: 0 }] },
    });
    expect(await open.vault.read({ service: 'app', account: 'me' })).toBeNull();
    origin.from = null;
    const [{ id } = { id: '' }] = (await shown(open, 'a')).targets;
    expect((await open.owner('POST', `/portal/credentials/a/targets/${id}/deliver`)).status).toBe(200);
    expect(await open.vault.read({ service: 'app', account: 'me' })).not.toBeNull();
  });
});

describe('the hosts of a team', () => {
  async function startWith(...hosts: TeamHost[]) {
    const team = {
      hosts,
      read: () => Promise.resolve({ epoch: 1, hosts: team.hosts }),
      remove(id: string) {
        team.hosts = team.hosts.filter((host) => host.id !== id);
        return Promise.resolve();
      },
    };
    return { team, open: await OpenService.start({ team }) };
  }

  it('are none of a host that is alone', async () => {
    const open = await OpenService.start();
    const { body } = await open.owner('GET', '/portal/status');
    expect(PortalStatus.parse(body)).not.toHaveProperty('team');
    expect(await open.owner('DELETE', '/portal/hosts/h1')).toMatchObject({ status: 404 });
  });

  it('are without one that was removed, which needs no attention any more', async () => {
    const { open } = await startWith(leader, follower, missing);
    expect((await readBoth(open)).attention.items).toMatchObject([{ kind: 'host_missing', id: 'h3' }]);
    expect(await open.owner('DELETE', '/portal/hosts/h3')).toMatchObject({ status: 200, body: {} });
    expect((await readBoth(open)).attention.items).toEqual([]);
    const { body } = await open.owner('GET', '/portal/status');
    expect(PortalStatus.parse(body).team?.hosts).toEqual([leader, follower]);
    expect(await open.owner('DELETE', '/portal/hosts/h3')).toMatchObject({ status: 404 });
  });

  it.each([leader, follower])('are not removed while they run: $name', async ({ id, address }) => {
    const { open, team } = await startWith(leader, follower);
    const refused = await open.owner('DELETE', `/portal/hosts/${id}`);
    expect(refused).toMatchObject({ status: 409 });
    expect(refused.body['message']).toContain(address);
    expect(team.hosts).toHaveLength(2);
  });

  it('are removed by an owner only', async () => {
    const { open, team } = await startWith(leader, missing);
    expect(await open.call({ method: 'DELETE', url: '/portal/hosts/h3' })).toMatchObject({ status: 401 });
    expect(team.hosts).toHaveLength(2);
  });
});
