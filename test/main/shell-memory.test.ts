import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ShellMemory } from '../../src/main/shell-memory.ts';
import { makeFolder } from '../fixtures/make-folder.ts';

const nothing = { windows: {}, toldNoTray: false, teamHost: null };
const place = { x: -1200, y: 40, width: 1120, height: 800, isMaximized: false };

/** The output on stderr during the test. */
function hearStderr(): string[] {
  const said: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((words) => {
    said.push(String(words));
    return true;
  });
  onTestFinished(() => {
    spy.mockRestore();
  });
  return said;
}

describe('what the shell remembers', () => {
  it('is nothing in the first run, and nothing is written before there is something', () => {
    const folder = makeFolder();
    expect(new ShellMemory(join(folder, 'desktop.json')).remembered).toEqual(nothing);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is there in the next run', () => {
    const path = join(makeFolder(), 'desktop.json');
    const memory = new ShellMemory(path);
    memory.keep({ windows: { overview: place } });
    memory.keep({ toldNoTray: true });
    memory.keep({ notices: { told: ['a'] } });
    const next = new ShellMemory(path).remembered;
    expect(next).toEqual({
      windows: { overview: place },
      toldNoTray: true,
      teamHost: null,
      notices: { told: ['a'] },
    });
    expect(next).toEqual(memory.remembered);
  });

  it.skipIf(process.platform === 'win32')('is for its owner alone, in a folder for its owner alone', () => {
    const folder = makeFolder();
    const path = join(folder, 'new', 'profile', 'desktop.json');
    new ShellMemory(path).keep({ toldNoTray: true });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(folder, 'new', 'profile'))).toEqual(['desktop.json']);
  });

  it.skipIf(process.platform === 'win32')('is written where no link leads that lies there', () => {
    const folder = makeFolder();
    const victim = join(makeFolder(), 'victim');
    writeFileSync(victim, 'precious');
    symlinkSync(victim, join(folder, 'desktop.json.new'));
    new ShellMemory(join(folder, 'desktop.json')).keep({ toldNoTray: true });
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(new ShellMemory(join(folder, 'desktop.json')).remembered.toldNoTray).toBe(true);
    expect(readdirSync(folder)).toEqual(['desktop.json']);
  });

  it.each([
    ['an empty file', ''],
    ['a torn one', '{"windows":{"overview":{"x":1'],
    ['a file that was blanked by a crash', '\0'.repeat(200)],
    ['a number', '7'],
    ['a text', '"desktop"'],
    ['null', 'null'],
    ['a list', '[]'],
    ['what another program wrote', '{"windows":[1,2],"toldNoTray":"yes","more":{}}'],
    [
      'a window without a size',
      `{"windows":{"overview":{"x":1,"y":2,"width":0,"height":-5,"isMaximized":false}}}`,
    ],
    [
      'a window of half a pixel',
      `{"windows":{"overview":{"x":0.5,"y":2,"width":800,"height":600,"isMaximized":false}}}`,
    ],
    ['a window that there is not', `{"windows":{"settings":{}}}`],
  ])('starts empty with %s', (_name, text) => {
    const path = join(makeFolder(), 'desktop.json');
    writeFileSync(path, text);
    const memory = new ShellMemory(path);
    expect(memory.remembered).toEqual(nothing);
    memory.keep({ toldNoTray: true });
    expect(new ShellMemory(path).remembered).toEqual({ ...nothing, toldNoTray: true });
  });

  it('keeps what can be read when one part cannot', () => {
    const path = join(makeFolder(), 'desktop.json');
    writeFileSync(
      path,
      JSON.stringify({ windows: { overview: place, designer: 'broken' }, toldNoTray: true }),
    );
    expect(new ShellMemory(path).remembered).toMatchObject({ toldNoTray: true });
  });

  it('starts empty if a folder is in its place', () => {
    const path = join(makeFolder(), 'desktop.json');
    mkdirSync(path);
    expect(new ShellMemory(path).remembered).toEqual(nothing);
  });

  it('stays in memory when it cannot be written, and reports which file and what that means', () => {
    const said = hearStderr();
    const file = join(makeFolder(), 'file');
    writeFileSync(file, '');
    const path = join(file, 'below', 'desktop.json');
    const memory = new ShellMemory(path);
    memory.keep({ toldNoTray: true });
    expect(memory.remembered.toldNoTray).toBe(true);
    expect(said.join('')).toContain(`${path} could not be written (ENOTDIR`);
    expect(said.join('')).toContain('the positions of windows will not be remembered');
  });

  it('is never half there: what stood before stays until the new one is whole', () => {
    const folder = makeFolder();
    const path = join(folder, 'desktop.json');
    new ShellMemory(path).keep({ toldNoTray: true });
    const before = readFileSync(path, 'utf8');
    mkdirSync(`${path}.new`); // blocks the temporary file
    const said = hearStderr();
    new ShellMemory(path).keep({ toldNoTray: false });
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(said).toHaveLength(1);
  });
});
