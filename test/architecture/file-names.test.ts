import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

describe('file names', () => {
  // Fixtures carry the names their formats give them.
  it.each(['src', 'test'])('are kebab-case and name a thing, in %s', async (top) => {
    const entries = await readdir(join(root, top), { recursive: true });
    const ours = entries
      .map((entry) => `${top}/${entry}`)
      .filter((path) => !path.startsWith('test/fixtures/'));
    expect(ours.map(faultOfPath).filter((fault) => fault !== null)).toEqual([]);
  });

  it.each([
    'src/core/utils.ts',
    'src/core/token-helpers.ts',
    'src/common/token.ts',
    'src/agent/manager/loop.ts',
    'src/core/TokenFamily.ts',
    'src/renderer/token_list.tsx',
    'src/renderer/tokens/tokenList.test.tsx',
  ])('are refused: %s', (path) => {
    expect(faultOfPath(path)).toContain(path);
  });

  it.each([
    'src/README.md',
    'src/core/token/rotate-token.ts',
    'src/renderer/vite-env.d.ts',
    'src/store/v1/open.ts',
  ])('are accepted: %s', (path) => {
    expect(faultOfPath(path)).toBeNull();
  });
});

describe('a name that two files share', () => {
  it('is found, apart from those that the folder tells apart', () => {
    expect(
      sharedNames([
        'src/core/timer.ts',
        'src/main/timer.ts',
        'src/main/index.ts',
        'src/cli/index.ts',
        'src/providers/gitlab/facts.ts',
        'src/providers/vault/facts.ts',
        'src/text/facts.ts',
      ]),
    ).toEqual(['src/core/timer.ts, src/main/timer.ts']);
  });

  it('is given to no file of src', async () => {
    const entries = await readdir(join(root, 'src'), { recursive: true });
    const sources = entries.filter((entry) => /\.(?:tsx?|css)$/.test(entry)).map((entry) => `src/${entry}`);
    expect(sharedNames(sources)).toEqual([]);
  });
});

/** Longer than this a file holds more than one idea. */
const mostLines = 450;
/** Each is one object or one format whose parts have no use alone. */
const longFiles = new Set([
  'main/desktop.ts',
  'host/start-team-host.ts',
  'store/team/member.ts',
  'calls/pbx-connection.ts',
  'calls/record-file.ts',
  'providers/oauth2/oauth-exchange.ts',
  'providers/file/file-provider.ts',
]);

describe('the files of src', () => {
  it(`have ${mostLines} lines at most`, async () => {
    const sources = await sourcesOf('src');
    const long = sources.filter(({ text }) => text.split('\n').length - 1 > mostLines);
    expect(long.map(({ path }) => path).filter((path) => !longFiles.has(path))).toEqual([]);
  });

  it('have one table of what is said of each trouble of a credential', async () => {
    const sources = await sourcesOf('src');
    const tables = sources.filter(({ text }) => /Record<\s*(?:ServiceTrouble|TroubleKind)\b/.test(text));
    expect(tables.map(({ path }) => path)).toEqual(['text/credential/trouble-text.ts']);
  });
});

// Both are declared in the one file of types of the package.
it('a type of the contract has no name that the client gives to one of its own', async () => {
  const [client, contract] = await Promise.all(
    ['src/client', 'src/contract'].map(async (top) => typesOf(await sourcesOf(top))),
  );
  expect(client).toContain('Connection');
  expect(client?.filter((name) => contract?.includes(name))).toEqual([]);
});

function typesOf(sources: readonly { readonly text: string }[]): string[] {
  return sources.flatMap(({ text }) =>
    [...text.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name = '']) => name),
  );
}

async function sourcesOf(top: string): Promise<{ path: string; text: string }[]> {
  const entries = await readdir(join(root, top), { recursive: true });
  const paths = entries.filter((path) => /\.tsx?$/.test(path));
  return Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(join(root, top, path), 'utf8') })),
  );
}

it('links of the documentation lead to a file', async () => {
  const all = await readdir(root);
  const below = await Promise.all(
    ['src', 'resources', 'test'].map(async (top) =>
      (await readdir(join(root, top), { recursive: true })).map((name) => join(top, name)),
    ),
  );
  const pages = [...all, ...below.flat()].filter((name) => name.endsWith('.md'));
  const broken: string[] = [];
  for (const page of pages) {
    const text = await readFile(join(root, page), 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g))
      if (!existsSync(join(root, dirname(page), target))) broken.push(`${page}: ${target}`);
  }
  expect(pages.length).toBeGreaterThan(40);
  expect(broken).toEqual([]);
});

/** Words that name a drawer instead of a thing: whatever fits nowhere else ends up in them. */
const drawers = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'managers']);

const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** What is wrong with a path's names, or null. Every folder on the way counts; `.test`, `.d` and the like are suffixes. */
function faultOfPath(path: string): string | null {
  for (const part of path.split('/')) {
    if (part === 'README.md' || part.startsWith('.')) continue;
    const [name = '', ...suffixes] = part.split('.');
    if (![name, ...suffixes].every((word) => kebabCase.test(word)))
      return `${path}: «${part}» is not kebab-case`;
    if (name.split('-').some((word) => drawers.has(word))) {
      return `${path}: «${part}» does not say what it holds; name it after its main export`;
    }
  }
  return null;
}

/** Every provider has a file of each of these names, and each program begins in its index: the folder says whose it is. */
const namedByFolder = /^src\/(?:providers\/[^/]+\/(?:facts|words|calls)|(?:cli|main|preload)\/index)\.ts$/;

/** Files of a list that share a name, which a search cannot tell apart. */
function sharedNames(paths: readonly string[]): string[] {
  const named = Map.groupBy(
    paths.filter((path) => !namedByFolder.test(path)),
    (path) => path.slice(path.lastIndexOf('/') + 1),
  );
  return [...named.values()].filter(({ length }) => length > 1).map((files) => files.join(', '));
}
