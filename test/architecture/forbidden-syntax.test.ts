import { describe, expect, it } from 'vitest';
import { root } from '../tools/root.ts';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

describe('the code', () => {
  it('has no enum (a union of literals, closed by unreachable), no clock in core and contract, and makes HTTP servers and renames files in one place each', () => {
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
    ['a rename', 'src/host/planted.ts', "import { rename } from 'node:fs/promises';", 'rename'],
    ['a renamed one', 'src/store/planted.ts', "import { renameSync as move } from 'fs';", 'rename'],
    ['one of a module that is whole', 'src/main/planted.ts', 'fs.promises.rename(a, b);', 'rename'],
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
    ['a rename in its place', 'src/system/replace-path.ts', "import { rename } from 'node:fs/promises';"],
    ['one before anything is built', 'src/launcher/planted.ts', "import { renameSync } from 'node:fs';"],
    ['a name of ours', 'src/core/planted.ts', "import { rename } from './rename.ts'; edit.rename(a);"],
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

/** What our style forbids and no rule of the lint can say. */
interface Forbidden {
  /** Below the root. */
  readonly file: string;
  readonly line: number;
  readonly what: 'enum' | 'clock' | 'server' | 'rename';
}

/** Here the instant is an argument. */
const withoutClock = ['src/core/', 'src/contract/'];

/** Every other HTTP server could end the program with one request. */
const serverPlace = 'src/network/create-listener.ts';

/** Any other rename would fail on Windows while a scanner has the file open. */
const renamePlace = 'src/system/replace-path.ts';

/** All of it in the sources, the tests and the configurations. */
function findForbidden(root: string): Forbidden[] {
  return globSync(['{src,test}/**/*.{ts,tsx}', '*.ts'], { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .flatMap((file) => forbiddenIn(file, readFileSync(join(root, file), 'utf8')));
}

/** That of one file. */
function forbiddenIn(file: string, content: string): Forbidden[] {
  const hasClock = !withoutClock.some((place) => file.startsWith(place));
  // Most files contain neither word, and reading the syntax of one takes much longer.
  const hasServer = !file.startsWith('src/') || file === serverPlace;
  const hasRename = !/^src\/(?!launcher\/)/.test(file) || file === renamePlace;
  const words = [
    'enum',
    ...(hasClock ? [] : ['Date']),
    ...(hasServer ? [] : ['createServer']),
    ...(hasRename ? [] : ['rename', 'renameSync']),
  ];
  if (!new RegExp(`\\b(?:${words.join('|')})\\b`).test(content)) return [];
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const found: Forbidden[] = [];
  visit(source);
  return found;

  function forbiddenIn(node: ts.Node): Forbidden['what'] | null {
    if (ts.isEnumDeclaration(node)) return 'enum';
    if (!hasClock && readsClock(node)) return 'clock';
    if (!hasServer && makesServer(node)) return 'server';
    return !hasRename && renamesFile(node) ? 'rename' : null;
  }

  function visit(node: ts.Node): void {
    const what = forbiddenIn(node);
    if (what !== null) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ file, line: line + 1, what });
    }
    ts.forEachChild(node, visit);
  }
}

/** `new Date()`, `new Date` and `Date()`; the lint finds `Date.now`. */
function readsClock(node: ts.Node): boolean {
  if (ts.isCallExpression(node)) return isDate(node.expression);
  return (
    ts.isNewExpression(node) &&
    isDate(node.expression) &&
    (node.arguments === undefined || node.arguments.length === 0)
  );
}

function isDate(node: ts.Expression): boolean {
  return ts.isIdentifier(node) && node.text === 'Date';
}

/** Node's own for HTTP, imported or as a property of its module. Methods of ours may have the name. */
function makesServer(node: ts.Node): boolean {
  if (ts.isImportSpecifier(node)) {
    const { moduleSpecifier } = node.parent.parent.parent;
    const isHttp = ts.isStringLiteral(moduleSpecifier) && /^(?:node:)?https?2?$/.test(moduleSpecifier.text);
    return isHttp && (node.propertyName ?? node.name).text === 'createServer';
  }
  if (!ts.isPropertyAccessExpression(node) || node.name.text !== 'createServer') return false;
  return ts.isIdentifier(node.expression) && /^https?2?$/.test(node.expression.text);
}

/** Node's own, imported or as a property of its module. Methods of ours may have the name. */
function renamesFile(node: ts.Node): boolean {
  if (ts.isImportSpecifier(node)) {
    const { moduleSpecifier } = node.parent.parent.parent;
    const isFs =
      ts.isStringLiteral(moduleSpecifier) && /^(?:node:)?fs(?:\/promises)?$/.test(moduleSpecifier.text);
    return isFs && /^rename(?:Sync)?$/.test((node.propertyName ?? node.name).text);
  }
  if (!ts.isPropertyAccessExpression(node) || !/^rename(?:Sync)?$/.test(node.name.text)) return false;
  return /^fs(?:\.promises)?$/.test(node.expression.getText());
}
