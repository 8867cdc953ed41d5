import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shellWord } from '../../../src/contract/shell-word.ts';
import {
  recipeFor,
  type RecipeKind,
  recipeKinds,
  type RecipeSource,
  recipeSources,
} from '../../../src/renderer/credentials/recipes.ts';

const run = promisify(execFile);
const value = 'rvx_abc.DEF~123/+=';
/** A folder that needs quoting in every language. */
const awkward = `it's a "home" of $HOME and \`date\` 100%`;

let scratch: string;
let server: Server;
let url: string;
let sources: Record<RecipeSource['kind'], RecipeSource>;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'rotavox-recipes-'));
  const folder = join(scratch, awkward);
  mkdirSync(folder);
  writeFileSync(join(folder, 'token'), `${value}\n`);
  writeFileSync(join(folder, '.env'), `OTHER=1\nexport API_TOKEN='${value}'\nLAST=2\n`);
  // What the command line would be: here a script that knows one value, called with words before its own.
  const script = join(scratch, 'cli');
  writeFileSync(script, commandLineScript, { mode: 0o755 });
  sources = {
    command: { kind: 'command', commandLine: `sh ${script} --`, name: 'app' },
    file: { kind: 'file', path: join(folder, 'token') },
    dotenv: { kind: 'dotenv', path: join(folder, '.env'), variable: 'API_TOKEN' },
  };
  // It says who called.
  server = createServer((request, response) =>
    response.end(JSON.stringify({ said: request.headers.authorization ?? null })),
  ).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/auth/token`;
});

afterAll(() => {
  server.close();
  rmSync(scratch, { recursive: true });
});

const commandLineScript = `#!/bin/sh
[ "$1" = -- ] && shift
verb=$1; name=$2; shift 2
[ "$name" = app ] || exit 2
case $verb in
  get) echo '${value}' ;;
  exec) shift; ROTAVOX_TOKEN='${value}' exec "$@" ;;
esac
`;

/** What runs a recipe, as its words say: nothing of a proxy that this machine may have. */
async function runRecipe(kind: RecipeKind, source: RecipeSource): Promise<string> {
  const { text } = recipeFor(kind, { name: 'app', source, url });
  const file = join(scratch, { shell: 'call.sh', node: 'call.mjs', python: 'call.py' }[kind as 'shell']);
  writeFileSync(file, text);
  const program = { shell: 'sh', node: process.execPath, python: 'python3' }[kind as 'shell'];
  const { stdout } = await run(program, [file], { env: { PATH: process.env['PATH'], no_proxy: '*' } });
  return stdout;
}

const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false, // then its recipes are skipped, and said to be
);

describe.each(['command', 'file', 'dotenv'] as const)('with the value from the %s', (from) => {
  for (const kind of ['shell', 'node', 'python'] as const) {
    const tags = kind === 'python' && from !== 'command' ? ['long'] : [];
    const name = `the recipe for ${kind} calls with the value`;
    it.skipIf(kind === 'python' && !hasPython)(name, { tags }, async () => {
      expect(await runRecipe(kind, sources[from])).toContain(`Bearer ${value}`);
    });
  }

  it('the recipe for Docker gives the value to the container by its environment only', async () => {
    const bin = join(scratch, `bin-${from}`);
    mkdirSync(bin);
    writeFileSync(join(bin, 'docker'), dockerScript, { mode: 0o755 });
    const { text } = recipeFor('docker', { name: 'app', source: sources[from], url });
    const env = { PATH: `${bin}:${process.env['PATH']}`, no_proxy: '*' };
    const { stdout } = await run('sh', ['-c', text], { env });
    const [given, said] = stdout.split('\n---\n');
    expect(given).toContain('curlimages/curl');
    expect(given).not.toContain(value);
    expect(said).toContain(`Bearer ${value}`);
  });

  it('no recipe names the value', () => {
    for (const kind of recipeKinds)
      expect(recipeFor(kind, { name: 'app', source: sources[from], url }).text).not.toContain(value);
  });
});

/** In the place of docker: shows what it was told, and runs the script with that one variable as a container would. */
const dockerScript = `#!/bin/sh
printf '%s ' "$@"; printf '\\n---\\n'
while [ $# -gt 0 ]; do case $1 in -e) name=$2; shift ;; -c) script=$2; shift ;; esac; shift; done
eval "given=\\$$name"
exec env -i PATH="$PATH" no_proxy='*' "$name=$given" sh -c "$script"
`;

const verifiesUnits = await run('systemd-analyze', ['--version']).then(
  () => true,
  () => false,
);

/** A unit as systemd reads it: settings that are a line each, and of a command line the words. */
function settingsOf(unit: string): string[][] {
  return unit
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.includes('='))
    .map((line) => {
      const at = line.indexOf('=');
      const [name, rest] = [line.slice(0, at), line.slice(at + 1)] as const;
      return name === 'ExecStart' ? [name, ...unitWords(rest)] : [name, rest.trimEnd().replaceAll('%%', '%')];
    });
}

/** systemd.syntax(7), “Quoting”, and systemd.service(5), “Command lines”: for what our recipes write. */
function unitWords(line: string): string[] {
  const words = line.match(/(?:'(?:[^'\\]|\\.)*'|[^' ])+/g) ?? [];
  return words.map((word) =>
    word
      .replace(/^'|'$/g, '')
      .replace(/\\x([0-9a-f]{2})|\\(.)/g, (_all, hex?: string, character = '') =>
        hex === undefined ? String(character) : String.fromCharCode(Number.parseInt(hex, 16)),
      )
      .replace(/%%|\$\$/g, (pair) => pair.charAt(0)),
  );
}

describe('the recipe for systemd, whatever the path', () => {
  const names = [
    awkward,
    'a\\b',
    'ends with a backslash\\',
    'ends with a blank ',
    'two\nExecStartPre=/bin/false',
    'return\rExecStartPre=/bin/false',
    'tab\t\u001b[2J\u007f',
    "'; false; '",
    '\u2028\u202e文',
  ];

  it.each(names.flatMap((file) => [['file', file] as const, ['dotenv', file] as const]))(
    'has its own settings only, and calls with the value from the %s %j',
    async (kind, file) => {
      const path = join(mkdtempSync(join(scratch, 'units-')), file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, kind === 'file' ? `${value}\n` : `API_TOKEN=${value}\n`);
      const source: RecipeSource = kind === 'file' ? { kind, path } : { kind, path, variable: 'API_TOKEN' };
      const { text } = recipeFor('systemd', { name: 'app', source, url });
      const [description, type, ...settings] = settingsOf(text);
      expect([description?.[0], type]).toEqual(['Description', ['Type', 'oneshot']]);
      const [credential = [], start = credential] = settings;
      expect(settings.length).toBe(start === credential ? 1 : 2);
      if (start !== credential)
        expect(credential).toEqual(
          kind === 'file' ? ['LoadCredential', `token:${path}`] : ['EnvironmentFile', path],
        );
      const [name, program = '', ...args] = start;
      expect(name).toBe('ExecStart');

      // What systemd does with the setting before the command.
      const given = mkdtempSync(join(scratch, 'given-'));
      writeFileSync(join(given, 'token'), `${value}\n`);
      const env = { CREDENTIALS_DIRECTORY: given, ...(kind === 'dotenv' ? { API_TOKEN: value } : {}) };
      const { stdout } = await run(program, args, {
        env: { PATH: process.env['PATH'], no_proxy: '*', ...env },
      });
      expect(stdout).toContain(`Bearer ${value}`);
    },
  );

  it('and the command line: both go through the shell that it is written for', async () => {
    const folder = join(scratch, "it's\\a 100% $HOME");
    mkdirSync(folder);
    writeFileSync(join(folder, 'cli'), commandLineScript, { mode: 0o755 });
    const commandLine = `sh ${shellWord(join(folder, 'cli'))} --`;
    const source = { kind: 'command', commandLine, name: 'app' } as const;
    const start = settingsOf(recipeFor('systemd', { name: 'app', source, url }).text).at(-1) ?? [];
    const [, program = '', ...args] = start;
    const { stdout } = await run(program, args, { env: { PATH: process.env['PATH'], no_proxy: '*' } });
    expect(stdout).toContain(`Bearer ${value}`);
  });
});

describe.skipIf(!verifiesUnits)('the recipe for systemd', () => {
  it.each(['command', 'file', 'dotenv'] as const)(
    'is a unit that systemd takes, with the value from the %s',
    async (from) => {
      const unit = join(scratch, `app-${from}.service`);
      writeFileSync(unit, recipeFor('systemd', { name: 'app', source: sources[from], url }).text);
      const { stderr } = await run('systemd-analyze', ['verify', '--man=no', unit]);
      expect(stderr.split('\n').filter((line) => line.includes(unit) || line.includes('app-'))).toEqual([]);
    },
  );
});

describe('the sources of recipes', () => {
  const targets = [
    { target: { kind: 'keychain' as const, service: 'app', account: 'me' } },
    { target: { kind: 'file' as const, path: '/srv/token' } },
    { target: { kind: 'dotenv' as const, path: '/srv/.env', variable: 'API_TOKEN' } },
  ];

  it('are the command line and then the files that have the value', () => {
    expect(recipeSources({ name: 'app', targets }, 'rotavox').map(({ kind }) => kind)).toEqual([
      'command',
      'file',
      'dotenv',
    ]);
  });

  it('are files only where there is no command line, and then perhaps none', () => {
    expect(recipeSources({ name: 'app', targets }, null).map(({ kind }) => kind)).toEqual(['file', 'dotenv']);
    expect(recipeSources({ name: 'app', targets: [] }, null)).toEqual([]);
  });
});
