/** The lines of the guide for tools that ask by no protocol, run as they are, with stand-ins for the tools. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { quotedShellWord } from '../../src/contract/shell-word.ts';
import { builtFile } from '../../src/launcher/ensure-built.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { fileVault, type ServiceHere, serviceHere } from './service-here.ts';

const guide = readFileSync(join(import.meta.dirname, '../../resources/guide/README.md'), 'utf8');
const [, section = ''] = guide.split('### Where a tool has no protocol to ask by');
const lines = [...section.split('\n## ')[0]!.matchAll(/^rotavox .+$/gm)].map(([line]) => line);

const { PATH = '' } = process.env;
afterEach(() => {
  process.env['PATH'] = PATH; // hooks have that of the service, which is in this process
});

/** What a stand-in was given, once for each call. */
interface Call {
  readonly args: readonly string[];
  readonly input: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Programs of these names that write down what they are given, and `rotavox`. */
function standIns(names: readonly string[]): { folder: string; calls: () => Call[] } {
  const folder = makeFolder();
  const record = join(folder, 'calls');
  const source = `
    const { appendFileSync } = require('node:fs');
    const { text } = require('node:stream/consumers');
    const { GH_TOKEN, GITLAB_TOKEN, TWINE_PASSWORD } = process.env;
    const args = process.argv.slice(2);
    text(process.stdin).then((input) => {
      const call = { args, input, variables: { GH_TOKEN, GITLAB_TOKEN, TWINE_PASSWORD } };
      appendFileSync(${JSON.stringify(record)}, JSON.stringify(call) + '\\n');
      if (args[0] === 'create') console.log('kind: Secret, data of ' + input.length);
    });
  `;
  const script = join(folder, 'stand-in.cjs');
  writeFileSync(script, source);
  const node = quotedShellWord(process.execPath);
  for (const name of names) write(name, `exec ${node} ${quotedShellWord(script)} "$@"`);
  write('rotavox', `exec ${node} ${quotedShellWord(builtFile('cli/index.js'))} "$@"`);
  return {
    folder,
    calls: () =>
      existsSync(record)
        ? readFileSync(record, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as Call)
        : [],
  };

  function write(name: string, command: string): void {
    writeFileSync(join(folder, name), `#!/bin/sh\n${command}\n`);
    chmodSync(join(folder, name), 0o700);
  }
}

async function serviceWithToken(): Promise<{ service: ServiceHere; token: () => Promise<string> }> {
  const service = await serviceHere(fileVault);
  await service.cli('token', 'issue', '--name', 'nightly', '--validity', '7', '--keep-as', 'nightly');
  return { service, token: async () => (await service.cli('get', 'nightly')).stdout.trim() };
}

/** Runs a line as a script does, with nothing to read. */
async function run(line: string, env: NodeJS.ProcessEnv): Promise<void> {
  const shell = spawn('sh', ['-c', line], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  expect(await once(shell, 'exit')).toEqual([0, null]);
}

it('are six', () => {
  expect(lines).toHaveLength(6);
});

it.each([
  [lines[0]!, ['secret', 'set', 'DEPLOY_TOKEN', '--repo', 'example/app']],
  [lines[1]!, ['variable', 'update', 'DEPLOY_TOKEN', '--masked', '--repo', 'example/app']],
  [
    lines[2]!,
    [
      'create',
      'secret',
      'generic',
      'deploy',
      '--from-file=token=/dev/stdin',
      '--dry-run=client',
      '-o',
      'yaml',
    ],
  ],
])('%s delivers each new token, without a line break and in no argument', async (line, args) => {
  const { service, token } = await serviceWithToken();
  const { folder, calls } = standIns(['gh', 'glab', 'kubectl']);
  process.env['PATH'] = `${folder}${delimiter}${PATH}`;
  await run(line, { ...process.env, ROTAVOX_DATA_DIR: service.dataDir });
  await expect.poll(() => calls().filter(({ args: [first] }) => first !== 'apply')).toHaveLength(1);
  const before = await token();
  expect(calls().find(({ args: [first] }) => first !== 'apply')).toMatchObject({ args, input: before });

  await service.cli('credential', 'rotate', 'nightly');
  const after = await token();
  expect(after).not.toBe(before);
  await expect.poll(() => calls().filter(({ input }) => input === after)).toHaveLength(1);
  expect(JSON.stringify(calls().map((call) => call.args))).not.toContain(after);
  if (args[0] === 'create') expect(calls().at(-1)).toMatchObject({ args: ['apply', '-f', '-'] });
});

it.each([
  [lines[3]!, 'GH_TOKEN', ['pr', 'list']],
  [lines[4]!, 'GITLAB_TOKEN', ['mr', 'list']],
  [lines[5]!, 'TWINE_PASSWORD', ['upload', '--username', '__token__', 'dist/app.whl']],
])('%s gives the current token for one command', async (line, variable, args) => {
  const { service, token } = await serviceWithToken();
  const { folder, calls } = standIns(['gh', 'glab', 'twine']);
  await run(line, {
    ...process.env,
    PATH: `${folder}${delimiter}${PATH}`,
    ROTAVOX_DATA_DIR: service.dataDir,
  });
  expect(calls()).toMatchObject([{ args, variables: { [variable]: await token() } }]);
});
