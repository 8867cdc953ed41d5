import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentOptions } from '../../src/agent/create-agent.ts';
import type { TargetId } from '../../src/contract/credential/credential.ts';
import type { MovedFrom } from '../../src/contract/service/moved-from.ts';
import { StartSignIn } from '../../src/contract/credential/sign-in.ts';
import { addTarget } from '../../src/core/credential/change-credential.ts';
import { dayMs } from '../../src/core/token/token-record.ts';
import { startKeyServer } from '../fakes/key-server.ts';
import { startPlainOAuthServer } from '../fakes/plain-oauth-server.ts';
import { credentialIdNamed } from '../fixtures/credential-events.ts';
import { keyProvider } from '../fixtures/key-provider.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { makeAgent } from '../fixtures/make-agent.ts';
import { type LoneAgent, setUpLoneAgent } from './agent-setup.ts';
import { signIn } from '../providers/provider-suite.ts';
import { keysSent, name, setUpRotation } from './rotation/rotation-setup.ts';

const hourMs = 3_600_000;
const elsewhere: MovedFrom = { reason: 'other_machine', name: 'old-laptop', folder: '/home/mary/rotavox' };

/** What the agent is told of its data. */
class Origin {
  from: MovedFrom | null = elsewhere;
  readonly movedFrom = (): MovedFrom | null => this.from;
}

/** The next start of the program, with what the stopped one left. */
function startNext(
  { store: ledger, vault, baseUrl, time }: LoneAgent,
  origin: Origin,
  providerFiles: AgentOptions['providerFiles'] = [],
): void {
  const { movedFrom } = origin;
  const embeddedUrl = (): string => baseUrl;
  makeAgent({ ledger, vault, clock: time.clock, timer: time, embeddedUrl, movedFrom, providerFiles }).start();
}

const waits = { ok: false, refusal: { problem: 'data_moved', reason: { code: 'moved', from: elsewhere } } };

describe('while the data may also be in use elsewhere', () => {
  it('nothing is rotated however late it becomes, the token can be read, and afterwards it is rotated once', async () => {
    const origin = new Origin();
    const setup = await setUpRotation(origin);
    const { here, there, time, first } = setup;
    const { requests } = here.agent;
    here.agent.start();
    await time.advance(7 * dayMs - hourMs);
    here.agent.wake();
    await time.advance(60_000);
    expect(await requests.rotateNow(name)).toMatchObject(waits);
    expect(keysSent(setup)).toEqual([]);
    expect(here.events.filter(({ kind }) => kind === 'credential.rotation_begun')).toEqual([]);
    expect(await requests.valueOf(name)).toEqual({ ok: true, value: first });
    expect(await requests.accessFor(name)).toMatchObject({ ok: true, value: { token: first } });
    expect(await there.tryValue(first)).toBe(200);

    const rotated = here.next('credential.rotated');
    origin.from = null;
    here.agent.wake();
    await time.advance(0);
    await rotated;
    await time.advance(hourMs);
    expect(keysSent(setup)).toHaveLength(1);
    expect(here.view(name)).toMatchObject({ state: 'fine', generation: 2 });
  });

  it('nothing is delivered, by plan or at once', async () => {
    const origin = new Origin();
    const { here, time, first } = await setUpRotation(origin);
    const path = join(makeFolder(), 'token');
    const targetId = 'tgt_x' as TargetId;
    here.agent.start();
    await here.store.transact((state) => addTarget(state, name, targetId, { kind: 'file', path }));
    await time.advance(hourMs);
    expect(await here.agent.requests.deliverNow(name, targetId)).toMatchObject(waits);
    await here.agent.close(); // what had begun would be over
    expect(existsSync(path)).toBe(false);

    const delivered = here.next('credential.delivered');
    origin.from = null;
    startNext(here, origin);
    await time.advance(0);
    await delivered;
    expect(readFileSync(path, 'utf8').trim()).toBe(first);
  });

  it('a credential is neither removed nor given another token: both may share a keychain', async () => {
    const { here, there, first } = await setUpRotation(new Origin());
    const { requests } = here.agent;
    const { value } = await there.issue();
    expect(await requests.remove(name)).toMatchObject(waits);
    expect(await requests.replaceValue(name, { value }, 'pasted')).toMatchObject(waits);
    expect(await requests.setStandby(name, { value })).toMatchObject(waits);
    expect(await here.valueOf(name)).toBe(first);
    expect(await there.tryValue(first)).toBe(200);
  });

  it('no refresh token is used, and a program that needs a new access token is told why', async () => {
    const origin = new Origin();
    origin.from = null;
    const here = await setUpLoneAgent(origin);
    const server = await startPlainOAuthServer(here.time.clock, { rotates: true, expiresIn: '3600' });
    const { baseUrl } = server;
    const provider = {
      id: 'oauth2',
      inputs: {
        service: 'other',
        client_id: 'app',
        token_url: `${baseUrl}/token`,
        authorization_url: `${baseUrl}/authorize`,
      },
    };
    await signIn(here, { name: 'mail', provider, base_url: baseUrl });
    const before = await here.valueOf('mail');
    origin.from = elsewhere;
    here.agent.start();
    await here.time.advance(2 * hourMs);
    expect(await here.agent.requests.valueOf('mail')).toMatchObject(waits);
    expect(await here.agent.requests.accessFor('mail')).toMatchObject(waits);
    expect(await here.agent.requests.callService('mail', { method: 'GET', path: '/me' })).toMatchObject(
      waits,
    );
    const again = StartSignIn.parse({ name: 'mail', method: 'browser' });
    expect(await here.agent.requests.startSignIn(credentialIdNamed('mail'), again)).toMatchObject(waits);
    expect(await here.valueOf('mail')).toBe(before);

    origin.from = null;
    expect(await here.agent.requests.valueOf('mail')).toMatchObject({ ok: true });
    expect(await here.valueOf('mail')).not.toBe(before);
  });

  it('an old token beside its successor is not deleted', async () => {
    const origin = new Origin();
    origin.from = null;
    const here = await setUpLoneAgent({ movedFrom: origin.movedFrom, providerFiles: [keyProvider] });
    const keys = await startKeyServer(here.time.clock);
    const first = keys.create();
    const provider = { id: 'keys', inputs: {} };
    await here.keep({ name, value: first.value, base_url: keys.baseUrl, provider });
    await here.agent.requests.rotateNow(name);
    origin.from = elsewhere;
    here.agent.start();
    await here.time.advance(2 * dayMs);
    await here.agent.close(); // what had begun would be over
    expect(keys.isAlive(first.value)).toBe(true);

    const retired = here.next('credential.retired');
    origin.from = null;
    startNext(here, origin, [keyProvider]);
    await here.time.advance(0);
    await retired;
    expect(keys.isAlive(first.value)).toBe(false);
  });
});
