import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspectToken } from '../../../src/agent/requests/inspect-token.ts';
import { noon } from '../../fixtures/make-events.ts';
import { startAnsweringService } from '../../providers/http/answering-service.ts';
import {
  at,
  dayMs,
  down,
  endedJwt,
  instant,
  jwt,
  ports,
  recognised,
  silent,
  value,
} from './entered-token.ts';
import {
  type DeliveryTarget,
  ReplaceValue,
  type TargetId,
} from '../../../src/contract/credential/credential.ts';
import { addTarget } from '../../../src/core/credential/change-credential.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { type AgentSetup, type LoneAgent, setUpAgent } from '../agent-setup.ts';
import { current, name, setUpRotation } from '../rotation/rotation-setup.ts';
import { StoreUnavailable } from '../../../src/core/ledger.ts';
import { setUpFullDisk } from '../full-disk-setup.ts';

describe('a token that a person enters', () => {
  it('has the lifetime that the service says, whatever the person says', async () => {
    const { baseUrl } = await startAnsweringService({
      status: 200,
      body: { created_at: instant(noon - dayMs), expires_at: instant(noon + 6 * dayMs), validity_days: 7 },
    });
    const brought = { value, expires_at: instant(noon + 80 * dayMs), validity_days: 80 };
    expect(await inspectToken(ports(), at(baseUrl), brought)).toEqual({
      ok: true,
      value: {
        ...recognised,
        lifetime: { obtainedAtMs: noon - dayMs, expiresAtMs: noon + 6 * dayMs },
        validityDays: 7,
        upstreamId: null,
      },
    });
  });

  it('was not obtained in the future, whatever the service says', async () => {
    const { baseUrl } = await startAnsweringService({
      status: 200,
      body: { created_at: instant(noon + dayMs), expires_at: instant(noon + 6 * dayMs) },
    });
    expect(await inspectToken(ports(), at(baseUrl), { value, validity_days: 5 })).toMatchObject({
      value: { lifetime: { obtainedAtMs: noon, expiresAtMs: noon + 6 * dayMs }, validityDays: 5 },
    });
  });

  it.each([
    ['tells nothing', silent],
    ['cannot be reached', down],
  ])('lives as is known otherwise when the service %s', async (_what, start) => {
    const { baseUrl } = await start();
    const lifetimeOf = async (brought: { value: string; validity_days?: number; expires_at?: string }) => {
      const inspected = await inspectToken(ports(), at(baseUrl), brought);
      if (!inspected.ok) throw new Error(inspected.refusal.reason.code);
      expect(inspected.value.lifetime.obtainedAtMs).toBe(noon);
      return (inspected.value.lifetime.expiresAtMs - noon) / dayMs;
    };
    expect(await lifetimeOf({ value: jwt })).toBe(1.5);
    expect(await lifetimeOf({ value, expires_at: instant(noon + 3 * dayMs) })).toBe(3);
    expect(await lifetimeOf({ value, validity_days: 15 })).toBe(15);
    expect(await lifetimeOf({ value, expires_at: instant(noon + 3 * dayMs), validity_days: 15 })).toBe(3);
    // The earlier expiry counts: with the other one the token would lapse.
    expect(await lifetimeOf({ value: jwt, expires_at: instant(noon + 3 * dayMs) })).toBe(1.5);
    expect(await lifetimeOf({ value: jwt, expires_at: instant(noon + dayMs) })).toBe(1);
    // A validity counts from an unknown issue date; the JWT states its expiry.
    expect(await lifetimeOf({ value: jwt, validity_days: 1 })).toBe(1.5);
  });

  it.each([
    ['the service says', { status: 200, body: { expires_at: instant(noon - 2 * dayMs) } }, value],
    ['it says itself', { status: 404 }, endedJwt],
  ])('is refused when it has ended, as %s', async (_what, answer, token) => {
    const { baseUrl } = await startAnsweringService(answer);
    expect(await inspectToken(ports(), at(baseUrl), { value: token, validity_days: 9 })).toMatchObject({
      refusal: { field: 'value', reason: { code: 'ended_before' } },
    });
  });

  it('is refused when its expiry is unknown', async () => {
    const { baseUrl } = await silent();
    expect(await inspectToken(ports(), at(baseUrl), { value })).toEqual({
      ok: false,
      refusal: {
        problem: 'bad_request',
        field: 'expires_at',
        reason: {
          code: 'expiry_unknown',
          service: baseUrl,
          failure: null,
          told: { code: 'no_such_call', status: 404 },
        },
      },
    });
  });

  it('is refused when its expiry is unknown and the service cannot be reached', async () => {
    const { baseUrl } = await down();
    const inspected = await inspectToken(ports(), at(baseUrl), { value });
    const failure = { code: 'connection_lost' };
    expect(inspected).toMatchObject({
      ok: false,
      refusal: {
        problem: 'other_service_failed',
        reason: { code: 'expiry_unknown', service: baseUrl, failure },
      },
    });
  });

  it('is refused when its end has passed', async () => {
    const { baseUrl } = await silent();
    for (const endMs of [noon, noon - dayMs]) {
      expect(await inspectToken(ports(), at(baseUrl), { value, expires_at: instant(endMs) })).toEqual({
        ok: false,
        refusal: { problem: 'bad_request', field: 'expires_at', reason: { code: 'not_in_future' } },
      });
    }
  });

  it('is refused when the service refuses it, with the message of the service and without the token', async () => {
    const { baseUrl } = await startAnsweringService({ status: 401, body: { message: `${value} is void` } });
    expect(await inspectToken(ports(), at(baseUrl), { value, validity_days: 7 })).toEqual({
      ok: false,
      refusal: {
        problem: 'bad_request',
        field: 'value',
        reason: { code: 'token_refused', service: baseUrl, said: '•••• is void' },
      },
    });
  });
});

async function keeping(): Promise<{
  setup: AgentSetup;
  value: string;
  path: string;
  target: DeliveryTarget;
}> {
  const setup = await setUpAgent();
  const { value } = await setup.issue();
  await setup.keep({ name, value });
  const path = join(makeFolder(), '.env');
  return { setup, value, path, target: { kind: 'dotenv', path, variable: 'TOKEN' } };
}

async function preview({ agent }: LoneAgent, target: DeliveryTarget) {
  const found = await agent.requests.previewTarget(name, target);
  if (!found.ok) throw new Error(found.refusal.reason.code);
  return found.value;
}

describe('the preview of a delivery of a credential', () => {
  it('is of its current token, and of what adding the target then does', async () => {
    const { setup, value, path, target } = await keeping();
    writeFileSync(path, 'A=1\nTOKEN="old"\n', { mode: 0o600 });
    const before = await preview(setup, target);
    expect(before).toMatchObject({ possible: true, lines: [{ number: 2 }] });
    expect(setup.events.at(-1)?.kind).not.toBe('credential.target_added');
    await setup.store.transact((state) => addTarget(state, name, 'tgt_1' as TargetId, target));
    await setup.agent.requests.deliverNow(name, 'tgt_1' as TargetId);
    expect(readFileSync(path, 'utf8')).toBe(`A=1\nTOKEN="${value}"\n`);
    expect(await preview(setup, target)).toMatchObject({
      possible: true,
      lines: [],
      message: expect.stringMatching(
        /^“crm” already delivers to this place\. TOKEN in .* already has the current token \(line 2\): nothing would change\./,
      ) as string,
    });
  });

  it('says that another credential delivers there, also through a link, and then it is not added', async () => {
    const { setup, path, target } = await keeping();
    writeFileSync(path, 'TOKEN=old\n', { mode: 0o600 });
    const link = join(makeFolder(), 'link.env');
    symlinkSync(path, link);
    const { value } = await setup.issue();
    await setup.keep({ name: 'other', value });
    await setup.store.transact((state) => addTarget(state, 'other', 'tgt_1' as TargetId, target));
    for (const taken of [target, { ...target, path: link }, { kind: 'file', path: link } as const]) {
      expect(await preview(setup, taken)).toMatchObject({
        possible: false,
        message: expect.stringContaining('“other” delivers to this place') as string,
      });
      expect(await setup.agent.requests.checkTarget(name, taken)).toMatchObject({
        refusal: { reason: { code: 'target_taken', name: 'other' } },
      });
    }
    const beside = { ...target, variable: 'ANOTHER', path: link };
    expect(await setup.agent.requests.checkTarget(name, beside)).toMatchObject({ ok: true });
  });

  it('shows the place also while there is no token to deliver, with the reason', async () => {
    const { setup, path, target } = await keeping();
    writeFileSync(path, 'TOKEN=old\n', { mode: 0o600 });
    const line = { number: 1, before: 'TOKEN=••••••', after: 'TOKEN=••••••' };
    const none = ' There is no token to deliver now. The vault does not have the current token of “crm”.';
    await setup.vault.write(current, 'rvx_another');
    const another = await preview(setup, target);
    expect(another).toMatchObject({ possible: true, lines: [line] });
    expect(another.message.endsWith(none)).toBe(true);
    await setup.vault.remove(current);
    expect((await preview(setup, target)).message.endsWith(none)).toBe(true);
    setup.vault.fail('locked');
    const locked = await preview(setup, target);
    expect(locked).toMatchObject({ possible: true, lines: [line] });
    expect(locked.message).toMatch(/ There is no token to deliver now\. The keychain is locked\..*$/);
    expect(await preview(setup, { kind: 'keychain', service: 'app', account: 'me' })).toMatchObject({
      possible: false,
    });
  });

  it('does not wait for a rotation that hangs', async () => {
    const { here, proxy } = await setUpRotation();
    const asked = Promise.withResolvers<undefined>();
    proxy.onAnswered = () => asked.resolve(undefined);
    proxy.faults.push('hang');
    const rotating = here.agent.requests.rotateNow(name);
    await asked.promise;
    const path = join(makeFolder(), 'token');
    expect(await preview(here, { kind: 'file', path })).toMatchObject({ possible: true, exists: false });
    await proxy.close();
    await rotating;
  });

  it('refuses a file of our own with the reason that an older target with that path fails with', async () => {
    const { setup } = await keeping();
    for (const file of ['journal/00000001.jsonl', 'not-there']) {
      const target = { kind: 'file', path: join(setup.folder, file) } as const;
      const id = `tgt_${file}` as TargetId;
      await setup.store.transact((state) => addTarget(state, name, id, target));
      await setup.agent.requests.deliverNow(name, id);
      const receipt = setup.view(name).targets.at(-1);
      expect(receipt).toMatchObject({
        status: 'failing',
        message: expect.stringContaining(`leads to files of Rotavox itself (${setup.folder}`) as string,
        next_try_at: null,
      });
      expect(await preview(setup, target)).toMatchObject({
        possible: false,
        message: expect.stringContaining(receipt?.message ?? '?') as string,
      });
    }
    expect(existsSync(join(setup.folder, 'not-there'))).toBe(false);
    expect(await setup.store.verify()).toMatchObject({ status: 'intact' });
  });

  it('is of a credential that there is', async () => {
    const { setup, target } = await keeping();
    expect(await setup.agent.requests.previewTarget('nobody', target)).toMatchObject({
      ok: false,
      refusal: { problem: 'not_found' },
    });
  });
});

it('leaves the vault as it was when the record of a new token cannot be written', async () => {
  const { setup, ledger } = await setUpFullDisk();
  const { value } = await setup.issue();
  await setup.keep({ name: 'app', value });
  const other = (await setup.issue()).value;

  ledger.refuses = 'credential.value_replaced';
  const replacing = setup.agent.requests.replaceValue('app', ReplaceValue.parse({ value: other }), 'pasted');
  await expect(replacing).rejects.toThrow(StoreUnavailable);
  expect(await setup.valueOf('app')).toBe(value);

  ledger.refuses = 'nothing';
  await setup.agent.requests.rotateNow('app');
  expect(setup.view('app')).toMatchObject({ state: 'fine', generation: 2 });
});

it('leaves the vault as it was when a removal cannot be written', async () => {
  const { setup, ledger } = await setUpFullDisk();
  const { value } = await setup.issue();
  await setup.keep({ name: 'app', value });

  ledger.refuses = 'credential.removed';
  await expect(setup.agent.requests.remove('app')).rejects.toThrow(StoreUnavailable);
  expect(await setup.valueOf('app')).toBe(value);

  ledger.refuses = 'nothing';
  expect(await setup.agent.requests.remove('app')).toEqual({ ok: true, value: { message: null } });
  expect(await setup.valueOf('app')).toBeNull();
});
