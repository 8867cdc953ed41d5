import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { builtFile } from '../../src/launcher/ensure-built.ts';
import { builtRotavox } from './rotavox.ts';
import { refusal, StandInService } from './stand-in-service.ts';

const readCall = 'GET /portal/credentials/pbx/value';

/** A built file and all that it imports at once, without what it loads later. */
function loadedWith(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const source = readFileSync(file, 'utf8');
  for (const [, path = ''] of source.matchAll(/^import (?:[^'"]* from )?["'](\.[^"']+)["'];$/gm))
    loadedWith(join(file, '..', path), found);
  return found;
}

describe('the command line, before it knows what is asked', () => {
  it('loads neither packages nor schemas, and no module of Node that loads `fetch`', () => {
    const entry = builtFile('cli/index.js');
    const [, next = ''] = /import\("([^"]*run-fast[^"]*)"\)/.exec(readFileSync(entry, 'utf8')) ?? [];
    const files = [...loadedWith(entry), ...loadedWith(join(entry, '..', next))];
    const sources = files.map((file) => readFileSync(file, 'utf8'));
    const source = sources.join('\n');
    expect(source).toContain('didQuickly');
    expect(source).not.toContain('//#region node_modules');
    expect(source).not.toContain('// node_modules/');
    expect(source).not.toMatch(/\bz\.object\(/);
    expect(source).not.toMatch(/from ["']node:https?["']/);
    expect(source.length).toBeLessThan(50_000);
  });
});

describe('what is done without loading the rest', () => {
  it('is the version', async () => {
    for (const option of ['--version', '-V'])
      expect(await builtRotavox([option])).toEqual({
        code: 0,
        stdout: `${packageJson.version}\n`,
        stderr: '',
      });
  });

  it('is `get`, with one call', async () => {
    const { dataDir, calls, value } = await StandInService.start();
    const named = ['--data-dir', dataDir];
    expect(await builtRotavox(['get', 'pbx'], { dataDir })).toEqual({
      code: 0,
      stdout: `${value}\n`,
      stderr: '',
    });
    expect(await builtRotavox(['get', 'pbx', ...named])).toMatchObject({ code: 0, stdout: `${value}\n` });
    expect(await builtRotavox([...named, 'get', 'pbx'])).toMatchObject({ code: 0, stdout: `${value}\n` });
    expect(calls.map(({ call }) => call)).toEqual([readCall, readCall, readCall]);
  });

  it('is nothing that fails: the whole command asks again and explains', { tags: ['long'] }, async () => {
    const service = await StandInService.start();
    const { dataDir, calls } = service;
    service.answers.set(readCall, refusal(409, 'token_unusable', 'The token has expired.'));
    const refused = await builtRotavox(['get', 'pbx'], { dataDir });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('The token has expired.');
    for (const reply of [{ value: 'rvx_of_another_program' }, null, [], 'text']) {
      service.answers.set(readCall, [200, reply]);
      const strange = await builtRotavox(['get', 'pbx'], { dataDir });
      expect(strange).toMatchObject({ code: 1, stdout: '' });
      expect(strange.stderr).toContain('does not answer like this version of Rotavox');
    }
    expect(calls.filter(({ call }) => call === readCall)).toHaveLength(10);
    await service.stop();
    expect(await builtRotavox(['get', 'pbx'], { dataDir })).toMatchObject({ code: 3, stdout: '' });
  });

  it('is no other form of `get`', { tags: ['long'] }, async () => {
    const { dataDir, value } = await StandInService.start();
    const json = await builtRotavox(['get', '--json', 'pbx'], { dataDir });
    expect(JSON.parse(json.stdout)).toMatchObject({ value });
    expect((await builtRotavox(['get', '--help'])).stdout).toContain('rotavox get');
    for (const words of [['get'], ['get', 'pbx', 'billing'], ['get', 'pbx', '--data-dir']])
      expect(await builtRotavox(words, { dataDir }), words.join(' ')).toMatchObject({ code: 2, stdout: '' });
    expect(await builtRotavox(['get', '..'], { dataDir })).toMatchObject({ code: 1, stdout: '' });
  });
});
