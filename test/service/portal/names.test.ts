import { replacedError } from '../../../src/contract/shapes.ts';
import { describe, expect, it } from 'vitest';
import type { DraftId } from '../../../src/contract/menu/ivr-draft.ts';
import type { FamilyId } from '../../../src/contract/token/token.ts';
import { extensionKind } from '../../../src/core/change-directory.ts';
import { createDraft } from '../../../src/core/ivr/draft/change-draft.ts';
import { issueToken } from '../../../src/core/token/issue-token.ts';
import { mintToken } from '../../../src/service/secrets/token-value.ts';
import { wavFile } from '../../fixtures/audio-files.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { twoMenus } from '../../fixtures/ivr-documents.ts';
import { ofFile } from '../../fixtures/when-over.ts';
import { type Answer, OpenService } from '../open-service.ts';

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
