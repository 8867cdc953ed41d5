import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TargetId } from '../../../src/contract/credential/credential.ts';
import { CredentialList } from '../../../src/contract/credential/credential-view.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { vaultProblemText } from '../../../src/text/credential/vault-text.ts';
import { MemoryVault, vaultProblems } from '../../fakes/memory-vault.ts';
import { noon } from '../../fixtures/make-events.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { OpenService } from '../open-service.ts';
import { issueAndAdd, shown, tryValue, valueOf } from './credential-token.ts';

/** A service that its agent can call. */
async function listening(): Promise<OpenService> {
  return (await OpenService.start()).listen();
}

describe('adding a credential', () => {
  it('asks the service about the token, keeps it in the vault and answers with everything but the token', async () => {
    const service = await listening();
    const { value, id } = await service.issue({ validity_days: 30 });
    const { status, body } = await service.owner('POST', '/portal/credentials', { name: 'billing', value });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'billing',
      service: 'embedded',
      base_url: service.app.listeningOrigin,
      state: 'fine',
      generation: 1,
      obtained_at: isoInstant(noon),
      expires_at: isoInstant(noon + 30 * dayMs),
      validity_days: 30,
      policy: { fraction: 2 / 3, preferred_hours: null },
      family_id: id.replace('tok_', 'fam_').replace(/_1$/, ''),
      still_used: null,
    });
    expect(JSON.stringify(body)).not.toContain(value);
    expect(await valueOf(service, 'billing')).toBe(value);
  });

  it('takes the owner’s word where the service cannot be asked', async () => {
    const service = await OpenService.start();
    const wanted = {
      name: 'remote',
      value: ' of-another-service\n',
      base_url: 'http://127.0.0.1:1/',
      expires_at: '2026-02-01T00:00:00+01:00',
      validity_days: 45,
      policy: { preferred_hours: { from: '22:00', to: '06:00' } },
    };
    const { status, body } = await service.owner('POST', '/portal/credentials', wanted);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      service: 'remote',
      base_url: 'http://127.0.0.1:1',
      expires_at: '2026-01-31T23:00:00.000Z',
      validity_days: 45,
      policy: { fraction: 2 / 3, preferred_hours: { from: '22:00', to: '06:00' } },
      family_id: null,
    });
    expect(await valueOf(service, 'remote')).toBe('of-another-service');
  });

  it('of one name by five callers at once is done for one of them, whose token it is', async () => {
    const vault = new MemoryVault();
    const service = await (await OpenService.start({ vault })).listen();
    const tokens = await Promise.all(Array.from({ length: 5 }, () => service.issue()));
    const answers = await Promise.all(
      tokens.map(({ value }) => service.owner('POST', '/portal/credentials', { name: 'one', value })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await vault.read({ service: 'rotavox', account: 'one' })).toBe(tokens[winner]?.value);
    expect(service.store.state.credentials.size).toBe(1);
  });
});

describe('listing credentials', () => {
  it('puts the most pressing first, then what expires sooner, and says how the vault is', async () => {
    const vault = new MemoryVault();
    const service = await (await OpenService.start({ vault })).listen();
    await issueAndAdd(service, 'late', { configuration: { validity_days: 60 } });
    await issueAndAdd(service, 'paused', { configuration: { validity_days: 30 } });
    await issueAndAdd(service, 'soon', { configuration: { validity_days: 40 } });
    await issueAndAdd(service, 'due', { configuration: { validity_days: 15 } });
    await issueAndAdd(service, 'ended', { configuration: { validity_days: 7 } });
    await issueAndAdd(service, 'undelivered', { configuration: { validity_days: 90 } });
    await service.owner('POST', '/portal/credentials/paused/pause');
    const nowhere = join(makeFolder(), 'missing', 'token');
    await service.owner('POST', '/portal/credentials/undelivered/targets', { kind: 'file', path: nowhere });
    service.clock.nowMs += 12 * dayMs;
    const { status, body } = await service.owner('GET', '/portal/credentials');
    const { credentials, vault: how } = CredentialList.parse(body);
    expect(status).toBe(200);
    expect(credentials.map(({ name, state }) => [name, state])).toEqual([
      ['ended', 'expired'],
      ['due', 'due'],
      ['undelivered', 'delivery_failing'],
      ['paused', 'paused'],
      ['soon', 'fine'],
      ['late', 'fine'],
    ]);
    expect(how).toMatchObject({ kind: 'memory', status: 'ok', message: null });

    vault.fail('locked');
    await service.owner('GET', '/portal/credentials/soon/value');
    expect((await service.owner('GET', '/portal/credentials')).body.vault).toMatchObject({
      status: 'locked',
      message: vaultProblemText(vaultProblems.locked),
    });
  });

  it('is empty at first', async () => {
    const { body } = await (await OpenService.start()).owner('GET', '/portal/credentials');
    expect(body.credentials).toEqual([]);
  });
});

describe('rotating a credential now', () => {
  it('answers when the attempt is over: the new token is kept, works, and the old one does not', async () => {
    const service = await listening();
    const { value, tokenId } = await issueAndAdd(service, 'a');
    const { status, body } = await service.owner('POST', '/portal/credentials/a/rotate');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: 'fine',
      generation: 2,
      last_rotated_at: isoInstant(noon),
      trouble: null,
    });
    const next = await valueOf(service, 'a');
    expect(next).not.toBe(value);
    expect([await tryValue(service, next), await tryValue(service, value)]).toEqual([200, 401]);
    expect(await service.statusOf(tokenId)).toBe('Superseded');
  });

  it('answers with what is wrong when it did not succeed', async () => {
    const service = await listening();
    const { value, tokenId } = await issueAndAdd(service, 'a');
    await service.owner('POST', `/portal/tokens/${tokenId}/suspend`);
    const { status, body } = await service.owner('POST', '/portal/credentials/a/rotate');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: 'refused',
      generation: 1,
      trouble: { kind: 'suspended', next_try_at: null },
    });
    expect(body.message).toContain('suspended');
    // A token that does not work is not returned until it works again.
    const refused = await service.owner('GET', '/portal/credentials/a/value');
    expect([refused.status, refused.body.code]).toEqual([409, 'token_unusable']);
    await service.owner('POST', `/portal/tokens/${tokenId}/resume`);
    expect(await valueOf(service, 'a')).toBe(value);
  });

  it('answers with the vault’s trouble when that is locked, and finishes the same rotation later', async () => {
    const vault = new MemoryVault();
    const service = await (await OpenService.start({ vault })).listen();
    await issueAndAdd(service, 'a');
    vault.fail('locked');
    const locked = await service.owner('POST', '/portal/credentials/a/rotate');
    expect([locked.status, locked.body.state]).toEqual([200, 'vault_unavailable']);
    vault.heal();
    const done = await service.owner('POST', '/portal/credentials/a/rotate');
    expect(done.body).toMatchObject({ state: 'fine', generation: 2, trouble: null, rotation: null });
    const begun = service.store.history({ kinds: ['credential.rotation_begun'], limit: 9 });
    expect(await begun).toHaveLength(1);
  });
});

describe('still_used', () => {
  it('says who used a replaced token, from where and with what, and nothing before that', async () => {
    const service = await listening();
    const { value, tokenId } = await issueAndAdd(service, 'a');
    await service.owner('POST', '/portal/credentials/a/rotate');
    expect((await shown(service, 'a')).still_used).toBeNull();
    service.clock.nowMs += 60_000;
    const headers = { 'user-agent': 'old-app/1.0' };
    const again = await service.bearer(value, 'GET', '/v1/ivrs', { headers, remoteAddress: '127.0.0.9' });
    expect(again.status).toBe(401);
    expect((await shown(service, 'a')).still_used).toEqual({
      token_id: tokenId,
      at: isoInstant(noon + 60_000),
      address: '127.0.0.9',
      user_agent: 'old-app/1.0',
      uses: [expect.objectContaining({ count: 1 })],
    });
  });

  it('is about the family of the credential only, and over with another family', async () => {
    const service = await listening();
    const { value } = await issueAndAdd(service, 'a');
    await issueAndAdd(service, 'b');
    await service.owner('POST', '/portal/credentials/a/rotate');
    await tryValue(service, value);
    expect((await shown(service, 'a')).still_used).not.toBeNull();
    expect((await shown(service, 'b')).still_used).toBeNull();
    await service.owner('POST', '/portal/credentials/a/reissue');
    expect((await shown(service, 'a')).still_used).toBeNull();
  });
});

describe('entering a token for a credential', () => {
  it('puts it in the place of the one before and ends the trouble', async () => {
    const service = await listening();
    const { tokenId } = await issueAndAdd(service, 'a');
    await service.owner('POST', `/portal/tokens/${tokenId}/blacklist`);
    await service.owner('POST', '/portal/credentials/a/rotate');
    expect(await shown(service, 'a')).toMatchObject({ state: 'refused', trouble: { kind: 'blacklisted' } });
    const { value } = await service.issue({ validity_days: 15 });
    const { status, body } = await service.owner('PUT', '/portal/credentials/a/value', { value });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: 'fine',
      generation: 2,
      validity_days: 15,
      trouble: null,
      rotation: null,
    });
    expect(await valueOf(service, 'a')).toBe(value);
  });
});

describe('reissuing the token of a credential', () => {
  const configuration = {
    name: 'nightly',
    category: 'jobs',
    validity_days: 30,
    scopes: ['ivr:read'],
    ip_restrictions: ['127.0.0.0/8'],
  };

  it('issues one with every setting of the old one, of the credential too, and full validity', async () => {
    const service = await listening();
    const wanted = { policy: { fraction: 0.4, preferred_hours: { from: '01:00', to: '02:00' } } };
    const { value } = await issueAndAdd(service, 'a', { configuration, ...wanted });
    const path = join(makeFolder(), 'token');
    await service.owner('POST', '/portal/credentials/a/targets', { kind: 'file', path });
    await service.owner('POST', '/portal/credentials/a/pause');
    const before = await shown(service, 'a');
    service.clock.nowMs += 40 * dayMs;
    expect((await shown(service, 'a')).state).toBe('expired');

    const { status, body } = await service.owner('POST', '/portal/credentials/a/reissue');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...wanted,
      id: before.id,
      state: 'paused',
      paused: { until: null },
      generation: 2,
      obtained_at: isoInstant(service.clock.nowMs),
      expires_at: isoInstant(service.clock.nowMs + 30 * dayMs),
      validity_days: 30,
      targets: [{ id: before.targets[0]?.id, status: 'owed', generation: 1 }],
    });
    expect(body.family_id).not.toBe(before.family_id);
    const next = await valueOf(service, 'a');
    expect(next).not.toBe(value);
    const self = await service.bearer(next, 'GET', '/v1/auth/token');
    expect(self.body).toMatchObject({ ...configuration, status: 'Active' });
  });

  it('works when the service cannot call itself: it knows the expiry of what it issued', async () => {
    const service = await listening();
    const { value } = await issueAndAdd(service, 'a', { configuration });
    await service.app.close();
    const alone = await OpenService.start({
      folder: await closed(service),
      vault: await vaultWith('a', value),
    });
    const { status, body } = await alone.owner('POST', '/portal/credentials/a/reissue');
    expect([status, body.generation, body.expires_at]).toEqual([200, 2, isoInstant(noon + 30 * dayMs)]);
  });

  it('leaves no living token behind when the vault does not take it', async () => {
    const vault = new MemoryVault();
    const service = await (await OpenService.start({ vault })).listen();
    await issueAndAdd(service, 'a', { configuration });
    vault.fail('locked');
    const refused = await service.owner('POST', '/portal/credentials/a/reissue');
    expect([refused.status, refused.body.message]).toEqual([503, vaultProblemText(vaultProblems.locked)]);
    expect(service.store.state.tokens.counts).toMatchObject({ Active: 1, Blacklisted: 1 });
    vault.heal();
    expect((await service.owner('POST', '/portal/credentials/a/reissue')).body.generation).toBe(2);
  });
});

describe('when a credential is rotated', () => {
  it('can be changed, and the plan follows at once', async () => {
    const service = await listening();
    await issueAndAdd(service, 'a', { configuration: { validity_days: 10 } });
    const before = await shown(service, 'a');
    const policy = { fraction: 0.2, preferred_hours: { from: '03:00', to: '04:00' } };
    const { status, body } = await service.owner('PATCH', '/portal/credentials/a/policy', policy);
    expect([status, body.policy]).toEqual([200, policy]);
    const after = await shown(service, 'a');
    expect(Date.parse(after.next_rotation_at ?? '')).toBeLessThan(Date.parse(before.next_rotation_at ?? ''));
    expect(new Date(after.next_rotation_at ?? '').getUTCHours()).toBe(3);
    const kept = await service.owner('PATCH', '/portal/credentials/a/policy', { preferred_hours: null });
    expect(kept.body.policy).toEqual({ fraction: 0.2, preferred_hours: null });
  });

  it('waits for the end of a pause, or for the owner', async () => {
    const service = await listening();
    await issueAndAdd(service, 'a');
    const until = isoInstant(noon + 6 * dayMs);
    const paused = await service.owner('POST', '/portal/credentials/a/pause', { until });
    expect(paused.body).toMatchObject({ state: 'paused', paused: { until }, next_rotation_at: until });
    const forever = await service.owner('POST', '/portal/credentials/a/pause');
    expect(forever.body).toMatchObject({ paused: { until: null }, next_rotation_at: null, planned: [] });
    const resumed = await service.owner('POST', '/portal/credentials/a/resume', {});
    expect(resumed.body).toMatchObject({ state: 'fine', paused: null });
    expect((await service.owner('POST', '/portal/credentials/a/resume')).status).toBe(200);
  });
});

describe('the delivery targets of a credential', () => {
  it('get the token at once, and again when they are asked to', async () => {
    const vault = new MemoryVault();
    const service = await (await OpenService.start({ vault })).listen();
    const { value } = await issueAndAdd(service, 'a');
    const folder = makeFolder();
    const path = join(folder, 'token');
    await service.owner('POST', '/portal/credentials/a/targets', { kind: 'file', path });
    const entry = { service: 'app', account: 'me' };
    const added = await service.owner('POST', '/portal/credentials/a/targets', {
      kind: 'keychain',
      ...entry,
    });
    expect(added.status).toBe(200);
    expect(added.body.targets).toMatchObject([
      { target: { kind: 'file', path }, status: 'delivered', generation: 1, delivered_at: isoInstant(noon) },
      { target: { kind: 'keychain' }, status: 'delivered', generation: 1 },
    ]);
    expect([readFileSync(path, 'utf8'), await vault.read(entry)]).toEqual([`${value}\n`, value]);

    await service.owner('POST', '/portal/credentials/a/rotate');
    const owed = (await shown(service, 'a')).targets;
    expect(owed.map(({ status }) => status)).toEqual(['owed', 'owed']);
    const url = `/portal/credentials/a/targets/${owed[0]?.id}/deliver`;
    const again = await service.owner('POST', url);
    expect(again.body.targets).toMatchObject([
      { status: 'delivered', generation: 2 },
      { status: 'owed', generation: 1 },
    ]);
    expect(readFileSync(path, 'utf8')).toBe(`${await valueOf(service, 'a')}\n`);
  });

  it('are shown as they were given, with what was left out filled in', async () => {
    const service = await listening();
    await issueAndAdd(service, 'a');
    const nowhere = join(makeFolder(), 'missing', 'x');
    const wishes = [
      { kind: 'file', path: nowhere },
      { kind: 'dotenv', path: `${nowhere}.env` },
      { kind: 'keychain', service: 'app', account: 'me' },
      { kind: 'hook', command: [nowhere, '-x'] },
      { kind: 'hook', command: [nowhere], pass: 'env', variable: 'TOKEN', time_limit_seconds: 5 },
    ];
    for (const wanted of wishes) await service.owner('POST', '/portal/credentials/a/targets', wanted);
    const variable = 'ROTAVOX_TOKEN';
    expect((await shown(service, 'a')).targets.map(({ target }) => target)).toEqual([
      wishes[0],
      { ...wishes[1], variable },
      wishes[2],
      { ...wishes[3], pass: 'stdin', variable, time_limit_seconds: 30 },
      wishes[4],
    ]);
  });

  it('say what is wrong when they do not get it', async () => {
    const service = await listening();
    await issueAndAdd(service, 'a');
    const path = join(makeFolder(), 'missing', 'token');
    const target = { kind: 'dotenv', path };
    const { status, body } = await service.owner('POST', '/portal/credentials/a/targets', target);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: 'delivery_failing',
      targets: [
        { target: { ...target, variable: 'ROTAVOX_TOKEN' }, status: 'failing', generation: 0, attempts: 1 },
      ],
    });
    expect(body.message).toContain(`The folder of ${path} does not exist.`);
  });

  it('keep what they have when they are removed', async () => {
    const service = await listening();
    const { value } = await issueAndAdd(service, 'a');
    const path = join(makeFolder(), 'token');
    await service.owner('POST', '/portal/credentials/a/targets', { kind: 'file', path });
    const [target] = (await shown(service, 'a')).targets;
    const { status, body } = await service.owner('DELETE', `/portal/credentials/a/targets/${target?.id}`);
    expect([status, body.targets]).toEqual([200, []]);
    await service.owner('POST', '/portal/credentials/a/rotate');
    expect(readFileSync(path, 'utf8')).toBe(`${value}\n`);
  });
});

describe('removing a credential', () => {
  it('deletes the token from the vault, and the record; the token itself keeps working', async () => {
    const vault = new MemoryVault();
    const service = await (await OpenService.start({ vault })).listen();
    const { value } = await issueAndAdd(service, 'a');
    const path = join(makeFolder(), 'token');
    await service.owner('POST', '/portal/credentials/a/targets', { kind: 'file', path });
    const { status, body } = await service.owner('DELETE', '/portal/credentials/a');
    expect([status, body]).toEqual([200, { success: true }]);
    expect((await service.owner('GET', '/portal/credentials/a')).status).toBe(404);
    expect(await vault.read({ service: 'rotavox', account: 'a' })).toBeNull();
    expect([existsSync(path), await tryValue(service, value)]).toEqual([true, 200]);
    // The name is free again.
    await issueAndAdd(service, 'a');
    expect(await shown(service, 'a')).toMatchObject({ generation: 1, targets: [] });
  });
});

describe('the history of a credential', () => {
  it('has what happened to it and to no other, newest first, in pages and by kind', async () => {
    const service = await listening();
    await issueAndAdd(service, 'a');
    await issueAndAdd(service, 'b');
    await service.owner('POST', '/portal/credentials/a/rotate');
    await service.owner('POST', '/portal/credentials/b/pause');
    await service.owner('POST', '/portal/credentials/a/pause');
    const read = async (query = '') => {
      const { body } = await service.owner('GET', `/portal/credentials/a/history${query}`);
      return { kinds: (body.events as { kind: string }[]).map(({ kind }) => kind), next: body.next_before };
    };
    const kinds = ['paused', 'rotated', 'rotation_begun', 'added'].map((kind) => `credential.${kind}`);
    expect(await read()).toEqual({ kinds, next: null });
    const first = await read('?limit=3');
    expect(first.kinds).toEqual(kinds.slice(0, 3));
    expect(await read(`?limit=3&before=${String(first.next)}`)).toEqual({
      kinds: kinds.slice(3),
      next: null,
    });
    expect((await read('?kind=credential.rotated')).kinds).toEqual(['credential.rotated']);
  });

  it('stays in the whole history when the credential is removed', async () => {
    const service = await listening();
    await issueAndAdd(service, 'a');
    const { id } = await shown(service, 'a');
    await service.owner('DELETE', '/portal/credentials/a');
    const { body } = await service.owner('GET', `/portal/history?subject=${id}`);
    expect(body.events).toMatchObject([
      { kind: 'credential.removed', actor: { kind: 'owner' }, data: { name: 'a' } },
      { kind: 'credential.added', actor: { kind: 'owner' }, data: { name: 'a' } },
    ]);
  });
});

/** Closes the service; its folder is free for another. */
async function closed(service: OpenService): Promise<string> {
  await service.stop();
  return service.folder;
}

async function vaultWith(name: string, value: string): Promise<MemoryVault> {
  const vault = new MemoryVault();
  await vault.write({ service: 'rotavox', account: name }, value);
  return vault;
}

it('shows a target that was stored when other bounds were in force', async () => {
  const service = await listening();
  await issueAndAdd(service, 'app');
  const { id } = await shown(service, 'app');
  const target = {
    kind: 'hook' as const,
    command: ['notify', 'x'.repeat(5000)],
    pass: 'stdin' as const,
    variable: 'TOKEN',
    time_limit_seconds: 86_400,
  };
  const data = { credential_id: id, target_id: 'tgt_old' as TargetId, target };
  await service.store.transact(() => ({
    events: [{ kind: 'credential.target_added', subject: id, actor: { kind: 'owner' }, data }],
    value: null,
  }));
  expect((await shown(service, 'app')).targets).toMatchObject([{ id: 'tgt_old', target, status: 'owed' }]);
});

describe('a list of credentials that is read in parts', () => {
  it('leaves out the dry runs, or all but some credentials, where that is asked for', async () => {
    const service = await listening();
    for (const name of ['a', 'b', 'c']) await issueAndAdd(service, name);
    const list = async (query: string) =>
      CredentialList.parse((await service.owner('GET', `/portal/credentials${query}`)).body);
    const all = await list('');
    const [a, b, c] = all.credentials;
    expect(all.credentials.every(({ planned }) => planned.length > 0)).toBe(true);
    expect(await list('?planned=true')).toEqual(all);
    expect((await list('?planned=false')).credentials).toEqual(
      all.credentials.map((one) => ({ ...one, planned: [] })),
    );
    expect((await list(`?ids=${c!.id},cred_gone,${a!.id},${c!.id}`)).credentials).toEqual([a, c]);
    expect(await list(`?ids=${b!.id}&planned=false`)).toEqual({
      credentials: [{ ...b, planned: [] }],
      vault: all.vault,
    });
    expect(await list('?ids=')).toEqual({ credentials: [], vault: all.vault });
  });

  it('says at once that there is no vault where it is asked about that alone', async () => {
    const vault = new MemoryVault();
    const service = await OpenService.start({ vault });
    vault.fail('absent');
    const asked = await service.owner('GET', '/portal/credentials?ids=');
    expect(CredentialList.parse(asked.body).vault).toMatchObject({ status: 'absent' });
  });

  it('refuses what is no list of ids, or a longer one', async () => {
    const service = await OpenService.start();
    for (const query of ['planned=no', 'ids=a,,b', 'ids=a%20b', `ids=${Array(101).fill('cred_a').join()}`])
      expect((await service.owner('GET', `/portal/credentials?${query}`)).status).toBe(400);
  });
});
