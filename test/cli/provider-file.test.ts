import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyProviderText } from '../fixtures/key-provider.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { rotavox } from './rotavox.ts';
import { serviceHere } from './service-here.ts';

function fileWith(content: unknown): string {
  const path = join(makeFolder(), 'keys.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('rotavox provider', () => {
  it('tests the examples of a file, without a service', async () => {
    const tested = await rotavox(['provider', 'test', fileWith(keyProviderText)]);
    expect(tested.code).toBe(0);
    expect(tested.stdout).toBe('pass  A new key\npass  The key was deleted\npass  The reply is lost\n');
    expect(tested.stderr).toBe('All 3 examples pass.\n');
  });

  it('says which example fails, and why', async () => {
    const [first, ...rest] = keyProviderText.examples;
    const file = fileWith({
      ...keyProviderText,
      examples: [{ ...first, expect: { value: 'other' } }, ...rest],
    });
    const tested = await rotavox(['provider', 'test', file]);
    expect(tested.code).toBe(1);
    expect(tested.stdout).toContain('fail  A new key: value is new, not other.');
    expect(tested.stderr).toContain('1 of 3 examples fail.');
  });

  it('refuses a file without an example of a lost reply, or that is no JSON', async () => {
    const without = await rotavox([
      'provider',
      'test',
      fileWith({ ...keyProviderText, examples: keyProviderText.examples.slice(0, 2) }),
    ]);
    expect(without.code).toBe(1);
    expect(without.stderr).toContain('examples there is no example with the outcome unclear');
    const broken = await rotavox(['provider', 'test', fileWith('{')]);
    expect(broken.code).toBe(1);
    expect(broken.stderr).toContain('is not JSON');
  });

  it('adds a file to the data folder and removes it', async () => {
    const dataDir = makeFolder();
    const stored = join(dataDir, 'providers', 'keys.json');
    expect((await rotavox(['provider', 'add', fileWith(keyProviderText)], { dataDir })).code).toBe(0);
    expect(existsSync(stored)).toBe(true);
    expect((await rotavox(['provider', 'remove', 'keys'], { dataDir })).code).toBe(0);
    expect(existsSync(stored)).toBe(false);
    const again = await rotavox(['provider', 'remove', 'keys'], { dataDir });
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('no provider file with the id “keys”');
  });

  it('that is added or removed takes effect in a program that runs', async () => {
    const service = await serviceHere();
    const run = (...args: string[]) => service.cli(...args);
    const added = await run('provider', 'add', fileWith(keyProviderText));
    expect(added.stderr).toContain('Rotavox uses it from now on.');
    expect((await run('provider', 'show', 'keys')).stdout).toContain('Keys');
    await run('provider', 'add', fileWith({ ...keyProviderText, title: 'Other keys' }));
    expect((await run('provider', 'show', 'keys')).stdout).toContain('Other keys');
    const removed = await run('provider', 'remove', 'keys');
    expect(removed.stderr).toContain(
      'Rotavox has stopped using it.\nIts credentials wait until it is added again.',
    );
    expect((await run('provider', 'show', 'keys')).code).toBe(1);
  });
});
