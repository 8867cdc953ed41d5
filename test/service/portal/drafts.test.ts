import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type {
  DraftList,
  DraftVersions,
  IvrDocument,
  IvrDraft,
  PublishReply,
} from '../../../src/contract/menu/ivr-draft.ts';
import type { IvrId } from '../../../src/contract/menu/ivr.ts';
import { checkDraft } from '../../../src/core/ivr/check-draft.ts';
import type { IvrDirectory } from '../../../src/contract/menu/ivr-reference.ts';
import { scheduleBounds, type ScheduleId, type ScheduleList } from '../../../src/contract/menu/schedule.ts';
import { askSchedules } from '../../../src/core/ivr/edit/edit-nodes.ts';
import { tallyOf } from '../../../src/core/ivr/finding-severity.ts';
import { DraftWindowList } from '../../../src/service/portal/draft-windows.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { ivrTemplate } from '../../fixtures/ivr-templates.ts';
import { halfWired, twoMenus } from '../../fixtures/ivr-documents.ts';
import { OpenService } from '../open-service.ts';

const drafts = '/portal/ivrs/drafts';

async function create(
  service: OpenService,
  document: IvrDocument = twoMenus,
  stored?: Record<string, string>,
): Promise<IvrDraft> {
  const { status, body } = await service.owner('POST', drafts, { document, stored });
  expect(status).toBe(200);
  return body as unknown as IvrDraft;
}

/** The office of the templates. */
const asksHours = ivrTemplate('office');

const renamed = (name: string): IvrDocument => ({ ...twoMenus, name });

describe('drafts', () => {
  it('are kept as they are, half wired or not, and listed with the one changed last first', async () => {
    const service = await OpenService.start();
    const first = await create(service, halfWired);
    service.clock.nowMs += 1000;
    const second = await create(service);
    expect(first).toMatchObject({ revision: 1, document: halfWired, publications: [] });
    expect((await service.owner('GET', `${drafts}/${first.id}`)).body).toEqual(first);
    const { body } = await service.owner('GET', drafts);
    const list = (body as unknown as DraftList).drafts;
    expect(list.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(list[0]).toMatchObject({ name: 'Reception', menus: 2, scenarios: 1, revision: 1 });
  });

  it('are saved revision by revision, and a save that changes nothing is none', async () => {
    const service = await OpenService.start();
    const { id } = await create(service);
    service.clock.nowMs += 1000;
    const saved = await service.owner('PUT', `${drafts}/${id}`, {
      revision: 1,
      document: renamed('Front desk'),
    });
    expect(saved).toMatchObject({ status: 200, body: { id, revision: 2 } });
    const before = service.store.health().last_seq;
    const again = await service.owner('PUT', `${drafts}/${id}`, {
      revision: 2,
      document: renamed('Front desk'),
    });
    expect(again.body).toEqual(saved.body);
    expect(service.store.health().last_seq).toBe(before);
  });

  it('refuse the later save of two windows, and change nothing', async () => {
    const service = await OpenService.start();
    const { id } = await create(service);
    await service.owner('PUT', `${drafts}/${id}`, { revision: 1, document: renamed('By the first') });
    const late = await service.owner('PUT', `${drafts}/${id}`, {
      revision: 1,
      document: renamed('By the second'),
    });
    expect(late).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(late.body['message']).toContain('saved since, as revision 2');
    expect(late.body['message']).toContain('nothing is lost');
    const { body } = await service.owner('GET', `${drafts}/${id}`);
    expect(body).toMatchObject({ revision: 2, document: { name: 'By the first' } });
    const early = await service.owner('PUT', `${drafts}/${id}`, { revision: 7, document: renamed('x') });
    expect(early.status).toBe(409);
  });

  it('cost the journal what a save changed, and not the whole drawing', async () => {
    const service = await OpenService.start();
    const { id } = await create(service);
    await service.owner('PUT', `${drafts}/${id}`, { revision: 1, document: renamed('Front desk') });
    const lines = readFileSync(join(service.folder, 'journal/00000001.jsonl'), 'latin1').split('\n');
    const line = lines.find((one) => one.includes('"draft.saved"'));
    expect(line).toContain('"name":"Front desk"');
    expect(line).not.toContain('Opening');
  });

  it('are gone when they are deleted, and their versions stay', async () => {
    const service = await OpenService.start();
    const { id } = await create(service);
    await service.owner('POST', `${drafts}/${id}/publish`, { revision: 1, credential: null });
    expect(await service.owner('DELETE', `${drafts}/${id}`)).toMatchObject({ status: 200, body: { id } });
    for (const call of [
      service.owner('GET', `${drafts}/${id}`),
      service.owner('DELETE', `${drafts}/${id}`),
      service.owner('PUT', `${drafts}/${id}`, { revision: 1, document: twoMenus }),
      service.owner('POST', `${drafts}/${id}/publish`, { revision: 1, credential: null }),
    ]) {
      expect(await call).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    const { status, body } = await service.owner('GET', `${drafts}/${id}/versions`);
    expect(status).toBe(200);
    const { versions } = body as unknown as DraftVersions;
    expect(versions).toMatchObject([{ version: 1, revision: 1, credential: null, document: twoMenus }]);
    expect((await service.owner('GET', `${drafts}/draft_x/versions`)).status).toBe(404);
    expect((await service.owner('GET', `${drafts}/settings/versions`)).status).toBe(404);
  });

  it('and their revisions survive a restart, with and without the state file', async () => {
    const service = await OpenService.start();
    const { id } = await create(service);
    await service.owner('PUT', `${drafts}/${id}`, { revision: 1, document: halfWired });
    await service.owner('PUT', `${drafts}/${id}`, { revision: 2, document: twoMenus });
    await service.owner('POST', `${drafts}/${id}/publish`, { revision: 3, credential: null });
    const before = (await service.owner('GET', `${drafts}/${id}`)).body;
    await service.stop();
    const again = await OpenService.start({ folder: service.folder });
    expect((await again.owner('GET', `${drafts}/${id}`)).body).toEqual(before);
    expect(before['publications']).toMatchObject([{ credential: null, version: 1 }]);
  });

  it('may be as large as their bound, and no larger, and the answer says how large', async () => {
    const service = await OpenService.start();
    const nodes = Object.fromEntries(
      Array.from({ length: 300 }, (_, place) => {
        const id = `node${place}`;
        return [id, { ...twoMenus.nodes['opening' as never], id, description: 'x'.repeat(1000) }];
      }),
    );
    const large = { ...twoMenus, nodes: { ...twoMenus.nodes, ...nodes } };
    expect(JSON.stringify(large).length).toBeGreaterThan(256 * 1024);
    await create(service, large);
    const name = 'x'.repeat(1024 * 1024);
    const tooLarge = await service.owner('POST', drafts, { document: { ...twoMenus, name } });
    expect(tooLarge).toMatchObject({
      status: 413,
      body: { message: 'The body is too large. The limit is 1 MiB.' },
    });
    const elsewhere = await service.owner('POST', '/portal/ivrs', { name });
    expect(elsewhere.body['message']).toBe('The body is too large. The limit is 256 KiB.');
  });

  it('are refused when they are no drawings', async () => {
    const service = await OpenService.start();
    const { id } = await create(service);
    const bad = { ...twoMenus, nodes: { reception: { kind: 'menu' } } };
    expect((await service.owner('POST', drafts, { document: bad })).status).toBe(400);
    expect((await service.owner('PUT', `${drafts}/${id}`, { revision: 1, document: bad })).status).toBe(400);
    const underOther = { ...twoMenus, nodes: { other: twoMenus.nodes['sales' as never] } };
    expect((await service.owner('POST', drafts, { document: underOther })).status).toBe(400);
  });

  it('are the owner’s alone', async () => {
    const service = await OpenService.start();
    const { id } = await create(service);
    const { value } = await service.issue();
    for (const [method, path] of [
      ['GET', drafts],
      ['POST', drafts],
      ['GET', `${drafts}/${id}`],
      ['PUT', `${drafts}/${id}`],
      ['DELETE', `${drafts}/${id}`],
      ['GET', `${drafts}/${id}/versions`],
      ['POST', `${drafts}/${id}/publish`],
    ] as const) {
      expect((await service.bearer(value, method, path)).status, `${method} ${path}`).toBe(401);
    }
  });
});

describe('a draft of menus that are stored already', () => {
  it('knows under which ids, also after a restart, and replaces them when it is published here', async () => {
    const service = await OpenService.start();
    const stored = await store(service);
    const draft = await create(service, twoMenus, { reception: stored });
    const link = { credential: null, menus: { reception: stored }, version: null, published_at: null };
    expect(draft.publications).toMatchObject([link]);
    expect((await service.owner('GET', `${drafts}/${draft.id}`)).body).toEqual(draft);

    await service.stop();
    const restarted = await OpenService.start({ folder: service.folder, vault: service.vault });
    const wanted = { revision: 1, credential: null };
    const { body } = await restarted.owner('POST', `${drafts}/${draft.id}/publish`, wanted);
    const exchanges = (body as unknown as PublishReply).exchanges.map(({ name, method }) => [name, method]);
    expect(exchanges.sort()).toEqual([
      ['Opening', 'POST'],
      ['Reception', 'PUT'],
    ]);
    expect(restarted.store.state.ivrs.size).toBe(2);
    expect(restarted.store.state.ivrs.get(stored as IvrId)).toMatchObject({ name: 'Reception', version: 2 });
  });

  it.each([
    ['a menu that is not stored here', { reception: 'ivr_nowhere' }, 'stored.reception'],
    ['a node that is no menu', { sales: '' }, 'stored.sales'],
    ['a node that is not drawn', { nobody: '' }, 'stored.nobody'],
    ['the same menu twice', { reception: '', opening: '' }, 'stored.opening'],
  ])('is refused with %s, and nothing is kept', async (_, chosen, field) => {
    const service = await OpenService.start();
    const stored = await store(service);
    const ids = Object.fromEntries(Object.entries(chosen).map(([node, id]) => [node, id || stored]));
    const { status, body } = await service.owner('POST', drafts, { document: twoMenus, stored: ids });
    expect(status).toBe(400);
    expect(body['errors']).toEqual([{ field, message: expect.any(String) as string }]);
    expect(service.store.state.drafts.size).toBe(0);
  });
});

// Each of the two menus plays four unknown recordings, and one extension is unknown.
describe('the list of drafts', () => {
  /** The data of a service that was just started. */
  const nothingKnown: IvrDirectory = {
    recordings: new Set(),
    extensions: new Set(),
    menus: new Set(),
    smsTemplates: new Set(),
    routedTypes: new Set(['extension', 'department', 'voicemail', 'time_condition']),
    smsTemplatesEnabled: false,
  };
  const summaryOf = async (service: OpenService) => {
    const { body } = await service.owner('GET', drafts);
    return (body as unknown as DraftList).drafts[0];
  };

  it('counts what is wrong with each, as it is now', async () => {
    const service = await OpenService.start();
    const { id } = await create(service, halfWired);
    const before = await summaryOf(service);
    const { problems } = checkDraft(halfWired, nothingKnown, 0);
    // What is not done yet is an error all the same.
    expect(before).toMatchObject({ ...tallyOf(problems), todos: problems.length - (before?.warnings ?? 0) });
    expect(before?.errors).toBeGreaterThan(0);
    await service.owner('PUT', `${drafts}/${id}`, { revision: 1, document: twoMenus });
    expect(await summaryOf(service)).toMatchObject({ errors: 0, warnings: 9 });
  });

  it('follows changes of the things that a draft refers to', async () => {
    const service = await OpenService.start();
    await create(service);
    expect(await summaryOf(service)).toMatchObject({ errors: 0, warnings: 9 });
    const extension = { id: '101', name: 'Sales' };
    await service.owner('PATCH', '/portal/extensions', { set: [extension, { id: '999', name: 'Else' }] });
    expect(await summaryOf(service)).toMatchObject({ errors: 0, warnings: 8 });
    await service.owner('PATCH', '/portal/extensions', { remove: ['101'] });
    expect(await summaryOf(service)).toMatchObject({ errors: 0, warnings: 9 });
  });
});

/** Stores a menu as the owner, and returns its id. */
async function store(service: OpenService): Promise<string> {
  const { status, body } = await service.owner('POST', '/portal/ivrs', ivrBody);
  expect(status).toBe(200);
  return String(body['id']);
}

describe('the windows that have a draft open', () => {
  const shown = (window: string, card: string | null, isOpen = true) => ({ window, card, is_open: isOpen });

  it('are answered to each of them, and are none of another draft', async () => {
    const service = await OpenService.start();
    const { id } = await create(service);
    const other = await create(service);
    const path = `${drafts}/${id}/windows`;
    const first = { window: 'window-1', owner: null, card: null };
    const second = { window: 'window-2', owner: null, card: 'reception' };
    expect((await service.owner('POST', path, shown('window-1', null))).body).toEqual({
      id,
      windows: [first],
    });
    const both = { id, windows: [first, second] };
    expect((await service.owner('POST', path, shown('window-2', 'reception'))).body).toEqual(both);
    const elsewhere = await service.owner('POST', `${drafts}/${other.id}/windows`, shown('window-1', null));
    expect(elsewhere.body).toEqual({ id: other.id, windows: [first] });
    expect((await service.owner('POST', path, shown('window-2', null, false))).body).toEqual({
      id,
      windows: [],
    });
    expect(
      (await service.owner('POST', `${drafts}/draft_none/windows`, shown('window-1', null))).status,
    ).toBe(404);
    expect((await service.owner('POST', path, shown('a b', null))).status).toBe(400);
  });

  it('are told of when one comes, leaves, selects something else, or has been silent for 75 seconds', () => {
    let nowMs = 0;
    const windows = new DraftWindowList(() => nowMs);
    const id = 'draft_a' as IvrDraft['id'];
    const other = 'draft_b' as IvrDraft['id'];
    const told: string[] = [];
    windows.onChange(({ id: draft, windows: there }) =>
      told.push(`${draft} ${there.map(({ owner, card }) => `${owner} ${card}`).join(', ')}`),
    );
    windows.show(id, shown('window-1', null), 'Ada');
    windows.show(id, shown('window-2', 'menu1'), 'Bo');
    nowMs = 50_000;
    windows.show(id, shown('window-1', null), 'Ada'); // is there still
    windows.show(id, shown('window-1', 'menu2'), 'Ada');
    nowMs = 76_000;
    windows.endOverdue();
    windows.show(other, shown('window-1', 'menu2'), 'Ada');
    windows.show(other, shown('window-1', null, false), 'Ada');
    windows.show(other, shown('window-1', null, false), 'Ada'); // has left already
    expect(told).toEqual([
      'draft_a Ada null',
      'draft_a Ada null, Bo menu1',
      'draft_a Bo menu1, Ada menu2',
      'draft_a Ada menu2',
      'draft_a ',
      'draft_b Ada menu2',
      'draft_b ',
    ]);
  });

  it('are at most 256: the one that was silent the longest is forgotten', () => {
    const windows = new DraftWindowList(() => 0);
    const id = 'draft_a' as IvrDraft['id'];
    for (let count = 0; count < 300; count += 1) windows.show(id, shown(`window-${count}`, null), null);
    expect(windows.of(id).windows).toHaveLength(256);
    expect(windows.of(id).windows[0]?.window).toBe('window-44');
  });
});

describe('a draft with opening hours of its own', () => {
  const nine = [{ from: '09:00', to: '17:00' }];
  const office = { id: 'office', name: 'Office hours', time_zone: 'Europe/Berlin', weekly: { mon: nine } };

  async function withHours(service: OpenService): Promise<{ id: string; hours: string }> {
    const { status, body } = await service.owner('POST', drafts, {
      document: asksHours,
      schedules: [office],
    });
    expect(status).toBe(200);
    const { id, document } = body as unknown as IvrDraft;
    const hours = Object.values(document.nodes).flatMap((node) =>
      node.kind === 'hours' ? [node.hours] : [],
    )[0]!;
    const set = Object.values(document.scenarios).map(({ switches = {} }) => Object.keys(switches));
    expect(set).toEqual([[hours], [hours], [hours]]);
    return { id, hours };
  }
  const namesOf = async (service: OpenService) => {
    const { body } = await service.owner('GET', '/portal/schedules');
    return (body as unknown as ScheduleList).schedules.map(({ name }) => name);
  };

  it('creates them with it, under a name that is free, and deletes them with it', async () => {
    const service = await OpenService.start();
    const first = await withHours(service);
    const second = await withHours(service);
    expect(second.hours).not.toBe(first.hours);
    expect(await namesOf(service)).toEqual(['Office hours', 'Office hours 2']);
    expect((await service.owner('DELETE', `${drafts}/${first.id}`)).status).toBe(200);
    expect(await namesOf(service)).toEqual(['Office hours 2']);
    await service.stop();
    const again = await OpenService.start({ folder: service.folder });
    expect((await again.owner('DELETE', `${drafts}/${second.id}`)).status).toBe(200);
    expect(await namesOf(again)).toEqual([]);
  });

  it('keeps what somebody changed, switched or asks elsewhere, and what is published', async () => {
    const changes: ((
      service: OpenService,
      one: { id: string; hours: string },
    ) => Promise<{ status: number }>)[] = [
      (service, { hours }) =>
        service.owner('PUT', `/portal/schedules/${hours}`, {
          ...office,
          id: undefined,
          name: 'Shop',
          exceptions: [],
          version: 1,
        }),
      (service, { hours }) => service.owner('PUT', `/portal/schedules/${hours}/switch`, { to: 'closed' }),
      (service, { hours }) =>
        service.owner('POST', drafts, {
          document: askSchedules(asksHours, new Map([['office' as ScheduleId, hours as ScheduleId]])),
        }),
      (service, { id }) =>
        service.owner('POST', `${drafts}/${id}/publish`, { revision: 1, credential: null }),
    ];
    for (const change of changes) {
      const service = await OpenService.start();
      const draft = await withHours(service);
      expect((await change(service, draft)).status).toBe(200);
      expect((await service.owner('DELETE', `${drafts}/${draft.id}`)).status).toBe(200);
      expect(await namesOf(service)).toHaveLength(1);
    }
  });

  it('is not created if they cannot be', async () => {
    const service = await OpenService.start();
    const refused = await service.owner('POST', drafts, {
      document: asksHours,
      schedules: [{ ...office, time_zone: 'Europe/Nowhere' }],
    });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'schedules.time_zone' }] } });
    expect((await service.owner('GET', drafts)).body).toEqual({ drafts: [] });
    expect(await namesOf(service)).toEqual([]);
  });

  it('adds no more than there may be, names that can be stored again, and each id once', async () => {
    const service = await OpenService.start();
    const add = (schedules: object[]) => service.owner('POST', drafts, { document: asksHours, schedules });
    const twice = await add([office, { ...office, name: 'Shop' }]);
    expect(twice).toMatchObject({ status: 400, body: { errors: [{ field: 'schedules' }] } });
    const long = { ...office, name: 'x'.repeat(scheduleBounds.name) };
    expect((await add([long])).status).toBe(200);
    expect((await add([long])).status).toBe(200);
    const second = `${'x'.repeat(scheduleBounds.name - 2)} 2`;
    expect(await namesOf(service)).toEqual([second, long.name]);
    const ten = Array.from({ length: 10 }, (_, at) => ({ ...office, id: `office-${at}` }));
    while ((await namesOf(service)).length + ten.length <= scheduleBounds.schedules)
      expect((await add(ten)).status).toBe(200);
    const before = await namesOf(service);
    const most = { field: 'schedules', message: expect.stringContaining('200') as unknown };
    expect(await add(ten)).toMatchObject({ status: 400, body: { errors: [most] } });
    expect(await namesOf(service)).toEqual(before);
  });
});
