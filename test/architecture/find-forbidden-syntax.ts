import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** What our style forbids and no rule of the lint can say. */
export interface Forbidden {
  /** Below the root. */
  readonly file: string;
  readonly line: number;
  readonly what: 'enum' | 'clock' | 'server';
}

/** Here the instant is an argument. */
const withoutClock = ['src/core/', 'src/contract/'];

/** Every other HTTP server could end the program with one request. */
const serverPlace = 'src/network/create-listener.ts';

/** All of it in the sources, the tests and the configurations. */
export function findForbidden(root: string): Forbidden[] {
  return globSync(['{src,test}/**/*.{ts,tsx}', '*.ts'], { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .flatMap((file) => forbiddenIn(file, readFileSync(join(root, file), 'utf8')));
}

/** That of one file. */
export function forbiddenIn(file: string, content: string): Forbidden[] {
  const hasClock = !withoutClock.some((place) => file.startsWith(place));
  // Most files contain neither word, and reading the syntax of one takes much longer.
  const hasServer = !file.startsWith('src/') || file === serverPlace;
  const words = ['enum', ...(hasClock ? [] : ['Date']), ...(hasServer ? [] : ['createServer'])];
  if (!new RegExp(`\\b(?:${words.join('|')})\\b`).test(content)) return [];
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const found: Forbidden[] = [];
  visit(source);
  return found;

  function visit(node: ts.Node): void {
    const what = ts.isEnumDeclaration(node)
      ? 'enum'
      : !hasClock && readsClock(node)
        ? 'clock'
        : !hasServer && makesServer(node)
          ? 'server'
          : null;
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
