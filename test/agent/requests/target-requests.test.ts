import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DeliveryTarget, TargetId } from '../../../src/contract/credential/credential.ts';
import { addTarget } from '../../../src/core/credential/change-credential.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { type AgentSetup, type LoneAgent, setUpAgent } from '../agent-setup.ts';
import { current, setUpRotation, name } from '../rotation/rotation-setup.ts';

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
