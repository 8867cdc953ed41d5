import { describe, expect, it } from 'vitest';
import { findOnWindows, interpreterIn, windowsCandidates } from '../../src/system/find-on-windows.ts';

const tools = 'C:\\Tools';
const checkout = 'C:\\checkout';

describe('the files that a name can stand for on Windows', () => {
  it('have the extensions of PATHEXT, in their order, and at last none', () => {
    expect(windowsCandidates({ program: 'npm', env: { Path: tools, PATHEXT: '.COM;.EXE;.CMD' } })).toEqual([
      `${tools}\\npm.com`,
      `${tools}\\npm.exe`,
      `${tools}\\npm.cmd`,
      `${tools}\\npm`,
    ]);
  });

  it('are first the file itself where its extension is one of them', () => {
    const named = (program: string) =>
      windowsCandidates({ program, env: { PATH: tools, PATHEXT: '.EXE;.CMD' } });
    expect(named('yarn.cmd')[0]).toBe(`${tools}\\yarn.cmd`);
    expect(named('tool.v2')).toEqual([`${tools}\\tool.v2.exe`, `${tools}\\tool.v2.cmd`, `${tools}\\tool.v2`]);
  });

  it('are in the folders of PATH, with or without quotes', () => {
    const env = { PATH: `;"${tools}";\\\\server\\share;${tools}\\bin`, PATHEXT: '.EXE' };
    const found = windowsCandidates({ program: 'az', env }).slice(0, 3);
    expect(found).toEqual([`${tools}\\az.exe`, '\\\\server\\share\\az.exe', `${tools}\\bin\\az.exe`]);
  });

  // CVE-2023-40590, CVE-2024-22190, nodejs/node#46264, microsoft/vscode#32739: a git.exe in a checkout.
  it.each(['', '.', '.\\bin', '\\bin', 'C:', 'C:bin', '""', '"."'])(
    'are not in the working folder, also where PATH has %j',
    (folder) => {
      const found = windowsCandidates({
        program: 'git',
        env: { PATH: `${folder};${tools}`, PATHEXT: '.EXE' },
        folder: checkout,
      });
      expect(found).toEqual([`${tools}\\git.exe`, `${tools}\\git`]);
    },
  );

  it('are where a name says that has a folder', () => {
    const env = { PATH: tools, PATHEXT: '.EXE' };
    const named = (program: string) => windowsCandidates({ program, env, folder: checkout })[0];
    expect(named('.\\build')).toBe(`${checkout}\\build.exe`);
    expect(named('bin/build.exe')).toBe(`${checkout}\\bin\\build.exe`);
    expect(named('D:\\Other\\az')).toBe('D:\\Other\\az.exe');
  });

  it('are in no folder of another system without a PATH, and have the usual extensions without PATHEXT', () => {
    expect(windowsCandidates({ program: 'sh', env: {} })).toEqual([]);
    const found = windowsCandidates({ program: 'sh', env: { PATH: tools } });
    expect(found.map((one) => one.slice(tools.length))).toEqual(
      ['.exe', '.cmd', '.bat', '.com', ''].map((extension) => `\\sh${extension}`),
    );
  });
});

it('the first of them that is there is started', () => {
  const there = [`${checkout}\\git.cmd`, `${tools}\\git.exe`, 'D:\\git.exe'];
  const named = {
    program: 'git',
    env: { PATH: `C:\\Empty;${tools};D:\\`, PATHEXT: '.CMD;.EXE' },
    folder: checkout,
  };
  expect(findOnWindows(named, (file) => there.includes(file))).toBe(`${tools}\\git.exe`);
  expect(findOnWindows(named, () => false)).toBe(null);
});

it.each([
  ['#!/usr/bin/env node\n', 'node'],
  ['#! /bin/bash -e\r\n', 'bash'],
  ['#!C:/tools/python.exe\n', 'python.exe'],
  ['#!/usr/bin/env\n', null],
  ['@echo off\n#!/bin/sh', null],
  ['', null],
])('a script that begins with %j is run by %j', (start, interpreter) => {
  expect(interpreterIn(start)).toBe(interpreter);
});
