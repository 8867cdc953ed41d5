import { describe, expect, it } from 'vitest';
import { root } from '../tools/root.ts';
import { findForbidden, forbiddenIn } from './find-forbidden-syntax.ts';

describe('the code', () => {
  it('has no enum (a union of literals, closed by unreachable), no clock in core and contract, and makes HTTP servers in one place', () => {
    expect(findForbidden(root)).toEqual([]);
  });
});

describe('the search for forbidden syntax', () => {
  it.each([
    ['an enum', 'src/agent/planted.ts', 'export enum State { on, off }', 'enum'],
    ['an enum that is a constant', 'test/core/planted.ts', 'const enum State { on, off }', 'enum'],
    ['an enum that is declared only', 'src/main/planted.d.ts', 'declare enum State { on, off }', 'enum'],
    ['an enum beside elements', 'src/renderer/planted.tsx', 'const a = <p />;\nenum State { on }', 'enum'],
    ['the present time as an object', 'src/core/planted.ts', 'const at = new Date();', 'clock'],
    ['it without brackets', 'src/contract/planted.ts', 'const at = new Date;', 'clock'],
    ['it as a text', 'src/core/ivr/planted.ts', 'const at = `${Date()}`;', 'clock'],
    ['a server', 'src/agent/planted.ts', "import { createServer } from 'node:http';", 'server'],
    ['a renamed one', 'src/main/planted.ts', "import { createServer as make } from 'node:https';", 'server'],
    ['one of a module', 'src/host/planted.ts', 'const server = http.createServer();', 'server'],
  ])('finds %s', (_what, file, source, what) => {
    expect(forbiddenIn(file, source).map((one) => one.what)).toEqual([what]);
  });

  it.each([
    ['a server in its place', 'src/network/create-listener.ts', 'const server = http.createServer();'],
    [
      'one of TCP, and a method',
      'src/cli/planted.ts',
      "import { createServer } from 'node:net'; a.createServer();",
    ],
    ['one of a test', 'test/cli/planted.ts', "import { createServer } from 'node:http';"],
    ['a time outside of core', 'src/agent/planted.ts', 'const at = new Date();'],
    ['a given time in core', 'src/core/planted.ts', 'const at = new Date(ms); const text = Date.parse(one);'],
    ['the word', 'src/core/planted.ts', "const schema = z.enum(['on']); // An enum of Date()"],
  ])('passes over %s', (_what, file, source) => {
    expect(forbiddenIn(file, source)).toEqual([]);
  });

  it('gives the file and the line', () => {
    expect(forbiddenIn('src/core/planted.ts', 'const one = 1;\nconst two = new Date();\n')).toEqual([
      { file: 'src/core/planted.ts', line: 2, what: 'clock' },
    ]);
  });
});
