import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import {
  type IvrDocument,
  type IvrDraft,
  NodeId,
  type PublishReply,
} from '../../../src/contract/menu/ivr-draft.ts';
import type { Ivr, IvrId } from '../../../src/contract/menu/ivr.ts';
import type { ScheduleId } from '../../../src/contract/menu/schedule.ts';
import { flowOfStored, readFlow, writeFlow } from '../../../src/core/calls/flow-of-stored.ts';
import { runInputs } from '../../../src/core/ivr/call/run-scenario.ts';
import { newHours, newMessage } from '../../../src/core/ivr/edit/edit-nodes.ts';
import { startFaultyProxy } from '../../fakes/faulty-proxy.ts';
import { filesBelow } from '../../fixtures/make-folder.ts';
import { halfWired, twoMenus } from '../../fixtures/ivr-documents.ts';
import { OpenService } from '../open-service.ts';

const drafts = '/portal/ivrs/drafts';

async function createDraft(service: OpenService, document: IvrDocument = twoMenus): Promise<string> {
  const { body } = await service.owner('POST', drafts, { document });
  return String(body['id']);
}

async function publish(
  service: OpenService,
  id: string,
  credential: string | null = null,
  revision?: number,
): Promise<PublishReply> {
  const present = await read(service, id);
  const wanted = { revision: revision ?? present.revision, credential };
  const { status, body } = await service.owner('POST', `${drafts}/${id}/publish`, wanted);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as PublishReply;
}

async function read(service: OpenService, id: string): Promise<IvrDraft> {
  return (await service.owner('GET', `${drafts}/${id}`)).body as unknown as IvrDraft;
}

/** This service with a credential of another one, which listens behind a faulty proxy. */
async function twoServices(scopes: string[] = []) {
  const [service, other] = [await OpenService.start(), await OpenService.start()];
  await other.listen();
  const address = other.app.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const proxy = await startFaultyProxy(() => `http://127.0.0.1:${port}`);
  const { value, id } = await other.issue({ scopes });
  const added = await service.owner('POST', '/portal/credentials', {
    name: 'elsewhere',
    value,
    base_url: proxy.baseUrl,
    expires_at: new Date(service.clock.nowMs + 7 * 86_400_000).toISOString(),
    validity_days: 7,
  });
  expect(added.status, JSON.stringify(added.body)).toBe(200);
  return { service, other, proxy, token: { value, id } };
}

/** A menu as the platform's `GET /v1/ivrs` returns it: retries, keys one by one, destinations in two parts. */
function inPlatformWords(menu: Ivr): object {
  const { option, destination, invalid_destination, timeout_destination, ...rest } = menu;
  const { incorrect_count, timeout_tries, version: _version, ...shown } = rest;
  const [invalid, silence] = [invalid_destination, timeout_destination].map((text) => text.split('||'));
  return {
    ...shown,
    timeout: String(menu.timeout),
    invalid_retries: incorrect_count,
    timeout_retries: String(timeout_tries),
    invalid_destination_type: invalid?.[0],
    invalid_destination: invalid?.[1],
    timeout_destination_type: silence?.[0],
    timeout_destination: silence?.[1],
    ivr_menu: option
      .map((key, place) => {
        const [type, ref] = destination[place]?.split('||') ?? [];
        return { id: place, option: key, destination_type: type, destination_id: ref, sms_template_id: null };
      })
      .reverse(),
  };
}

/** The two menus behind opening hours, and a message while it is closed. */
function withHours(hours: ScheduleId): IvrDocument {
  const [ask, shut] = ['ask', 'shut'].map((id) => NodeId.parse(id)) as [NodeId, NodeId];
  const sales = Object.values(twoMenus.nodes).find(({ kind }) => kind === 'end')!;
  return {
    ...twoMenus,
    caller: { ...twoMenus.caller, to: ask },
    nodes: {
      ...twoMenus.nodes,
      [ask]: { ...newHours(ask, hours, { x: 0, y: 0 }), open: twoMenus.caller.to, closed: shut },
      [shut]: { ...newMessage(shut, 'Shut', { x: 0, y: 0 }), recording: 'recording||9', then: sales.id },
    },
    scenarios: {},
  };
}

const menusOf = (service: OpenService) => [...service.store.state.ivrs.values()];

test('what only this service can store is stored here, and named before anything is sent to another', async () => {
  const { service, other, proxy } = await twoServices();
  const document = {
    ...twoMenus,
    nodes: Object.fromEntries(
      Object.entries(twoMenus.nodes).map(([id, node]) => [
        id,
        node.kind === 'end' && node.type === 'extension'
          ? { ...node, type: 'ring_group' as const, ref: 'sales' }
          : node,
      ]),
    ),
    scenarios: {},
  };
  const id = await createDraft(service, document);
  const refused = await publish(service, id, 'elsewhere');
  expect(refused).toMatchObject({ outcome: 'blocked', version: null, exchanges: [] });
  expect(refused.message).toContain('Another service cannot have ring group sales');
  expect(menusOf(other)).toEqual([]);
  expect(await publish(service, id)).toMatchObject({ outcome: 'published', version: 1 });
  await proxy.close();
});

describe('publishing to this service', () => {
  it('stores every menu with the ids of the others, circles too, and shows each request with its reply', async () => {
    const service = await OpenService.start();
    const id = await createDraft(service);
    const reply = await publish(service, id);
    expect(reply).toMatchObject({ outcome: 'published', version: 1 });
    const menus = Object.fromEntries(menusOf(service).map((menu) => [menu.name, menu]));
    expect(menus['Reception']?.destination).toEqual(['extension||101', `ivr||${menus['Opening']?.id}`]);
    expect(menus['Opening']?.destination).toEqual(['extension||101', `ivr||${menus['Reception']?.id}`]);
    expect(reply.exchanges).toHaveLength(2);
    for (const { method, url, status, body, reply: said } of reply.exchanges) {
      expect([method, status]).toEqual(['POST', 200]);
      expect(url).toMatch(/\/v1\/ivr$/);
      expect(body).toMatchObject({ timeout: 5, option: expect.any(Array) as unknown });
      expect(said).toMatchObject({ Success: true, Message: 'IVR created successfully.' });
      const fields = (said as { warnings: { field: string }[] }).warnings.map(({ field }) => field);
      expect(fields).toContain('destination[0]');
      // The other menu is created together with it.
      expect(fields).not.toContain('destination[1]');
    }
    expect((await read(service, id)).publications).toMatchObject([
      { credential: null, version: 1, menus: { reception: menus['Reception']?.id } },
    ]);
  });

  it('stores opening hours and messages with the menus, which calls then run through', async () => {
    const service = await OpenService.start();
    const { body } = await service.owner('POST', '/portal/schedules', {
      name: 'Office',
      time_zone: 'UTC',
      weekly: { mon: [{ from: '08:00', to: '17:00' }] },
      exceptions: [],
    });
    const hours = String(body['id']) as ScheduleId;
    const document = withHours(hours);
    const id = await createDraft(service, document);
    expect(await publish(service, id)).toMatchObject({ outcome: 'published', version: 1 });
    const { state } = service.store;
    const publication = (await read(service, id)).publications[0];
    const { ask = '', shut = '', reception = '' } = publication?.menus ?? {};
    expect([...state.flowParts.values()]).toEqual([
      {
        kind: 'hours',
        id: ask,
        name: document.name,
        hours,
        open: `ivr||${reception}`,
        closed: `message||${shut}`,
        holiday: null,
      },
      { kind: 'message', id: shut, name: 'Shut', recording: 'recording||9', then: 'extension||101' },
    ]);
    const flow = flowOfStored(state.ivrs, ask, state);
    if (flow === null) throw new Error('it is stored');
    const at = (iso: string) => ({ at: Date.parse(iso), switches: new Map() });
    expect(runInputs(flow, [], at('2026-11-30T09:00:00Z')).state).toMatchObject({ menu: reception });
    expect(runInputs(flow, [], at('2026-11-29T09:00:00Z')).state).toMatchObject({
      destination: 'extension||101',
    });
    expect(readFlow(writeFlow(flow))).toEqual({
      ...flow,
      menus: new Map(Array.from(flow.menus, ([at, menu]) => [at, { ...menu, description: '' }])),
    });
    // A schedule that callers are led by stays.
    expect((await service.owner('DELETE', `/portal/schedules/${hours}`)).status).toBe(409);

    const { versions } = (await service.owner('GET', `${drafts}/${id}/versions`)).body;
    expect(versions).toMatchObject([{ document, schedules: [{ id: hours, name: 'Office' }] }]);
    expect(await publish(service, id)).toMatchObject({ outcome: 'published', version: 2 });
    expect([...state.flowParts.keys()]).toEqual([ask, shut]);
    // What the call flow has no longer is stored no longer.
    const plain = { ...twoMenus, scenarios: {} };
    const { revision } = await read(service, id);
    await service.owner('PUT', `${drafts}/${id}`, { revision, document: plain });
    expect(await publish(service, id)).toMatchObject({ outcome: 'published', version: 3 });
    expect(state.flowParts.size).toBe(0);
  });

  it('replaces what was published before, and creates again what was deleted since', async () => {
    const service = await OpenService.start();
    const id = await createDraft(service);
    await publish(service, id);
    const [opening] = menusOf(service).filter(({ name }) => name === 'Opening');
    await service.owner('DELETE', `/portal/ivrs/${opening?.id}`);
    const reply = await publish(service, id);
    expect(reply).toMatchObject({ outcome: 'published', version: 2 });
    expect(reply.exchanges.map(({ name, method }) => [name, method]).sort()).toEqual([
      ['Opening', 'POST'],
      ['Reception', 'PUT'],
    ]);
    const menus = menusOf(service);
    expect(menus).toHaveLength(2);
    expect(menus.find(({ name }) => name === 'Reception')).toMatchObject({
      version: 2,
      destination: ['extension||101', `ivr||${menus.find(({ name }) => name === 'Opening')?.id}`],
    });
  });

  it('tells what was deleted or replaced by others since, until it is published again', async () => {
    const service = await OpenService.start();
    const id = await createDraft(service);
    await publish(service, id);
    const published = async () => (await read(service, id)).publications[0]?.altered;
    const stored = (name: string) => menusOf(service).find((menu) => menu.name === name);
    expect(await published()).toBeUndefined();

    const { value } = await service.issue();
    const { id: reception, version: _v, created_at: _c, updated_at: _u, ...body } = stored('Reception')!;
    await service.bearer(value, 'PUT', `/v1/ivr/${reception}`, { payload: { ...body, timeout: 9 } });
    expect(await published()).toEqual({ deleted: [], replaced: ['Reception'], is_gone: false });
    await service.bearer(value, 'DELETE', `/v1/ivr/${stored('Opening')?.id}`);
    expect(await published()).toEqual({ deleted: ['Opening'], replaced: ['Reception'], is_gone: false });
    await service.bearer(value, 'DELETE', `/v1/ivr/${reception}`);
    const gone = await published();
    expect(gone?.deleted.toSorted()).toEqual(['Opening', 'Reception']);
    expect(gone?.is_gone).toBe(true);
    const { body: list } = await service.owner('GET', drafts);
    expect(list).toMatchObject({ drafts: [{ publications: [{ altered: gone }] }] });

    await publish(service, id);
    expect(await published()).toBeUndefined();
  });

  it('is refused when another draft has published the menu since, until that draft is deleted', async () => {
    const service = await OpenService.start();
    const first = await createDraft(service);
    await publish(service, first);
    const { menus } = (await read(service, first)).publications[0] ?? { menus: {} };
    const document = { ...twoMenus, name: 'Second' };
    const made = await service.owner('POST', drafts, { document, stored: menus });
    const second = String(made.body['id']);
    await publish(service, first);

    const wanted = { revision: 1, credential: null };
    const late = await service.owner('POST', `${drafts}/${second}/publish`, wanted);
    expect(late).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(late.body['message']).toContain(
      `was published since, as version 2 (${new Date(service.clock.nowMs).toISOString()}), from draft ` +
        `“${twoMenus.name}” (${first}). This draft was made from version 1`,
    );
    expect(menusOf(service).map(({ version }) => version)).toEqual([2, 2]);

    // Known after a restart, too, even without the state file.
    await service.stop();
    const restarted = await OpenService.start({ folder: service.folder });
    expect((await restarted.owner('POST', `${drafts}/${second}/publish`, wanted)).status).toBe(409);
    await restarted.stop();
    rmSync(join(service.folder, 'state.json'));
    const replayed = await OpenService.start({ folder: service.folder });
    expect((await replayed.owner('POST', `${drafts}/${second}/publish`, wanted)).status).toBe(409);
    expect(await publish(replayed, first)).toMatchObject({ outcome: 'published', version: 3 });

    await replayed.owner('DELETE', `${drafts}/${first}`);
    expect(await publish(replayed, second)).toMatchObject({ outcome: 'published', version: 1 });
  });

  it('replaces what a program has changed since, as a change by a program replaces what was published', async () => {
    const service = await OpenService.start();
    const id = await createDraft(service);
    await publish(service, id);
    const { value } = await service.issue();
    const [menu] = menusOf(service);
    const { id: menuId, version: _v, created_at: _c, updated_at: _u, ...body } = menu!;
    const put = await service.bearer(value, 'PUT', `/v1/ivr/${menuId}`, { payload: { ...body, timeout: 9 } });
    expect(put.status).toBe(200);
    expect(await publish(service, id)).toMatchObject({ outcome: 'published', version: 2 });
  });

  it('is blocked by an error, and by a scenario that fails, and sends nothing', async () => {
    const service = await OpenService.start();
    const scenario = { ...twoMenus.scenarios['sales' as never], inputs: ['2', '9'] };
    const failing = { ...twoMenus, scenarios: { sales: scenario } } as IvrDocument;
    for (const document of [halfWired, failing]) {
      const id = await createDraft(service, document);
      const reply = await publish(service, id);
      expect(reply).toMatchObject({ outcome: 'blocked', version: null, exchanges: [] });
      expect(reply.message).toContain('nothing was sent');
      expect((await read(service, id)).publications).toEqual([]);
    }
    expect(menusOf(service)).toEqual([]);
  });

  it('removes opening hours that only its own menus led to, at once', async () => {
    const service = await OpenService.start();
    const { body } = await service.owner('POST', '/portal/schedules', {
      ...{
        name: 'Office',
        time_zone: 'UTC',
        weekly: { mon: [{ from: '08:00', to: '17:00' }] },
        exceptions: [],
      },
    });
    const { nodes } = withHours(String(body['id']) as ScheduleId);
    const sales = Object.values(nodes).find(({ kind }) => kind === 'end')!;
    const [ask] = Object.values(nodes).filter((node) => node.kind === 'hours');
    const reception = Object.values(twoMenus.nodes).find(({ kind }) => kind === 'menu')!;
    const led = { ...reception, invalid_destination: NodeId.parse('ask') } as typeof reception;
    const asked = { ...ask!, open: sales.id };
    const document = { ...twoMenus, nodes: { ...nodes, [led.id]: led, [asked.id]: asked }, scenarios: {} };
    const id = await createDraft(service, document);
    expect(await publish(service, id)).toMatchObject({ outcome: 'published', version: 1 });
    expect(service.store.state.flowParts.size).toBe(2);
    await service.owner('PUT', `${drafts}/${id}`, { revision: 1, document: { ...twoMenus, scenarios: {} } });
    const wanted = { revision: 2, credential: null };
    expect((await service.owner('POST', `${drafts}/${id}/publish`, wanted)).body).toMatchObject({
      version: 2,
    });
    expect(service.store.state.flowParts.size).toBe(0);
    expect((await service.owner('DELETE', `/portal/schedules/${String(body['id'])}`)).status).toBe(200);
  });

  it('takes only the present revision', async () => {
    const service = await OpenService.start();
    const id = await createDraft(service);
    await service.owner('PUT', `${drafts}/${id}`, { revision: 1, document: { ...twoMenus, name: 'New' } });
    const wanted = { revision: 1, credential: null };
    expect((await service.owner('POST', `${drafts}/${id}/publish`, wanted)).status).toBe(409);
    expect(menusOf(service)).toEqual([]);
  });
});

describe('publishing with a credential', () => {
  it('stores the menus there, the circle completed, and keeps their ids for the next time', async () => {
    const { service, other } = await twoServices();
    const id = await createDraft(service);
    const reply = await publish(service, id, 'elsewhere');
    expect(reply).toMatchObject({ outcome: 'published', version: 1 });
    expect(reply.exchanges.map(({ method }) => method)).toEqual(['POST', 'POST', 'PUT']);
    const menus = Object.fromEntries(menusOf(other).map((menu) => [menu.name, menu]));
    expect(Object.keys(menus).sort()).toEqual(['Opening', 'Reception']);
    expect(menus['Reception']?.destination[1]).toBe(`ivr||${menus['Opening']?.id}`);
    expect(menus['Opening']?.destination[1]).toBe(`ivr||${menus['Reception']?.id}`);
    const again = await publish(service, id, 'elsewhere');
    expect(again.exchanges.map(({ method }) => method)).toEqual(['PUT', 'PUT']);
    expect(again.version).toBe(2);
    expect(menusOf(other)).toHaveLength(2);
  });

  it('is deleted by its opening hours, with the message behind them, and leaves their schedule free', async () => {
    const service = await OpenService.start();
    const { body } = await service.owner('POST', '/portal/schedules', {
      name: 'Office',
      time_zone: 'UTC',
      weekly: {},
      exceptions: [],
    });
    const schedule = `/portal/schedules/${String(body['id'])}`;
    const id = await createDraft(service, withHours(String(body['id']) as ScheduleId));
    await publish(service, id);
    const { ask = '', shut = '' } = (await read(service, id)).publications[0]?.menus ?? {};
    expect((await service.owner('DELETE', `/portal/ivrs/${ask}`)).body).toMatchObject({ id: ask });
    expect(service.store.state.flowParts.size).toBe(0);
    expect(menusOf(service)).toHaveLength(2);
    expect((await service.owner('DELETE', `/portal/ivrs/${ask}`)).status).toBe(404);
    const { document } = await read(service, id);
    expect((await read(service, id)).publications[0]?.altered).toEqual({
      deleted: [document.name, 'Shut'],
      replaced: [],
      is_gone: false,
    });

    await publish(service, id);
    const again = (await read(service, id)).publications[0]?.menus ?? {};
    expect(again['ask']).not.toBe(ask);
    // A menu leads to the message: it stays when the opening hours go.
    const [menu] = menusOf(service);
    const { id: ivrId, version: _v, created_at: _c, updated_at: _u, ...fields } = menu!;
    await service.owner('PUT', `/portal/ivrs/${ivrId}`, {
      ...fields,
      timeout_destination: `message||${again['shut']}`,
    });
    await service.owner('DELETE', `/portal/ivrs/${again['ask']}`);
    expect([...service.store.state.flowParts.keys()]).toEqual([again['shut']]);
    expect(shut).not.toBe(again['shut']);

    expect((await service.owner('DELETE', schedule)).status).toBe(409);
    await service.owner('DELETE', `/portal/ivrs/drafts/${id}`);
    expect((await service.owner('DELETE', schedule)).status).toBe(200);
  });

  it('is blocked by what another service cannot have, and says what to do', async () => {
    const { service, other } = await twoServices();
    const { body } = await service.owner('POST', '/portal/schedules', {
      name: 'Office',
      time_zone: 'UTC',
      weekly: { mon: [{ from: '08:00', to: '17:00' }] },
      exceptions: [],
    });
    const id = await createDraft(service, withHours(String(body['id']) as ScheduleId));
    const { outcome, message } = await publish(service, id, 'elsewhere');
    expect(outcome).toBe('blocked');
    expect(message).toContain('Use a time condition of that service as a destination, or publish here.');
    expect(menusOf(other)).toEqual([]);
  });

  it.each(['drop_reply', 'half_reply'] as const)(
    'never creates a menu twice when a reply is lost: %s',
    async (fault) => {
      const { service, other, proxy } = await twoServices();
      const id = await createDraft(service);
      proxy.meets = (path) => path === '/v1/ivr';
      proxy.faults.push('none', fault);
      const failed = await publish(service, id, 'elsewhere');
      expect(failed).toMatchObject({ outcome: 'failed', version: null });
      expect(failed.exchanges.at(-1)).toMatchObject({ status: null, reply: null });
      expect(failed.message).toContain('Publish again');
      expect(menusOf(other)).toHaveLength(2);
      expect((await read(service, id)).publications).toMatchObject([{ version: null }]);

      // A restarted program knows it, too.
      await service.stop();
      const restarted = await OpenService.start({ folder: service.folder, vault: service.vault });
      const reply = await publish(restarted, id, 'elsewhere');
      expect(reply.outcome).toBe('published');
      expect(reply.exchanges[0]).toMatchObject({ method: 'GET', status: 200 });
      expect(reply.exchanges[0]?.message).toContain('adopted');
      expect(menusOf(other)).toHaveLength(2);
    },
  );

  it('finds a menu whose reply was lost also where the service shows menus in other words than it takes them', async () => {
    const { service, other, proxy } = await twoServices();
    const id = await createDraft(service);
    proxy.meets = (path) => path === '/v1/ivr';
    proxy.faults.push('drop_reply');
    expect((await publish(service, id, 'elsewhere')).outcome).toBe('failed');
    const [stored] = menusOf(other);
    const another = { ...stored!, id: 'ivr_other' as IvrId, invalid_destination: 'extension||1' };
    proxy.meets = (path) => path === '/v1/ivrs';
    const shown = { success: true, data: { ivrs: [inPlatformWords(stored!), inPlatformWords(another)] } };
    proxy.faults.push({ status: 200, body: JSON.stringify(shown) });
    const reply = await publish(service, id, 'elsewhere');
    expect(reply.exchanges[0]).toMatchObject({ method: 'GET', status: 200 });
    expect(reply.exchanges[0]?.message).toContain(`is there as ${stored!.id}: it is adopted`);
    expect(reply.outcome).toBe('published');
    expect(menusOf(other)).toHaveLength(2);
  });

  it('finds it on whichever page of the list it is, and goes to no other address', async () => {
    const { service, other, proxy } = await twoServices();
    const id = await createDraft(service);
    proxy.meets = (path) => path === '/v1/ivr';
    proxy.faults.push('drop_reply');
    expect((await publish(service, id, 'elsewhere')).outcome).toBe('failed');
    const [stored] = menusOf(other);
    const another = { ...stored!, id: 'ivr_other' as IvrId, invalid_destination: 'extension||1' };
    const links = [
      '</v1/ivrs?cursor=a>; rel="next"',
      `<${proxy.baseUrl}/v1/ivrs?cursor=b%26c>; title="x"; rel=next`,
      '<https://example.com/v1/ivrs?cursor=d>; rel="next"',
    ];
    proxy.meets = (path) => path.startsWith('/v1/ivrs');
    for (const [place, link] of links.entries()) {
      const body = JSON.stringify([place === 1 ? stored : another]);
      proxy.faults.push({ status: 200, body, headers: { link } });
    }
    const reply = await publish(service, id, 'elsewhere');
    expect(reply.exchanges[0]?.message).toContain(`is there as ${stored!.id}: it is adopted`);
    expect(reply.outcome).toBe('published');
    const asked = proxy.seen.map(({ path }) => path).filter((path) => path.startsWith('/v1/ivrs'));
    expect(asked).toEqual(['/v1/ivrs', '/v1/ivrs?cursor=a', '/v1/ivrs?cursor=b%26c']);
    expect(menusOf(other)).toHaveLength(2);
  });

  it('creates nothing while the list does not end', async () => {
    const { service, other, proxy } = await twoServices();
    const id = await createDraft(service);
    proxy.meets = (path) => path === '/v1/ivr';
    proxy.faults.push('drop_reply');
    expect((await publish(service, id, 'elsewhere')).outcome).toBe('failed');
    proxy.meets = (path) => path.startsWith('/v1/ivrs');
    proxy.otherwise = { status: 200, body: '[]', headers: { link: '</v1/ivrs?cursor=a>; rel="next"' } };
    const reply = await publish(service, id, 'elsewhere');
    expect(reply.outcome).toBe('failed');
    expect(reply.message).toContain('it is not known whether');
    expect(menusOf(other)).toHaveLength(1);
  });

  it('sends a menu again that never arrived', async () => {
    const { service, other, proxy } = await twoServices();
    const id = await createDraft(service);
    proxy.meets = (path) => path === '/v1/ivr';
    proxy.faults.push('drop_call');
    expect((await publish(service, id, 'elsewhere')).outcome).toBe('failed');
    expect(menusOf(other)).toHaveLength(0);
    const reply = await publish(service, id, 'elsewhere');
    expect(reply.outcome).toBe('published');
    expect(reply.exchanges.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST', 'PUT']);
    expect(menusOf(other)).toHaveLength(2);
  });

  it('creates a missing menu again, and updates those that lead to it', async () => {
    const { service, other } = await twoServices();
    const id = await createDraft(service);
    await publish(service, id, 'elsewhere');
    const opening = menusOf(other).find(({ name }) => name === 'Opening');
    await other.owner('DELETE', `/portal/ivrs/${opening?.id}`);
    const reply = await publish(service, id, 'elsewhere');
    expect(reply.outcome).toBe('published');
    const menus = Object.fromEntries(menusOf(other).map((menu) => [menu.name, menu]));
    expect(menus['Opening']?.id).not.toBe(opening?.id);
    expect(menus['Reception']?.destination[1]).toBe(`ivr||${menus['Opening']?.id}`);
    expect(menus['Opening']?.destination[1]).toBe(`ivr||${menus['Reception']?.id}`);
  });

  it('stops at the first failure, says what to do, and leaves the draft as it is', async () => {
    const { service, other, proxy } = await twoServices();
    const id = await createDraft(service);
    const before = await read(service, id);
    proxy.meets = (path) => path === '/v1/ivr';
    proxy.faults.push({ status: 403, body: '{"Success":false,"Message":"not for you"}' });
    const reply = await publish(service, id, 'elsewhere');
    expect(reply.outcome).toBe('failed');
    expect(reply.exchanges).toHaveLength(1);
    expect(reply.exchanges[0]).toMatchObject({ status: 403, reply: { Message: 'not for you' } });
    expect(reply.message).toContain('ivr:write');
    const after = await read(service, id);
    expect(after).toMatchObject({ revision: before.revision, document: before.document });
    expect(menusOf(other)).toEqual([]);
    // A refusal is certain, so no search is needed.
    const again = await publish(service, id, 'elsewhere');
    expect(again.exchanges.map(({ method }) => method)).toEqual(['POST', 'POST', 'PUT']);
  });

  it('shows no token, whatever the service answers, and writes none down', async () => {
    const { service, other, proxy, token } = await twoServices();
    const id = await createDraft(service);
    proxy.meets = (path) => path === '/v1/ivr';
    proxy.faults.push(
      {
        status: 500,
        body: JSON.stringify({ Message: `token ${token.value}`, deep: [{ [token.value]: token.value }] }),
      },
      { status: 500, body: `${'x'.repeat(480)}${token.value}` },
    );
    for (let time = 0; time < 2; time += 1) {
      const reply = await publish(service, id, 'elsewhere');
      expect(reply.outcome).toBe('failed');
      expect(JSON.stringify(reply)).not.toContain(token.value.slice(0, 20));
    }
    const last = await publish(service, id, 'elsewhere');
    expect(last.outcome).toBe('published');
    expect(JSON.stringify(last)).not.toContain(token.value);
    await service.stop();
    await other.stop();
    for (const { path, content } of [...filesBelow(service.folder), ...filesBelow(other.folder)]) {
      expect(content.includes(token.value), path).toBe(false);
    }
  });

  it.each([
    ['a step up', '..'],
    ['a step nowhere', '.'],
    ['half a pair of surrogates', '\ud800'],
    ['60 KB', 'x'.repeat(60_000)],
    ['a bar', 'a|b'],
    ['a control character', 'a\u0007'],
  ])('keeps and sends no id that is %s, says so, and creates no menu twice', async (_what, bad) => {
    const { service, proxy } = await twoServices();
    const id = await createDraft(service);
    proxy.meets = (path) => path.startsWith('/v1/ivr');
    proxy.faults.push({ status: 200, body: JSON.stringify({ Success: true, id: bad }) });
    const reply = await publish(service, id, 'elsewhere');
    expect(reply).toMatchObject({ outcome: 'failed', exchanges: [{ method: 'POST', status: 200 }] });
    expect(reply.message).toContain(`${proxy.baseUrl} stored the menu under an id that cannot be used: “`);
    expect(reply.message).toContain('must be 1 to 200 characters');
    expect(reply.message.length).toBeLessThan(400);
    expect(reply.message.isWellFormed()).toBe(true);
    expect((await read(service, id)).publications).toMatchObject([{ menus: {}, version: null }]);

    const listed = [{ ...reply.exchanges[0]?.body, id: bad }];
    proxy.faults.push({ status: 200, body: JSON.stringify(listed) });
    const again = await publish(service, id, 'elsewhere');
    expect(again).toMatchObject({ outcome: 'failed', message: reply.message });
    expect(again.exchanges.map(({ method }) => method)).toEqual(['GET']);
  });

  it('is refused for a credential that is not there, and fails for a token that may not', async () => {
    const { service, other } = await twoServices(['ivr:read']);
    const id = await createDraft(service);
    const wanted = { revision: 1, credential: 'nobody' };
    expect((await service.owner('POST', `${drafts}/${id}/publish`, wanted)).status).toBe(404);
    const reply = await publish(service, id, 'elsewhere');
    expect(reply).toMatchObject({ outcome: 'failed', exchanges: [{ status: 403 }] });
    expect(menusOf(other)).toEqual([]);
  });

  it('asks nothing while a rotation of the credential is open', async () => {
    const { service, proxy } = await twoServices();
    const id = await createDraft(service);
    proxy.faults.push({ status: 500 });
    await service.owner('POST', '/portal/credentials/elsewhere/rotate');
    const seen = proxy.seen.length;
    const wanted = { revision: 1, credential: 'elsewhere' };
    const refused = await service.owner('POST', `${drafts}/${id}/publish`, wanted);
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(refused.body['message']).toContain('rotation');
    expect(proxy.seen).toHaveLength(seen);
  });

  it('uses this service itself for one of its own credentials', async () => {
    const service = await (await OpenService.start()).listen();
    const { value } = await service.issue();
    await service.owner('POST', '/portal/credentials', { name: 'own', value, base_url: null });
    const id = await createDraft(service);
    expect((await publish(service, id, 'own')).outcome).toBe('published');
    expect(menusOf(service)).toHaveLength(2);
  });
});
