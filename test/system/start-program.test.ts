import { type ChildProcess, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  isStartFailure,
  isTreeAlive,
  type ProcessSystem,
  signalChild,
  signalTree,
  type Started,
  startProgram,
  type StartingSystem,
  windowsProgram,
} from '../../src/system/start-program.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { root } from '../tools/root.ts';

/** A child process that runs, and the signals that it was sent alone. */
function childWith(state: Partial<Started> = {}) {
  const signals: unknown[] = [];
  const kill = (signal?: NodeJS.Signals | number) => signals.push(signal) > 0;
  return { signals, child: { pid: 4711, exitCode: null, signalCode: null, kill, ...state } as Started };
}

/** A system that notes what ends processes there. */
function systemOf(platform: NodeJS.Platform, { hasTaskkill = true } = {}) {
  const done: unknown[] = [];
  const system: ProcessSystem = {
    platform,
    kill: (pid, signal) => done.push([pid, signal]) > 0,
    start(program, args, onFailure) {
      done.push([program, ...args]);
      if (!hasTaskkill) onFailure();
    },
  };
  return { done, system };
}

// A child that is ended alone leaves what it started: pkrumins/node-tree-kill#1, sindresorhus/fkill#20, buildkite/agent#795.
describe('on Windows', () => {
  const taskkill = [windowsProgram('taskkill.exe'), '/PID', '4711', '/T', '/F'];

  it.each(['SIGTERM', 'SIGKILL'] as const)('%s ends a child with everything that it started', (signal) => {
    const { done, system } = systemOf('win32');
    const { child, signals } = childWith();
    signalTree(child, signal, system);
    signalChild(child, signal, system);
    expect(done).toEqual([taskkill, taskkill]);
    expect(signals).toEqual([]);
  });

  it('a child is ended alone where taskkill fails', () => {
    const { system } = systemOf('win32', { hasTaskkill: false });
    const { child, signals } = childWith();
    signalTree(child, 'SIGTERM', system);
    expect(signals).toEqual(['SIGKILL']);
  });

  it.each([
    ['has ended', { exitCode: 0 }],
    ['was ended', { signalCode: 'SIGTERM' }],
    ['was never started', { pid: undefined }],
  ] as const)(
    'nothing is ended for a child that %s: its id may be that of another program',
    (_how, state) => {
      const { done, system } = systemOf('win32');
      signalTree(childWith(state).child, 'SIGKILL', system);
      expect(done).toEqual([]);
      expect(isTreeAlive(childWith(state).child, system)).toBe(false);
    },
  );
});

it('elsewhere a signal goes to the group of a child, or to the child alone', () => {
  const { done, system } = systemOf('linux');
  const { child, signals } = childWith();
  signalTree(child, 'SIGTERM', system);
  expect(isTreeAlive(child, system)).toBe(true);
  signalChild(child, 'SIGINT', system);
  expect(done).toEqual([
    [-4711, 'SIGTERM'],
    [-4711, 0],
  ]);
  expect(signals).toEqual(['SIGINT']);
});

it('an error says that a program was not started, or that a signal was refused', () => {
  const errorOf = (syscall: string) => Object.assign(new Error(), { syscall });
  const child = (pid: number | undefined) => ({ pid }) as ChildProcess;
  expect(isStartFailure(child(undefined), new Error())).toBe(true);
  expect(isStartFailure(child(1), errorOf('spawn npm'))).toBe(true);
  expect(isStartFailure(child(1), errorOf('kill'))).toBe(false);
});

/** A Windows with files, in a working folder that has planted ones, and what is started there. */
function windowsWith(files: Readonly<Record<string, string>>) {
  const started: unknown[] = [];
  const child = {} as ChildProcess;
  const system: StartingSystem = {
    platform: 'win32',
    env: { Path: String.raw`C:\Program Files\nodejs;C:\Git\cmd`, PATHEXT: '.EXE;.CMD' },
    spawn: (...how) => (started.push(['itself', ...how]), child),
    runByShell: (...how) => (started.push(['by cmd.exe', ...how]), child),
    isFile: (path) => path in files,
    readStart: (path) => files[path] ?? '',
  };
  return { started, system };
}

describe('a program of Windows', () => {
  const cwd = String.raw`C:\checkout`;
  const node = String.raw`C:\Program Files\nodejs\node.exe`;
  const npm = String.raw`C:\Program Files\nodejs\npm.cmd`;
  const script = String.raw`C:\Git\cmd\deploy`;
  const planted = Object.fromEntries(
    ['npm.cmd', 'node.exe', 'node.cmd', 'cmd.exe', 'git.exe', 'deploy.cmd'].map((name) => [
      `${cwd}\\${name}`,
      'MZ',
    ]),
  );

  it.each([
    ['npm', 'by cmd.exe', npm, []],
    ['node', 'itself', node, []],
    ['deploy', 'itself', node, [script]],
    [String.raw`.\npm`, 'by cmd.exe', String.raw`C:\checkout\npm.cmd`, []],
  ])(
    'is found by the name %s, but not in the working folder unless the name says so',
    (name, how, file, before) => {
      const files = { ...planted, [npm]: '@echo off', [node]: 'MZ', [script]: '#!/usr/bin/env node\n' };
      const { started, system } = windowsWith(files);
      startProgram(name, ['a&b'], { cwd }, system);
      expect(started).toEqual([[how, file, [...before, 'a&b'], { cwd }]]);
    },
  );

  it.each(['git', 'git.exe', String.raw`.\missing`])(
    'that is not there is reported as Node does: %s',
    (name) => {
      const { started, system } = windowsWith(planted);
      const error = { code: 'ENOENT', syscall: `spawn ${name}`, path: name };
      expect(() => startProgram(name, [], { cwd }, system)).toThrow(expect.objectContaining(error) as Error);
      expect(started).toEqual([]);
    },
  );

  it('is looked for in the PATH that it gets', () => {
    const { started, system } = windowsWith({ [String.raw`D:\bin\git.exe`]: 'MZ' });
    const env = { PATH: String.raw`D:\bin` };
    startProgram('git', [], { env }, system);
    expect(started).toEqual([['itself', String.raw`D:\bin\git.exe`, [], { env }]]);
  });

  it('has cmd.exe from the folder of Windows, also where no variable names it', () => {
    const { system } = windowsWith({ [npm]: '' });
    startProgram('npm', [], {}, system);
    expect(system.env['ComSpec']).toBe(windowsProgram('cmd.exe'));
    system.env['ComSpec'] = 'D:\\cmd.exe';
    startProgram('npm', [], {}, system);
    expect(system.env['ComSpec']).toBe('D:\\cmd.exe');
  });
});

it('a program of another system is started as it is named', () => {
  const { started, system } = windowsWith({});
  startProgram('git', ['x'], {}, { ...system, platform: 'linux' });
  expect(started).toEqual([['itself', 'git', ['x'], {}]]);
});

/** What cross-spawn starts for a file on Windows, which a process that takes itself for one there is asked. */
function shellCommandOf(file: string, args: readonly string[]): { command: string; args: string[] } {
  const script = `
    Object.defineProperty(process, 'platform', { value: 'win32' });
    const { default: spawn } = await import(${JSON.stringify(pathToFileURL(join(root, 'node_modules/cross-spawn/index.js')).href)});
    const { command, args } = spawn._parse(${JSON.stringify(file)}, ${JSON.stringify(args)}, {});
    console.log(JSON.stringify({ command, args }));`;
  const env = { PATHEXT: '.exe;.cmd', comspec: 'cmd.exe' };
  const node = ['--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, node, { env, encoding: 'utf8' })) as never;
}

// EINVAL since CVE-2024-27980: nodejs/node#52681, nodejs/node#52554, node-red/node-red#4653.
it('a script of Windows is run by cmd.exe, which reads none of its arguments', () => {
  const folder = join(makeFolder(), 'Program Files');
  mkdirSync(folder);
  const npm = join(folder, 'npm.cmd');
  writeFileSync(npm, '');
  const { command, args } = shellCommandOf(npm, ['a&b', '%PATH%', 'two words', '^']);
  expect(command).toBe('cmd.exe');
  expect(args.slice(0, 3)).toEqual(['/d', '/s', '/c']);
  const escaped = npm.replaceAll(' ', '^ ');
  expect(args[3]).toBe(`"${escaped} ^"a^&b^" ^"^%PATH^%^" ^"two^ words^" ^"^^^""`);
});
