import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CredentialUse } from '../../src/contract/credential/use.ts';
import {
  builtRotavox,
  type CalledService,
  exitCodeOf,
  freshDataDir,
  removeDataDir,
  serviceForTest,
  serviceOn,
  spawnRotavox,
} from './rotavox.ts';
import { fileVault, ServiceHere } from './service-here.ts';
import { builtFile } from '../../src/launcher/ensure-built.ts';

let service: CalledService;
let name = '';
let number = 0;

beforeAll(async () => {
  const here = await ServiceHere.start(await freshDataDir(), fileVault);
  service = here;
  return async () => {
    await here.stop();
    await removeDataDir(here.dataDir);
  };
});

/** A credential of its own for each test. */
async function keep(): Promise<void> {
  name = `use-${(number += 1)}`;
  await service.cli('token', 'issue', '--name', name, '--validity', '7', '--keep-as', name);
}

async function use(): Promise<CredentialUse> {
  const shown = (await service.json('credential', 'show', name)) as { use: unknown };
  return CredentialUse.parse(shown.use);
}

/** A `rotavox exec` whose command prints a line and then runs until it is ended. */
async function startExec(...options: string[]) {
  const program = join(dirname(service.dataDir), 'bin', 'deploy.sh');
  await mkdir(dirname(program), { recursive: true });
  await writeFile(program, '#!/bin/sh\necho started\nexec sleep 600\n');
  await chmod(program, 0o755);
  const child = spawnRotavox(['exec', name, ...options, '--', program, '--password=secret-argument'], {
    dataDir: service.dataDir,
  });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    child.stdin.destroy();
    await exitCodeOf(child);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return child;
}

describe('the use of a credential from the command line', () => {
  it.skipIf(process.platform !== 'linux')(
    'has the program that called `get`, without its arguments',
    async () => {
      await keep();
      const script = join(dirname(service.dataDir), 'backup.sh');
      const get = `"${process.execPath}" "${builtFile('cli/index.js')}" get ${name}`;
      // Two commands, so that the shell does not replace itself by the first.
      await writeFile(script, `#!/bin/sh\n${get}\n:\n`);
      await chmod(script, 0o755);
      const env = { ...process.env, ROTAVOX_DATA_DIR: service.dataDir };
      const child = spawn(script, ['secret-argument'], { env, stdio: 'ignore' });
      expect(await once(child, 'exit')).toEqual([0, null]);
      expect((await use()).users).toMatchObject([
        { way: 'get', name: 'backup.sh', generation: 1, last_24h: 1 },
      ]);
      const { stdout } = await service.cli('credential', 'show', name);
      expect(stdout).toMatch(/^backup\.sh +get +current token +\S+ \S+ +1 +1$/m);
    },
  );

  it('has a command of `exec` while it runs, with the token that it holds, and no more after SIGKILL', async () => {
    await keep();
    const child = await startExec();
    await expect
      .poll(async () => (await use()).running)
      .toMatchObject([{ program: 'deploy.sh', generation: 1 }]);
    await service.cli('credential', 'rotate', name);
    expect(await use()).toMatchObject({ generation: 2, running: [{ program: 'deploy.sh', generation: 1 }] });
    const { stdout } = await service.cli('credential', 'show', name);
    expect(stdout).toMatch(/^deploy\.sh +exec +previous token +runs since /m);
    child.kill('SIGKILL');
    await expect.poll(async () => (await use()).running).toEqual([]);
    expect((await use()).users).toMatchObject([
      { way: 'exec', name: 'deploy.sh', generation: 1, last_24h: 1 },
    ]);
  });

  it('has the new token once a command was restarted with it', async () => {
    await keep();
    await startExec('--restart-on-rotate');
    await expect.poll(async () => (await use()).running).toMatchObject([{ generation: 1 }]);
    await service.cli('credential', 'rotate', name);
    await expect.poll(async () => (await use()).running).toMatchObject([{ generation: 2 }]);
    expect((await use()).users).toMatchObject([{ name: 'deploy.sh', generation: 2, last_24h: 2 }]);
  });

  it(
    'survives the death of the service: who got a token is known, and a command is known to run again',
    { tags: ['long'] },
    async () => {
      const here = service;
      const first = await serviceForTest();
      service = first;
      onTestFinished(() => void (service = here));
      await keep();
      await startExec();
      await expect.poll(async () => (await use()).running).toHaveLength(1);
      await builtRotavox(['get', name], { dataDir: service.dataDir });
      await expect
        .poll(async () => (await service.cli('history', '--json')).stdout)
        .toContain('credential.used');
      await first.stop('SIGKILL');
      service = await serviceOn(first.dataDir);
      expect((await use()).users.map(({ way }) => way).toSorted()).toEqual(['exec', 'get']);
      await expect.poll(async () => (await use()).running, { timeout: 10_000 }).toHaveLength(1);
    },
  );

  it('leaves no argument of a command in the data folder', async () => {
    await keep();
    await startExec();
    await expect.poll(async () => (await use()).users).toHaveLength(1);
    const history = await service.cli('history', '--json');
    expect(history.stdout).toContain('deploy.sh');
    expect(history.stdout).not.toContain('secret-argument');
    expect(await readFile(join(service.dataDir, 'journal', '00000001.jsonl'), 'utf8')).not.toContain(
      'secret-argument',
    );
  });
});
