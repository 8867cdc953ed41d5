import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { providerIds } from '../../src/providers/catalogue.ts';

const src = join(import.meta.dirname, '../../src');

/** They are words for other things as well: this program, where tokens are stored, how a token is replaced. */
const otherWords: ReadonlySet<string> = new Set(['rotavox', 'vault', 'assisted']);

/** Which provider credentials have that name none is decided here. */
const ofDefault = 'contract/credential/provider.ts';

/** Places in a source that name a provider, instead of asking for a fact about it. */
function namedIn(content: string): string[] {
  const names = providerIds.filter((id) => !otherWords.has(id)).join('|');
  return content.match(new RegExp(`['"\`](?:${names})['"\`]|[=!]== defaultProvider\\.id`, 'g')) ?? [];
}

it('what differs between services is a fact with a name: nobody else asks which service it is', () => {
  const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('providers/') && path !== ofDefault);
  expect(sources.length).toBeGreaterThan(500);
  const asking = sources.filter((path) => namedIn(readFileSync(join(src, path), 'utf8')).length > 0);
  expect(asking).toEqual([]);
});

it.each([
  `provider.id === 'oauth2'`,
  `case "github-app":`,
  'id !== defaultProvider.id',
  'const id = `datadog`;',
])('is found: %s', (line) => {
  expect(namedIn(line)).toHaveLength(1);
});

it.each([`kind === 'vault'`, `import './gitlab-like.ts'`, `'oauth2_error'`])('is none: %s', (line) => {
  expect(namedIn(line)).toEqual([]);
});
