import { describe, expect, it } from 'vitest';
import { AttentionList } from '../../../src/contract/window/attention.ts';
import { PortalStatus } from '../../../src/contract/service/portal.ts';
import type { TeamHost } from '../../../src/contract/service/team.ts';
import { Lifeline } from '../../../src/contract/window/lifeline.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { ManualOrigin, otherMachine } from '../../fakes/manual-origin.ts';
import { MemoryVault } from '../../fakes/memory-vault.ts';
import { type Answer, OpenService } from '../open-service.ts';
import { issueAndAdd, shown } from './credential-token.ts';
import { follower, leader, missing } from '../../fixtures/team-hosts.ts';
import { replacedError } from '../../../src/contract/shapes.ts';
import type { DraftId } from '../../../src/contract/menu/ivr-draft.ts';
import type { FamilyId } from '../../../src/contract/token/token.ts';
import { extensionKind } from '../../../src/core/change-directory.ts';
import { createDraft } from '../../../src/core/ivr/draft/change-draft.ts';
import { issueToken } from '../../../src/core/token/issue-token.ts';
import { passedOnHeader } from '../../../src/service/guard/passed-on.ts';
import { mintToken } from '../../../src/service/secrets/token-value.ts';
import { wavFile } from '../../fixtures/audio-files.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { twoMenus } from '../../fixtures/ivr-documents.ts';
import { ofFile } from '../../fixtures/when-over.ts';

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

describe('a service that is asked to end', () => {
  it('ends after its answer, for its own computer and for nobody else', async () => {
    let stops = 0;
    const open = await OpenService.start({ stop: () => (stops += 1) });
    const url = '/portal/stop';
    expect(await open.call({ method: 'POST', url })).toMatchObject({ status: 401 });
    const { key } = (await open.owner('POST', '/portal/owners', { name: 'Ada' })).body;
    const headers = { authorization: `Bearer ${String(key)}` };
    expect(await open.call({ method: 'POST', url, headers, payload: {} })).toMatchObject({ status: 409 });
    const passedOn = { payload: {}, headers: { [passedOnHeader]: 'from another host' } };
    const { portalKey } = open.service.sessions;
    expect(await open.bearer(portalKey, 'POST', url, passedOn)).toMatchObject({ status: 409 });
    expect(stops).toBe(0);
    expect(await open.owner('POST', '/portal/stop', {})).toMatchObject({ status: 200, body: {} });
    expect(stops).toBe(1);
  });

  it('goes on where it is not ended by calls, such as in the app', async () => {
    const open = await OpenService.start();
    const { status, body } = await open.owner('POST', '/portal/stop', {});
    expect(status).toBe(409);
    expect(body.message).toContain('Quit the app');
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

/** Reported as ways to make a name look like another: XiovV/calich#252, Mesh-America/supply-drop-bbs#228, open-mercato/cezar#988. */
const unfit = {
  'a right-to-left override': 'payroll\u202egnp.exe',
  'an isolate that nothing ends': 'Sales\u2067',
  'a right-to-left mark': 'Sales\u200f1',
  'a line break': 'Sales\nExpired: all tokens',
  'an escape sequence': 'Sales\u001b[2J',
  'a NUL': 'Sales\0',
  'a line separator': 'Sales\u2028x',
  'a zero-width space': 'Sa\u200bles',
  'a byte order mark': 'Sales\ufeff1',
  'letters that nobody sees': 'Sales\u3164',
  'a tag that nobody sees': 'Sales\u{e0041}',
  'half a pair': 'Sales\ud83d',
};
const fit = [
  'Anna-Lena Müller',
  'شماره\u200cگیری',
  'क्\u200dष',
  '👩‍👩‍👧 ❤️',
  '営業󠄀',
  'שלום',
  'O’Brien & Söhne; =1',
];

const { reception } = twoMenus.nodes as unknown as { reception: object };
const scenario = Object.values(twoMenus.scenarios)[0]!;
const drafts = '/portal/ivrs/drafts';
type Send = (service: OpenService, name: string, value: string) => Promise<Answer>;
const named: Record<string, Send> = {
  'a token': (service, name) => service.owner('POST', '/portal/tokens', { name, validity_days: 7 }),
  'a category': (service, category) =>
    service.owner('POST', '/portal/tokens', { name: 'a', category, validity_days: 7 }),
  'a menu': (service, name, value) =>
    service.bearer(value, 'POST', '/v1/ivr', { payload: { ...ivrBody, name } }),
  'a call flow': (service, name) => service.owner('POST', drafts, { document: { ...twoMenus, name } }),
  'a menu of a call flow': (service, name) =>
    service.owner('POST', drafts, {
      document: { ...twoMenus, nodes: { ...twoMenus.nodes, reception: { ...reception, name } } },
    }),
  'a scenario': (service, name) =>
    service.owner('POST', drafts, {
      document: { ...twoMenus, scenarios: { [scenario.id]: { ...scenario, name } } },
    }),
  'an extension': (service, name) =>
    service.owner('PATCH', '/portal/extensions', { set: [{ id: '101', name }] }),
  'an extension in a file': (service, name) =>
    service.owner('POST', '/portal/extensions/import', { csv: `id,name\n101,"${name}"` }),
  'an SMS template': (service, name) =>
    service.owner('PATCH', '/portal/sms-templates', { set: [{ id: 'a', name, text: '' }] }),
  'a prompt': (service, name) =>
    service.call({
      method: 'POST',
      url: `/portal/recordings?${new URLSearchParams({ name }).toString()}`,
      headers: {
        authorization: `Bearer ${service.service.sessions.portalKey}`,
        'content-type': 'audio/wav',
      },
      payload: Buffer.from(wavFile()),
    }),
};

/** Whatever has a name already, another may have it too. */
const services = ofFile(() => OpenService.start());

describe.each(Object.entries(named))('the name of %s', (what, send) => {
  it('is refused with what nobody sees as it is, and nothing changes', async () => {
    const service = await services.get();
    const { value } = await service.issue();
    expect((await send(service, 'fit', value)).status).toBe(200);
    const before = service.store.health().last_seq;
    for (const [why, name] of Object.entries(unfit)) {
      if (what === 'a prompt' && !name.isWellFormed()) continue; // no address has it
      const { status, body } = await send(service, name, value);
      expect(status, why).toBe(400);
      expect(JSON.stringify(body), why).toMatch(/invisible characters/);
      expect(JSON.stringify(body), why).not.toMatch(/[\u202e\u2067\u200b]/u);
    }
    expect(service.store.health().last_seq).toBe(before);
  });

  it('is refused where another program has lost a letter, and nothing changes', async () => {
    const service = await services.get();
    const { value } = await service.issue();
    expect((await send(service, 'fit', value)).status).toBe(200);
    const before = service.store.health().last_seq;
    const { status, body } = await send(service, 'M\ufffdller', value);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(replacedError);
    expect(service.store.health().last_seq).toBe(before);
  });

  it('may have joiners, variation selectors and letters of every script', async () => {
    const service = await services.get();
    const { value } = await service.issue();
    for (const name of fit) expect((await send(service, name, value)).status, name).toBe(200);
  });
});

describe('names from before there was this rule', () => {
  const old = 'Sales\u202e\n1';

  it('are read, and what has one can be used and changed', async () => {
    const service = await OpenService.start();
    const { value, digest } = mintToken('api');
    const configuration = {
      name: old,
      category: old,
      validity_days: 7,
      scopes: [],
      ip_restrictions: [],
    };
    await service.store.transact((_state, nowMs) =>
      issueToken({ familyId: 'fam_old' as FamilyId, digest, configuration, expiresAtMs: null }, nowMs),
    );
    expect((await service.rotate(value)).status).toBe(200);
    const { body } = await service.owner('GET', '/portal/tokens');
    expect((body['tokens'] as { name: string }[]).map(({ name }) => name)).toEqual([old, old]);

    const document = { ...twoMenus, name: old };
    const id = 'draft_old' as DraftId;
    await service.store.transact((_state, nowMs) => createDraft({ id, document }, nowMs));
    const save = (revision: number, changed: object) =>
      service.owner('PUT', `${drafts}/${id}`, { revision, document: changed });
    expect((await service.owner('GET', `${drafts}/${id}`)).body).toMatchObject({ document });
    expect((await save(1, { ...document, scenarios: {} })).status).toBe(200);
    expect((await save(2, { ...document, name: `${old}2` })).status).toBe(400);
    expect((await save(2, { ...document, name: 'Sales' })).status).toBe(200);
  });

  it('survive a restart', async () => {
    const service = await OpenService.start();
    await service.store.transact(() => ({
      events: [extensionKind.changed({ set: [{ id: '101', name: old }], removed: [] })],
      value: null,
    }));
    await service.stop();
    const again = await OpenService.start({ folder: service.folder });
    expect((await again.owner('GET', '/portal/extensions')).body).toEqual({
      extensions: [{ id: '101', name: old }],
    });
  });
});
