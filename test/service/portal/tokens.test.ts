import { describe, expect, it } from 'vitest';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { OpenService } from '../open-service.ts';
import { issueAndAdd } from './credential-token.ts';
import { maxGenerationsShown, TokenFamilyView } from '../../../src/contract/token/token-list.ts';

describe('issuing a token', () => {
  it('shows the token once, and nowhere ever again', async () => {
    const service = await OpenService.start();
    const { value, id } = await service.issue({ name: 'nightly', validity_days: 1 });
    const { body } = await service.owner('GET', `/portal/tokens/${id}`);
    expect(body).toMatchObject({
      id,
      name: 'nightly',
      category: 'general',
      status: 'Active',
      generation: 1,
      expires_at: new Date(service.clock.nowMs + dayMs).toISOString(),
    });
    for (const url of [
      `/portal/tokens/${id}`,
      '/portal/tokens',
      '/portal/history',
      `/portal/tokens/${id}/history`,
    ]) {
      expect(JSON.stringify((await service.owner('GET', url)).body), url).not.toContain(value);
    }
  });

  for (const [field, given, says] of [
    ['name', { name: '' }, 'must have 1 to 100 characters'],
    ['name', { name: undefined }, 'is required; it must be a text'],
    ['validity_days', { validity_days: 0 }, 'must be a whole number of days from 1 to 90'],
    ['validity_days', { validity_days: 91 }, 'must be a whole number of days from 1 to 90'],
    ['validity_days', { validity_days: '7' }, 'must be a whole number of days from 1 to 90'],
    ['scopes[0]', { scopes: ['admin'] }, 'must be one of ivr:read, ivr:write'],
    ['scopes', { scopes: ['ivr:read', 'ivr:read'] }, 'must not name a scope twice'],
    ['ip_restrictions[0]', { ip_restrictions: ['10.0.0.0/33'] }, 'must be an address or a CIDR range'],
    ['expires_at', { expires_at: 'soon' }, 'must be an instant like'],
    ['expires_at', { expires_at: '2020-01-01T00:00:00Z' }, 'must be in the future'],
    ['expires_at', { expires_at: '2036-01-01T00:00:00Z' }, 'must not be later than the validity allows'],
    ['colour', { colour: 'red' }, 'is not a field of this request'],
  ] as const) {
    it(`refuses ${JSON.stringify(given)}: ${says}`, async () => {
      const service = await OpenService.start();
      const { status, body } = await service.owner('POST', '/portal/tokens', {
        name: 'a',
        validity_days: 7,
        ...given,
      });
      expect(status).toBe(400);
      expect(body).toMatchObject({ success: false, code: 'bad_request' });
      expect(body.errors).toContainEqual({ field, message: expect.stringContaining(says) as string });
      expect(service.store.state.tokens.size).toBe(0);
    });
  }
});

describe('the owner’s moves', () => {
  it('suspend, resume and blacklist a token, with reasons in its history', async () => {
    const service = await OpenService.start();
    const { value, id } = await service.issue();
    await service.owner('POST', `/portal/tokens/${id}/suspend`, { reason: 'lost laptop' });
    expect((await service.rotate(value)).status).toBe(403);
    const resumed = await service.owner('POST', `/portal/tokens/${id}/resume`, { reason: 'found it' });
    expect(resumed.body).toMatchObject({ id, status: 'Active', reason: 'found it' });
    await service.owner('POST', `/portal/tokens/${id}/blacklist`);
    expect(await service.statusOf(id)).toBe('Blacklisted');
    const history = await service.historyOf(id);
    expect(history.map(({ kind }) => kind)).toEqual([
      'token.blacklisted',
      'token.resumed',
      'token.suspended',
      'token.issued',
    ]);
    expect(history[2]).toMatchObject({ actor: { kind: 'owner' }, data: { reason: 'lost laptop' } });
  });

  it('answers 409 with the reason when a move does not fit, and 404 when there is no such token', async () => {
    const service = await OpenService.start();
    const { id } = await service.issue();
    const refused = await service.owner('POST', `/portal/tokens/${id}/resume`);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'The token is Active; only a Suspended token can be resumed.',
    ]);
    expect((await service.owner('POST', '/portal/tokens/tok_none_1/suspend')).status).toBe(404);
  });
});

describe('listing tokens', () => {
  it('pages through them newest first, by status and by family', async () => {
    const service = await OpenService.start();
    const tokens = [];
    for (let place = 0; place < 5; place += 1) tokens.push(await service.issue({ name: `t${place}` }));
    const [first] = tokens;
    await service.rotate(first?.value ?? '');
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const query: string = after === null ? 'limit=2' : `limit=2&after=${after}`;
      const { body } = await service.owner('GET', `/portal/tokens?${query}`);
      seen.push(...(body.tokens as { name: string }[]).map(({ name }) => name));
      after = body.next_after as string | null;
    } while (after !== null);
    expect(seen).toEqual(['t0', 't4', 't3', 't2', 't1', 't0']);
    const superseded = await service.owner('GET', '/portal/tokens?status=Superseded');
    expect(superseded.body.tokens).toMatchObject([
      { id: first?.id, successor_id: first?.id.replace(/_1$/, '_2') },
    ]);
    const family = await service.owner(
      'GET',
      `/portal/tokens?family_id=${first?.id.replace('tok_', 'fam_').replace(/_1$/, '') ?? ''}`,
    );
    expect(family.body.tokens).toHaveLength(2);
  });

  it('refuses a query that it does not know, by name', async () => {
    const service = await OpenService.start();
    const { status, body } = await service.owner('GET', '/portal/tokens?status=Dead&colour=red&limit=0');
    expect(status).toBe(400);
    expect((body.errors as { field: string }[]).map(({ field }) => field).sort()).toEqual([
      'colour',
      'limit',
      'status',
    ]);
  });

  for (const [field, query] of [
    ['status', 'status=Active,'],
    ['status', 'status='],
    ['newest', 'newest=yes'],
    ['sort', 'sort=colour'],
    ['order', 'order=up'],
    ['offset', 'offset=-1'],
    ['offset', 'offset=0&after=tok_none_1'],
    ['after', 'after=tok_none_1'],
    ['text', `text=${'x'.repeat(201)}`],
    ['category', `category=${'x'.repeat(51)}`],
    ['limit', 'limit=1001'],
  ] as const) {
    it(`refuses ${query.slice(0, 40)} and names ${field}`, async () => {
      const service = await OpenService.start();
      const { status, body } = await service.owner('GET', `/portal/tokens?${query}`);
      expect(status).toBe(400);
      expect(body.errors).toEqual([{ field, message: expect.stringContaining('must') as string }]);
      if (['offset', 'after', 'sort', 'order', 'limit'].includes(field)) return;
      expect((await service.owner('GET', `/portal/tokens/facets?${query}`)).status).toBe(400);
    });
  }

  it('filters, orders and counts, and shows which credential keeps a token fresh', async () => {
    const service = await (await OpenService.start()).listen();
    await issueAndAdd(service, 'kept', { configuration: { name: 'zeta', category: 'sync' } });
    const { id } = await service.issue({ name: 'Alpha sync', category: 'jobs' });
    const { value } = await service.issue({ name: 'beta', category: 'jobs' });
    await service.rotate(value);
    await service.owner('POST', `/portal/tokens/${id}/suspend`, { reason: 'SYNC is broken' });

    const found = await service.owner('GET', '/portal/tokens?text=sync&sort=name&limit=1&offset=1');
    expect(found.body).toMatchObject({
      total: 2,
      next_after: null,
      tokens: [{ name: 'zeta', kept_fresh_by: 'kept' }],
    });
    const names = async (query: string) =>
      ((await service.owner('GET', `/portal/tokens?${query}`)).body.tokens as { name: string }[]).map(
        ({ name }) => name,
      );
    expect(await names('newest=true&sort=name&order=desc')).toEqual(['zeta', 'beta', 'Alpha sync']);
    expect(await names('category=jobs&status=Suspended,Superseded&sort=status')).toEqual([
      'beta',
      'Alpha sync',
    ]);
    expect(await names('text=is+broken')).toEqual(['Alpha sync']);

    const facets = await service.owner('GET', '/portal/tokens/facets?newest=true&status=Active');
    expect([facets.status, facets.body]).toEqual([
      200,
      {
        statuses: { Active: 2, Superseded: 0, Expired: 0, Suspended: 1, Blacklisted: 0 },
        categories: [
          { category: 'jobs', tokens: 1 },
          { category: 'sync', tokens: 1 },
        ],
      },
    ]);
  });

  it('are shown to the owner only', async () => {
    const service = await OpenService.start();
    for (const url of ['/portal/tokens', '/portal/tokens/facets', '/portal/families/fam_x'])
      expect((await service.call({ method: 'GET', url })).status, url).toBe(401);
  });
});

async function familyOf(service: OpenService, tokenId: string): Promise<TokenFamilyView> {
  const id = tokenId.replace(/^tok_/, 'fam_').replace(/_\d+$/, '');
  const { status, body } = await service.owner('GET', `/portal/families/${id}`);
  expect(status).toBe(200);
  return TokenFamilyView.parse(body);
}

describe('a token family', () => {
  it('shows every generation, oldest first, and what the journal recorded at its issue', async () => {
    const service = await OpenService.start();
    const settings = {
      name: 'billing',
      category: 'jobs',
      validity_days: 15,
      scopes: ['ivr:read'],
      ip_restrictions: ['127.0.0.0/8'],
    };
    const { value, id } = await service.issue(settings);
    const issuedAtMs = service.clock.nowMs;
    service.clock.nowMs += dayMs;
    const { body } = await service.rotate(value);
    await service.rotate(String(body.access_token));
    await service.owner('POST', '/portal/tokens', { name: 'other', validity_days: 1 });

    const family = await familyOf(service, id);
    expect(family).toMatchObject({
      configuration: settings,
      issued: {
        seq: 1,
        at: new Date(issuedAtMs).toISOString(),
        configuration: settings,
        expires_at: new Date(issuedAtMs + 15 * dayMs).toISOString(),
      },
      generations: 3,
      last_reuse: null,
      reuses: [],
      kept_fresh_by: null,
    });
    expect(family.tokens.map(({ generation, status }) => [generation, status])).toEqual([
      [1, 'Superseded'],
      [2, 'Superseded'],
      [3, 'Active'],
    ]);
    for (const token of family.tokens) expect(token).toMatchObject(settings);
  });

  it('reads the issue from disk: what memory holds has no part in it', async () => {
    const service = await OpenService.start();
    const { id } = await service.issue({ name: 'as issued' });
    const family = [...service.store.state.tokens.families()][0]!;
    Object.assign(family.configuration, { name: 'changed in memory' });
    const shown = await familyOf(service, id);
    expect([shown.configuration.name, shown.issued.configuration.name]).toEqual([
      'changed in memory',
      'as issued',
    ]);
  });

  it('says who used a replaced token, and what replaced it', async () => {
    const service = await OpenService.start();
    const { value, id } = await service.issue();
    await service.rotate(value);
    await service.bearer(value, 'GET', '/v1/auth/token', {
      headers: { 'user-agent': 'curl/8.5' },
      remoteAddress: '127.0.0.7',
    });
    expect((await familyOf(service, id)).last_reuse).toEqual({
      token_id: id,
      at: new Date(service.clock.nowMs).toISOString(),
      address: '127.0.0.7',
      user_agent: 'curl/8.5',
      successor_id: id.replace(/_1$/, '_2'),
    });
  });

  it('forgets who used a replaced token when the owner dismisses it, and says so in the history', async () => {
    const service = await OpenService.start();
    const { value, id } = await service.issue();
    const family = id.replace('tok_', 'fam_').replace(/_1$/, '');
    await service.rotate(value);
    for (const minute of [0, 1]) {
      service.clock.nowMs += minute * 60_000;
      await service.bearer(value, 'GET', '/v1/auth/token', { headers: { 'user-agent': 'curl/8.5' } });
    }
    expect((await familyOf(service, id)).reuses).toMatchObject([{ user_agent: 'curl/8.5', count: 2 }]);
    const dismissed = await service.owner('POST', `/portal/families/${family}/dismiss-use`);
    expect([dismissed.status, dismissed.body['reuses'], dismissed.body['last_reuse']]).toEqual([
      200,
      [],
      null,
    ]);
    expect((await service.historyOf(id)).map(({ kind }) => kind)).toContain('token.reuse_dismissed');
    expect((await service.owner('POST', '/portal/families/fam_x/dismiss-use')).status).toBe(404);
  });

  it('names the credential that keeps it fresh', async () => {
    const service = await (await OpenService.start()).listen();
    const { tokenId } = await issueAndAdd(service, 'nightly');
    expect((await familyOf(service, tokenId)).kept_fresh_by).toBe('nightly');
    await service.owner('DELETE', '/portal/credentials/nightly');
    expect((await familyOf(service, tokenId)).kept_fresh_by).toBeNull();
  });

  it('shows the newest generations of a long one, and how many there are', async () => {
    const service = await OpenService.start();
    let { value } = await service.issue();
    const { id } = await service.issue();
    for (let times = 0; times < maxGenerationsShown + 2; times += 1)
      value = String((await service.rotate(value)).body.access_token);
    const [long] = [...service.store.state.tokens.families()];
    const family = await familyOf(service, long!.id.replace('fam_', 'tok_') + '_1');
    expect(family.generations).toBe(maxGenerationsShown + 3);
    expect(family.tokens).toHaveLength(maxGenerationsShown);
    expect(family.tokens[0]!.generation).toBe(4);
    expect(family.issued.seq).toBe(1);
    expect((await familyOf(service, id)).issued.seq).toBe(2);
  });

  it('is 404 where there is none', async () => {
    const service = await OpenService.start();
    const { status, body } = await service.owner('GET', '/portal/families/fam_none');
    expect([status, body.code]).toEqual([404, 'not_found']);
  });
});

describe('when a status last changed', () => {
  it('is kept for every way in which it changes', async () => {
    const service = await OpenService.start();
    const { id, value } = await service.issue();
    const changedAt = async (token: string) =>
      Date.parse(String((await service.owner('GET', `/portal/tokens/${token}`)).body.changed_at));
    const moves = ['suspend', 'resume'];
    expect(await changedAt(id)).toBe(service.clock.nowMs);
    for (const move of moves) {
      service.clock.nowMs += 1000;
      await service.owner('POST', `/portal/tokens/${id}/${move}`);
      expect(await changedAt(id), move).toBe(service.clock.nowMs);
    }
    service.clock.nowMs += 1000;
    await service.bearer(value, 'GET', '/v1/auth/token');
    expect(await changedAt(id), 'a use changes no status').toBe(service.clock.nowMs - 1000);
    await service.rotate(value);
    const successor = id.replace(/_1$/, '_2');
    expect(await changedAt(id), 'rotated').toBe(service.clock.nowMs);
    const endsAtMs = service.clock.nowMs + 7 * dayMs;
    service.clock.nowMs += 9 * dayMs;
    expect(await changedAt(successor), 'expired, and not yet written down').toBe(endsAtMs);
  });
});
