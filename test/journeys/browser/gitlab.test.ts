import { expect } from '@playwright/test';
import { type CuttingProxy, startCuttingProxy } from '../../fakes/cutting-proxy.ts';
import { GitlabServer, listenAsGitlab } from '../../fakes/gitlab-server.ts';
import { test as base, valueOf } from './credential-fixtures.ts';

/** A GitLab on this machine, and the network on the way to it. */
interface Gitlab {
  readonly server: GitlabServer;
  readonly network: CuttingProxy;
}

const test = base.extend<{ gitlab: Gitlab }>({
  gitlab: async ({}, use) => {
    const server = new GitlabServer(Date.now);
    const end = await listenAsGitlab(server, Date.now);
    const network = await startCuttingProxy(Number(new URL(server.baseUrl).port));
    server.baseUrl = network.baseUrl;
    await use({ server, network });
    network.close();
    end();
  },
});

test('a project token of GitLab is added and rotated', async ({ credentials, credential, owner, gitlab }) => {
  const token = gitlab.server.issue({ below: '/projects/group/app', name: 'ci' });
  await credentials.open(owner.baseUrl);
  await credentials.add.click();
  await credentials.service('GitLab').click();
  await expect(credentials.token).toBeFocused();
  await expect(credentials.address).toHaveValue('https://gitlab.com');
  await credentials.dialog.getByRole('radio', { name: 'Project' }).click();
  await credentials.dialog.getByLabel('Project or group').fill('group/app');
  await credentials.address.fill(gitlab.server.baseUrl);
  await credentials.token.fill(token.value);
  await expect(credentials.dialog.getByText('It works. It can be rotated.')).toBeVisible();
  await expect(credentials.dialog).toContainText('The old token stops working at once.');
  await expect(credentials.dialog).toContainText('New tokens will be valid for 30 days.');
  await expect(credentials.name, 'suggested by the name of the token').toHaveValue('ci');
  await credentials.submit.click();

  await expect(credential.page.getByRole('heading', { level: 1, name: 'ci' })).toBeFocused();
  await expect(credential.page.getByText('project access token of GitLab · 127.0.0.1')).toBeVisible();
  await expect(credential.tokenCard).toContainText('group/app');
  await credential.rotateNow.click();
  await credential.dialog.getByRole('button', { name: 'Rotate now' }).click();
  await expect(credential.page.getByText('Rotated.')).toBeVisible();
  const rotated = gitlab.server.tokens.at(-1);
  expect(await valueOf(owner, 'ci')).toBe(rotated?.value);
  expect(gitlab.server.isAlive(token.value)).toBe(false);
  const { expires_at: expiresAt } = await owner.ask('readCredential', { params: { name: 'ci' } });
  expect(expiresAt).toBe(`${rotated?.expiresAt}T00:00:00.000Z`);
});

test(
  'with a second token the one in use outlives a rotation',
  { tag: '@long' },
  async ({ credential, owner, gitlab }) => {
    const issue = () => gitlab.server.issue({ name: 'ci' }).value;
    const first = issue();
    const provider = { id: 'gitlab', inputs: { kind: 'personal' } } as const;
    const base_url = gitlab.server.baseUrl;
    await owner.ask('addCredential', { body: { name: 'ci', value: first, provider, base_url } });
    await credential.open(owner.baseUrl, 'ci');
    await credential.page.getByRole('button', { name: 'Enter a second token…' }).click();
    await credential.dialog.getByLabel('Token', { exact: true }).fill(issue());
    await credential.dialog.getByRole('button', { name: 'Save second token' }).click();
    await expect(credential.dialog).toBeHidden();
    await expect(credential.tokenCard).toContainText('Second token');
    await credential.rotateNow.click();
    await expect(credential.dialog).toContainText(
      'The current token keeps working until the rotation after this one.',
    );
    await credential.dialog.getByRole('button', { name: 'Rotate now' }).click();
    await expect(credential.page.getByText('Rotated.')).toBeVisible();
    expect(await valueOf(owner, 'ci')).not.toBe(first);
    expect(gitlab.server.isAlive(first)).toBe(true);
    await credential.page.getByRole('button', { name: 'Remove second token' }).click();
    await expect(credential.tokenCard).not.toContainText('Second token');
    await expect(credential.page.getByRole('button', { name: 'Enter a second token…' })).toBeVisible();
  },
);

test(
  'a token that is pasted instead of a search leads to its service',
  { tag: '@long' },
  async ({ credentials, owner, gitlab }) => {
    const { token } = gitlab.server.addRunner();
    await credentials.page.goto(`${owner.baseUrl}/add-credential`);
    await expect(credentials.service('GitLab')).toBeVisible();
    await credentials.page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', text);
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(event);
    }, token);
    await expect(credentials.token).toHaveValue(token);
    await expect(credentials.dialog.getByRole('radio', { name: 'Runner' })).toBeChecked();
  },
);

test(
  'a reply that is lost is recovered with another token of the same person, or said with what to do',
  { tag: '@long' },
  async ({ credentials, credential, owner, gitlab }) => {
    const add = async (name: string, inputs: Record<string, string>, scopes = ['read_api', 'self_rotate']) =>
      owner.ask('addCredential', {
        body: {
          name,
          value: gitlab.server.issue({ name, scopes }).value,
          provider: { id: 'gitlab', inputs },
          base_url: gitlab.server.baseUrl,
        },
      });
    await add('helper', {}, ['api']);
    await add('alone', {});
    await credentials.page.goto(`${owner.baseUrl}/add-credential`);
    await credentials.service('GitLab').click();
    await credentials.address.fill(gitlab.server.baseUrl);
    await credentials.token.fill(gitlab.server.issue({ name: 'helped' }).value);
    await expect(credentials.dialog).toContainText('To prevent that, choose another credential');
    await credentials.dialog.getByLabel('Recovery credential').selectOption('helper');
    await credentials.token.focus();
    await credentials.name.focus();
    await expect(credentials.dialog.getByText('It works. It can be rotated.')).toBeVisible();
    await expect(credentials.dialog).not.toContainText('To prevent that, choose another credential');
    await credentials.submit.click();
    await expect(credential.page.getByRole('heading', { level: 1, name: 'helped' })).toBeFocused();

    const rotate = 'POST /api/v4/personal_access_tokens/self/rotate HTTP/1.1';
    gitlab.network.cuts = (line) => line === rotate;
    gitlab.server.calls.length = 0;
    for (const name of ['helped', 'alone']) await owner.ask('rotateCredential', { params: { name } });
    expect(gitlab.network.cut).toEqual([rotate, rotate]);
    gitlab.network.cuts = () => false;
    for (const name of ['helped', 'alone']) await owner.ask('rotateCredential', { params: { name } });
    const value = await valueOf(owner, 'helped');
    expect(gitlab.server.isAlive(value)).toBe(true);
    expect(gitlab.server.tokens.find((one) => one.value === value)).toMatchObject({ name: 'helped' });
    expect(gitlab.server.familiesRevoked).toBe(0);
    // After a lost reply it asks about the token first, and never rotates with it again.
    const calls = gitlab.server.calls.map(({ method, path }) => `${method} ${path}`);
    const isRotation = (call: string) => rotate.startsWith(`${call} `);
    expect(calls[calls.findIndex(isRotation) + 1]).toBe('GET /api/v4/personal_access_tokens/self');
    expect(calls.filter(isRotation)).toHaveLength(2);

    await credential.open(owner.baseUrl, 'alone');
    const page = `${gitlab.server.baseUrl}/-/user_settings/personal_access_tokens`;
    await expect(credential.trouble).toContainText(`Create a new token at ${page} and enter it here.`);
    await expect(credential.trouble.getByRole('link', { name: `Open ${page}` })).toHaveAttribute(
      'href',
      page,
    );
  },
);
