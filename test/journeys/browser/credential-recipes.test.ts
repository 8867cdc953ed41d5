import { expect } from '@playwright/test';
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { keep, test, valueOf } from './credential-fixtures.ts';

const run = promisify(execFile);
const name = 'nightly';
/** Nothing of a proxy that this machine may have; npm needs a home. */
const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'], no_proxy: '*' };

test.beforeEach(async ({ owner }) => {
  await keep(owner, name);
});

for (const from of ['the command line', 'a file'] as const) {
  const tag = from === 'a file' ? [] : ['@long'];
  test(
    `the lines for a shell work as they are shown, with the value from ${from}`,
    { tag },
    async ({ credential, owner, scratch }) => {
      const folder = join(scratch, "it's here");
      mkdirSync(folder);
      const path = join(folder, 'token');
      if (from === 'a file') await owner.ask('addTarget', { params: { name }, body: { kind: 'file', path } });
      await owner.ask('rotateCredential', { params: { name } });
      await credential.open(owner.baseUrl, name);
      if (from === 'a file') await expect(credential.targets).toContainText('number 2');
      await credential.add('Lines for a shell…');
      await expect(credential.recipe).toBeVisible();
      if (from === 'a file') {
        await credential.recipes.getByLabel('The token comes from').selectOption({ index: 1 });
        await expect(credential.recipe).toContainText(scratch);
      }
      await expect(
        credential.recipes.getByRole('button', { name: 'Copy the lines for a shell' }),
      ).toBeVisible();
      const shown = (await credential.recipe.textContent()) ?? '';
      const { stdout } = await run('sh', ['-c', shown], { env: environment });
      expect(stdout).toContain('"nightly token"');
      expect(await credential.page.content()).not.toContain(await valueOf(owner, name));
    },
  );
}

test(
  'where there is no command line the token is read from the places that have it',
  { tag: '@long' },
  async ({ credential, owner, scratch }) => {
    const status = await owner.ask('portalStatus');
    await credential.page.route('**/portal/status', (route) =>
      route.fulfill({ json: { ...status, command_line: null } }),
    );
    await credential.open(owner.baseUrl, name);
    await credential.add('Lines for a shell…');
    await expect(credential.recipes).toContainText('The command line is not part of this installation');
    await expect(credential.recipe).toBeHidden();
    const body = { kind: 'file' as const, path: join(scratch, 'token') };
    await owner.ask('addTarget', { params: { name }, body });
    await expect(credential.recipe).toContainText(`cat ${body.path}`);
    await expect(credential.recipes).not.toContainText(`get ${name}`);
  },
);
