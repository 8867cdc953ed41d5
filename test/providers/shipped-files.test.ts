import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { factsOfFile } from '../../src/providers/file/known-file.ts';
import { runExamples } from '../../src/providers/file/run-examples.ts';
import { ProviderFile, providerFileSchema } from '../../src/contract/credential/provider-file.ts';
import { isForbidden } from '../../src/core/proxy/decide-request.ts';
import { keyProviderText } from '../fixtures/key-provider.ts';
import { providerFacts, providerIds } from '../../src/providers/catalogue.ts';
import { ServiceCaller } from '../../src/providers/http/service-caller.ts';
import { openProviders } from '../../src/providers/open-providers.ts';

const folder = new URL('../../resources/providers/', import.meta.url);
const shipped = readdirSync(folder).filter(
  (name) => name.endsWith('.json') && name !== 'provider.schema.json',
);
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

describe.each(shipped)('the shipped provider %s', (name) => {
  const file = ProviderFile.parse(read(name));

  it('is called as its file', () => {
    expect(`${file.id}.json`).toBe(name);
  });

  it('is complete, so that it is not parsed at each start', () => {
    const { $schema: _schema, examples: _recorded, ...raw } = read(name) as Record<string, unknown>;
    const { $schema: _same, examples: _played, ...parsed } = file;
    expect(raw).toEqual(parsed);
  });

  it.each(file.examples.map(({ title }) => title))('does as its example says: %s', async (title) => {
    const results = await runExamples(file);
    expect(results.find((one) => one.title === title)).toEqual({ title, problem: null });
  });

  it('has an example for every step', () => {
    const played = file.examples.map(({ step }) => step);
    const steps = Object.keys(file.steps).filter((step) => step !== 'list');
    expect(played).toEqual(expect.arrayContaining(steps));
    if (file.after_lost_reply === 'list') expect(played).toContain('reconcile');
  });
});

it('the published schema is the one of the program', () => {
  expect(read('provider.schema.json')).toEqual(JSON.parse(JSON.stringify(providerFileSchema())));
});

describe('the calls of a provider file', () => {
  const refuses = (file: unknown, method: string, path: string) =>
    isForbidden(
      { forbidden: factsOfFile(ProviderFile.parse(file)).forbidden, basePath: '' },
      method,
      path.split('/').slice(1),
    );

  it.each([
    ['POST', '/keys'],
    ['GET', '/keys'],
    ['DELETE', '/keys/7'],
    ['PATCH', '/keys/7/anything'],
    ['POST', '/KEYS'],
  ])('are never for the proxy, whatever the file forbids: %s %s', (method, path) => {
    expect(refuses(keyProviderText, method, path)).toBe(true);
    expect(
      refuses({ ...keyProviderText, forbidden: [{ method: 'POST', path: '/other' }] }, method, path),
    ).toBe(true);
  });

  it('are not all that begins alike, nor the question about a token', () => {
    expect(refuses(keyProviderText, 'GET', '/keyboards')).toBe(false);
    expect(refuses(keyProviderText, 'GET', '/me')).toBe(false);
  });

  it.each([
    [{ method: 'post', path: '/other' }, 'a method in capital letters'],
    [{ method: 'POST', path: 'other' }, 'must begin with one slash'],
    [{ method: 'POST', path: '//other' }, 'must begin with one slash'],
  ])('are not forbidden by a route that can never match: %j', (route, why) => {
    const read = ProviderFile.safeParse({ ...keyProviderText, forbidden: [route] });
    expect(read.error?.issues[0]?.message).toContain(why);
  });
});

describe('an example', () => {
  const [, dead, lost] = keyProviderText.examples;
  const [minted] = keyProviderText.examples;

  async function problemWith(change: Record<string, unknown>) {
    const file = ProviderFile.parse({ ...keyProviderText, examples: [{ ...minted, ...change }, dead, lost] });
    return (await runExamples(file))[0]?.problem?.code;
  }

  it('fails with another request, outcome or value than it says', async () => {
    expect(await problemWith({})).toBeUndefined();
    expect(await problemWith({ expect: { value: 'other' } })).toBe('other_value');
    expect(await problemWith({ exchanges: [...(minted?.exchanges ?? []), ...(dead?.exchanges ?? [])] })).toBe(
      'too_few',
    );
    expect(await problemWith({ given: { value: 'old', wanted_days: 7 } })).toBe('other_request');
    const [exchange] = minted?.exchanges ?? [];
    expect(await problemWith({ exchanges: [{ ...exchange, reply: { status: 200, json: {} } }] })).toBe(
      'other_outcome',
    );
  });
});

describe('a provider file', () => {
  type Change = (file: Record<string, never> & typeof keyProviderText) => unknown;
  const { steps } = keyProviderText;

  it.each<[string, Change, string]>([
    ['an unknown field', (file) => ({ ...file, script: 'x' }), ''],
    [
      'a brace that is no placeholder',
      (file) => ({
        ...file,
        steps: { ...steps, inspect: { ...steps.inspect, request: { method: 'GET', path: '/{a b}' } } },
      }),
      'steps.inspect.request.path',
    ],
    [
      'an unknown placeholder',
      (file) => ({
        ...file,
        steps: { ...steps, retire: { ...steps.retire, request: { method: 'DELETE', path: '/keys/{key}' } } },
      }),
      'steps.retire.request.path',
    ],
    [
      'the token in a path',
      (file) => ({
        ...file,
        steps: { ...steps, inspect: { ...steps.inspect, request: { method: 'GET', path: '/{value}' } } },
      }),
      'steps.inspect.request.path',
    ],
    ['no way to delete', (file) => ({ ...file, steps: { ...steps, retire: undefined } }), 'steps'],
    [
      'a list without a label to find',
      (file) => ({
        ...file,
        steps: { ...steps, mint: { ...steps.mint, request: { ...steps.mint.request, json: {} } } },
      }),
      'steps.mint.request',
    ],
    ['no example of a lost reply', (file) => ({ ...file, examples: file.examples.slice(0, 2) }), 'examples'],
    ['the id of a provider that is built in', (file) => ({ ...file, id: 'gitlab' }), 'id'],
    [
      'a repetition of what ends the old token',
      (file) => ({ ...file, shape: 'self_rotate', after_lost_reply: 'repeat' }),
      'after_lost_reply',
    ],
  ])('is refused with %s', (_what, change, path) => {
    const parsed = ProviderFile.safeParse(change(keyProviderText as never));
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toContain(path);
  });
});

const providers = openProviders(new ServiceCaller({}), Date.now);

it.each(providerIds)('%s has the calls that its facts promise', (id) => {
  const { traits, endOnRequest, endsReplaced } = providerFacts(id);
  const { shape, oldEnds, repeat } = traits;
  const { traits: own, endsBy, ...calls } = providers.of(id);
  expect(own).toBe(traits);
  expect(shape === 'renew' ? calls.renew : calls.rotate).toBeDefined();
  if (repeat === 'after_inspect') expect(calls.reconcile).toBeDefined();
  expect(calls.secret !== undefined && calls.obtain !== undefined).toBe(shape === 'refresh');
  expect(endsBy.includes('id')).toBe(oldEnds === 'when_retired');
  expect(endsBy.includes('value')).toBe(endsReplaced !== undefined);
  if (endOnRequest !== undefined || traits.isRevokedOnRemoval === true) expect(endsBy).toContain('itself');
  expect(calls.end !== undefined).toBe(endsBy.length > 0);
});
