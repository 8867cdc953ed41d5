import { describe, expect, it } from 'vitest';
import { OpenService } from '../open-service.ts';

/** Nothing listens there. */
const office = {
  name: 'office',
  url: 'http://127.0.0.1:9',
  user: 'rotavox',
  password: 'a secret of the PBX',
};

describe('telephone systems', () => {
  it('are added, listed, changed and removed, and their password is shown and logged nowhere', async () => {
    const service = await OpenService.start();
    const added = await service.owner('POST', '/portal/pbxs', office);
    expect(added).toMatchObject({ status: 200, body: { name: 'office', calls: 0 } });
    const list = await service.owner('GET', '/portal/pbxs');
    expect(list.body['pbxs']).toHaveLength(1);
    const voicemail = { context: 'vm', extension: '{id}' };
    const changed = await service.owner('PATCH', '/portal/pbxs/office', { destinations: { voicemail } });
    expect(changed.body['destinations']).toMatchObject({ voicemail });
    const history = await service.owner('GET', '/portal/history');
    expect(JSON.stringify([added, list, changed, history])).not.toContain(office.password);
    expect(JSON.stringify(history.body)).toContain('pbx.changed');
    expect((await service.owner('DELETE', '/portal/pbxs/office')).body).toEqual({ name: 'office' });
    expect(await service.vault.read({ service: 'rotavox', account: 'office (telephone system)' })).toBeNull();
  });

  it('are refused with a sentence', async () => {
    const service = await OpenService.start();
    await service.owner('POST', '/portal/pbxs', office);
    const refused = async (method: 'POST' | 'PATCH', path: string, body: object) => {
      const { status, body: answer } = await service.owner(method, `/portal/pbxs${path}`, body);
      return [status, answer['code']];
    };
    expect(await refused('POST', '', office)).toEqual([409, 'conflict']);
    expect(await refused('POST', '', { ...office, name: 'b' })).toEqual([409, 'conflict']);
    expect(await refused('POST', '', { ...office, name: 'b', url: 'http://192.168.1.2' })).toEqual([
      400,
      'bad_request',
    ]);
    expect(await refused('PATCH', '/office', { url: 'https://elsewhere' })).toEqual([400, 'bad_request']);
    expect(await refused('PATCH', '/other', { user: 'x' })).toEqual([404, 'not_found']);
    const menu = { ivr: 'ivr_unknown' };
    expect(await refused('POST', '/office/ring', { endpoint: 'PJSIP/101', menu })).toEqual([
      404,
      'not_found',
    ]);
    expect(await refused('POST', '/office/ring', { endpoint: 'PJSIP/101&Local/1', menu })).toEqual([
      400,
      'bad_request',
    ]);
  });

  it('add nothing when the password cannot be stored', async () => {
    const service = await OpenService.start();
    const vault = service.vault as unknown as { fail(code: 'locked'): void };
    vault.fail('locked');
    const { status, body } = await service.owner('POST', '/portal/pbxs', office);
    expect([status, body['code']]).toEqual([503, 'vault_unavailable']);
    expect(service.store.state.pbxs.size).toBe(0);
  });

  it('are tested: what does not answer says so, with the lines that are missing', async () => {
    const service = await OpenService.start();
    await service.owner('POST', '/portal/pbxs', office);
    const { body } = await service.owner('POST', '/portal/pbxs/office/test');
    expect(body).toMatchObject({
      version: null,
      checks: [{ check: 'reach', trouble: { code: 'not_reached', detail: 'ECONNREFUSED' } }],
      add: [{ file: 'http.conf' }, { file: 'ari.conf' }],
    });
  });
});

describe('the prompts of calls', () => {
  it('are found at no address that was not signed', async () => {
    const service = await OpenService.start();
    await service.owner('POST', '/portal/pbxs', office);
    const hex = 'ab'.repeat(32);
    for (const path of [`/prompts/${hex}/20000/${hex}.wav`, '/prompts/', '/prompts/x', `/prompts/${hex}`]) {
      const { status } = await service.call({ method: 'GET', url: path });
      expect(status, path).toBe(404);
    }
  });
});
