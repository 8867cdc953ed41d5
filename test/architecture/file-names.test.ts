import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultOfPath, sharedNames } from './file-names.ts';

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
  'calls/run-call.ts',
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
