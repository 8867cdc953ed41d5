/** Tools that ask no program: what is written for them, and in the long tests npm and pip themselves. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unpackedRoot } from '../tools/asterisk-root.ts';
import { ConnectedTool } from './connected-tool.ts';
import { rotavox } from './rotavox.ts';

let tool: ConnectedTool;
/** The files of the account. */
const files = { npm: '', pip: '' };
const urls = { npm: '', pip: '' };

beforeAll(async () => {
  tool = await ConnectedTool.start(
    () => ({ PATH: `${dirname(process.execPath)}:/usr/bin:/bin` }),
    (request, response) => {
      if (request.url === '/npm/-/whoami') response.end(JSON.stringify({ username: 'me' }));
      else response.setHeader('content-type', 'text/html').end('<a href="foobar-1.0-py3-none-any.whl">1</a>');
    },
  );
  Object.assign(files, {
    npm: join(tool.home, '.npmrc'),
    pip: join(tool.home, '.config', 'pip', 'pip.conf'),
  });
  Object.assign(urls, { npm: `${tool.origin}/npm`, pip: `${tool.origin}/simple` });
});
afterAll(() => tool.stop());
beforeEach(async () => {
  for (const id of await targets('nightly')) await tool.run('credential', 'target', 'nightly', 'remove', id);
  for (const file of [files.npm, dirname(files.pip)]) rmSync(file, { recursive: true, force: true });
  tool.authorizations.length = 0;
});

async function targets(name: string): Promise<string[]> {
  const { stdout } = await tool.run('credential', 'target', name, 'list', '--json');
  return (JSON.parse(stdout) as { targets: { id: string }[] }).targets.map(({ id }) => id);
}

type Name = keyof typeof files;

function connect(name: Name, ...more: string[]) {
  return tool.run('connect', name, 'nightly', '--url', urls[name], ...more);
}

/** The lines of the files, for a token in the place of the password. */
const lines: Readonly<Record<Name, (token: string) => string>> = {
  npm: (token) => `${urls.npm.slice('http:'.length)}/:_authToken=${token}\n`,
  pip: (token) => `[global]\nindex-url = ${urls.pip.replace('//', `//__token__:${token}@`)}\n`,
};

describe.each(['npm', 'pip'] as const)('%s', (name) => {
  it('has the current token in its file, and the next one after a rotation', async () => {
    const dry = await connect(name, '--dry-run');
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stdout + dry.stderr).toContain(files[name]);
    expect(existsSync(files[name])).toBe(false);
    expect(await targets('nightly')).toEqual([]);

    const { code, stdout, stderr } = await connect(name);
    expect(code).toBe(0);
    expect(stdout + stderr).toContain(files[name]);
    const [id = ''] = await targets('nightly');
    expect(stderr).toContain(`\`rotavox credential target nightly remove ${id}\``);
    expect(stdout + stderr).not.toContain(await tool.token());
    expect(readFileSync(files[name], 'utf8')).toBe(lines[name](await tool.token()));
    expect(await tool.run('credential', 'rotate', 'nightly')).toMatchObject({ code: 0 });
    expect(readFileSync(files[name], 'utf8')).toBe(lines[name](await tool.token()));

    // Twice is harmless.
    for (const more of [[], ['--replace'], ['--dry-run']]) {
      const again = await connect(name, ...more);
      expect(again).toMatchObject({ code: 1 });
      expect(again.stderr).toContain(id);
    }
    expect(await targets('nightly')).toEqual([id]);
  });

  it('keeps a value that the file has, and all else, unless it may take its place', async () => {
    const before = `# mine\n${lines[name]('old')}`;
    mkdirSync(dirname(files[name]), { recursive: true });
    tool.write(files[name], before);
    for (const more of [[], ['--dry-run']]) {
      const refused = await connect(name, ...more);
      expect(refused).toMatchObject({ code: 1 });
      expect(refused.stderr).toContain('--replace');
      expect(refused.stdout + refused.stderr).not.toContain('old');
    }
    expect(readFileSync(files[name], 'utf8')).toBe(before);
    expect(await connect(name, '--replace')).toMatchObject({ code: 0 });
    expect(readFileSync(files[name], 'utf8')).toBe(before.replace('old', await tool.token()));
  });

  it.each(['http://packages.example.com', 'https://me:secret@packages.example.com', 'packages'])(
    'sends no token to %s',
    async (url) => {
      const refused = await tool.run('connect', name, 'nightly', '--url', url);
      expect(refused).toMatchObject({ code: 2 });
      expect(refused.stderr).not.toContain('secret');
      expect(await targets('nightly')).toEqual([]);
    },
  );
});

it.each([[], ['--json'], ['--dry-run', '--json']])(
  'adds nothing to a file that cannot be read: %s',
  async (...more) => {
    tool.write(files.npm, Buffer.from([0x66, 0, 0x3d]).toString());
    expect(await connect('npm', ...more)).toMatchObject({ code: 1 });
    expect(await targets('nightly')).toEqual([]);
  },
);

it('is where npm and pip look', async () => {
  const { dataDir, env } = tool;
  const named = {
    NPM_CONFIG_USERCONFIG: join(tool.home, 'npm settings'),
    PIP_CONFIG_FILE: join(tool.home, 'p'),
  };
  for (const name of ['npm', 'pip'] as const) {
    const args = ['connect', name, 'nightly', '--url', urls[name], '--dry-run', '--json'];
    const { stdout } = await rotavox(args, { dataDir, env: { ...env, ...named } });
    const { dry_run: isDry, target } = JSON.parse(stdout) as { dry_run: boolean; target: { path: string } };
    expect(isDry).toBe(true);
    expect(Object.values(named)).toContain(target.path);
    expect(await targets('nightly')).toEqual([]);
  }
});

describe('the real program', { tags: ['long'] }, () => {
  it('npm signs in with the current token', async () => {
    await connect('npm');
    const args = ['whoami', '--registry', `${urls.npm}/`];
    expect(await tool.program('npm', args)).toMatchObject({ code: 0, stdout: 'me\n' });
    expect(new Set(tool.authorizations)).toEqual(new Set([`Bearer ${await tool.token()}`]));
  });

  it('pip signs in with the current token', async () => {
    const { folder } = await unpackedRoot(['python3-pip'], 'trixie');
    await connect('pip');
    const env = { PYTHONPATH: join(folder, 'usr/lib/python3/dist-packages') };
    const args = ['-m', 'pip', 'index', 'versions', 'foobar', '--disable-pip-version-check'];
    const listed = await tool.program('/usr/bin/python3', args, { env });
    expect(listed).toMatchObject({ code: 0 });
    expect(listed.stdout).toContain('foobar (1.0)');
    const basic = Buffer.from(`__token__:${await tool.token()}`).toString('base64');
    expect(new Set(tool.authorizations)).toEqual(new Set([`Basic ${basic}`]));
  }, 300_000);
});
