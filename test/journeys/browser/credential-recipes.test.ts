import { expect } from '@playwright/test';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CredentialPage } from '../pages/credential-page.ts';
import { keep, test, valueOf } from './credential-fixtures.ts';

const run = promisify(execFile);
const name = 'nightly';
/** Nothing of a proxy that this machine may have; npm needs a home. */
const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'], no_proxy: '*' };

test.beforeEach(async ({ owner }) => {
  await keep(owner, name);
});

/** A recipe exactly as it is shown. */
async function shown(credential: CredentialPage, kind: string): Promise<string> {
  await credential.recipeFor(kind).click();
  await expect(credential.recipes.getByRole('button', { name: `Copy the recipe for ${kind}` })).toBeVisible();
  return (await credential.recipe.textContent()) ?? '';
}

/** What a program says, run with a text in a file. */
async function runWith(program: string, file: string, text: string): Promise<string> {
  writeFileSync(file, text);
  const { stdout } = await run(program, [file], { env: environment });
  return stdout;
}

async function isThere(program: string): Promise<boolean> {
  return run(program, ['--version']).then(
    () => true,
    () => false, // then its recipe is not run, and that is said
  );
}

/** In the place of docker: runs the script with that one variable, and nothing else of ours, as a container would. */
const dockerScript = `#!/bin/sh
echo "$@" > "$(dirname "$0")/told"
while [ $# -gt 0 ]; do case $1 in -e) name=$2; shift ;; -c) script=$2; shift ;; esac; shift; done
eval "given=\\$$name"
exec env -i PATH="$PATH" no_proxy='*' "$name=$given" sh -c "$script"
`;

for (const from of ['the command line', 'a dotenv file', 'a file'] as const) {
  const tag = from === 'a file' ? [] : ['@long'];
  test(
    `the recipes work as they are shown, with the value from ${from}`,
    { tag },
    async ({ credential, owner, scratch }) => {
      const folder = join(scratch, "it's here");
      mkdirSync(folder);
      const path = join(folder, from === 'a file' ? 'token' : '.env');
      if (from === 'a file') await owner.ask('addTarget', { params: { name }, body: { kind: 'file', path } });
      if (from === 'a dotenv file')
        await owner.ask('addTarget', {
          params: { name },
          body: { kind: 'dotenv', path, variable: 'API_TOKEN' },
        });
      await owner.ask('rotateCredential', { params: { name } });
      await credential.open(owner.baseUrl, name);
      await expect(credential.recipe).toBeVisible();
      if (from !== 'the command line') {
        await expect(credential.targets).toContainText('number 2');
        await credential.recipes.getByLabel('The token comes from').selectOption({ index: 1 });
        await expect(credential.recipe).toContainText(scratch);
      }
      const known = '"nightly token"';

      expect(await runWith('sh', join(scratch, 'call.sh'), await shown(credential, 'Shell'))).toContain(
        known,
      );
      expect(
        await runWith(process.execPath, join(scratch, 'call.mjs'), await shown(credential, 'Node')),
      ).toContain("name: 'nightly token'");
      const python = await shown(credential, 'Python');
      if (await isThere('python3'))
        expect(await runWith('python3', join(scratch, 'call.py'), python)).toContain(known);
      else test.info().annotations.push({ type: 'not run', description: 'There is no python3 here.' });

      const bin = join(scratch, 'bin');
      mkdirSync(bin);
      writeFileSync(join(bin, 'docker'), dockerScript, { mode: 0o755 });
      const docker = await shown(credential, 'Docker');
      const { stdout } = await run('sh', ['-c', docker], {
        env: { ...environment, PATH: `${bin}:${environment.PATH}` },
      });
      expect(stdout).toContain(known);

      const unit = join(scratch, `${name}-call.service`);
      writeFileSync(unit, await shown(credential, 'systemd'));
      if (await isThere('systemd-analyze')) {
        const { stderr } = await run('systemd-analyze', ['verify', '--man=no', unit]);
        expect(stderr.split('\n').filter((line) => line.includes(name))).toEqual([]);
      } else test.info().annotations.push({ type: 'not run', description: 'There is no systemd here.' });

      expect(await credential.page.content()).not.toContain(await valueOf(owner, name));
    },
  );
}

test(
  'where there is no command line the recipes are those of the places that have the value',
  { tag: '@long' },
  async ({ credential, owner, scratch }) => {
    const status = await owner.ask('portalStatus');
    await credential.page.route('**/portal/status', (route) =>
      route.fulfill({ json: { ...status, command_line: null } }),
    );
    await credential.open(owner.baseUrl, name);
    await expect(credential.recipes).toContainText('The command line is not part of this installation');
    await expect(credential.recipe).toBeHidden();
    const body = { kind: 'file' as const, path: join(scratch, 'token') };
    await owner.ask('addTarget', { params: { name }, body });
    await expect(credential.recipe).toContainText(`cat ${body.path}`);
    await expect(credential.recipes).not.toContainText(`get ${name}`);
  },
);
