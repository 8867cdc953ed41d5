import { describe, expect, it } from 'vitest';
import { maxGenerationsShown, TokenFamilyView } from '../../../src/contract/token/token-list.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { OpenService } from '../open-service.ts';
import { issueAndAdd } from './credential-token.ts';

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
