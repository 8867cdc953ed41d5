import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shellWord } from '../../../src/contract/shell-word.ts';
import {
  type RecipeSource,
  recipeSources,
  shellRecipe,
} from '../../../src/renderer/credentials/use/who-card.tsx';
import { makeFolder } from '../../fixtures/make-folder.ts';

const value = 'rvx_abc.DEF~123/+=';
/** Folders that need quoting. */
const names = [
  `it's a "home" of $HOME and \`date\` 100%`,
  'ends with a backslash\\',
  'two\nlines; false',
  '\u2028\u202e文',
];

let server: Server;
let url: string;

beforeAll(async () => {
  // It says who called.
  server = createServer((request, response) =>
    response.end(JSON.stringify({ said: request.headers.authorization ?? null })),
  ).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/auth/token`;
});

afterAll(() => {
  server.close();
});

/** What it prints where it is pasted: nothing of a proxy that this machine may have. */
async function pasted(source: RecipeSource): Promise<string> {
  const text = shellRecipe(source, url);
  expect(text).not.toContain(value);
  const env = { PATH: process.env['PATH'], no_proxy: '*' };
  const { stdout } = await promisify(execFile)('sh', ['-c', text], { env });
  return stdout;
}

describe('the lines for a shell', () => {
  it.each(names)('call with the value, wherever it lies: %j', async (name) => {
    const folder = join(makeFolder(), name);
    mkdirSync(folder);
    const [token, env, script] = ['token', '.env', 'cli'].map((file) => join(folder, file)) as [
      string,
      string,
      string,
    ];
    writeFileSync(token, `${value}\n`);
    writeFileSync(env, `OTHER=1\nexport API_TOKEN='${value}'\nLAST=2\n`);
    // What the command line would be: here a script that knows one value, called with words before its own.
    writeFileSync(script, `[ "$*" = '-- get app' ] && echo '${value}'\n`);
    const sources: readonly RecipeSource[] = [
      { kind: 'command', commandLine: `sh ${shellWord(script)} --`, name: 'app' },
      { kind: 'file', path: token },
      { kind: 'dotenv', path: env, variable: 'API_TOKEN' },
    ];
    for (const source of sources) expect(await pasted(source), source.kind).toContain(`Bearer ${value}`);
  });
});

describe('where the value comes from', () => {
  const targets = [
    { target: { kind: 'keychain' as const, service: 'app', account: 'me' } },
    { target: { kind: 'file' as const, path: '/srv/token' } },
    { target: { kind: 'dotenv' as const, path: '/srv/.env', variable: 'API_TOKEN' } },
  ];

  it('is the command line and then the files that have it', () => {
    expect(recipeSources({ name: 'app', targets }, 'rotavox').map(({ kind }) => kind)).toEqual([
      'command',
      'file',
      'dotenv',
    ]);
  });

  it('is files only where there is no command line, and then perhaps none', () => {
    expect(recipeSources({ name: 'app', targets }, null).map(({ kind }) => kind)).toEqual(['file', 'dotenv']);
    expect(recipeSources({ name: 'app', targets: [] }, null)).toEqual([]);
  });
});
