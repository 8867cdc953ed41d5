import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** What our style forbids and no rule of the lint can say. */
export interface Forbidden {
  /** Below the root. */
  readonly file: string;
  readonly line: number;
  readonly what: 'enum' | 'clock';
}

/** Here the instant is an argument. */
const withoutClock = ['src/core/', 'src/contract/'];

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
  if (!(hasClock ? /\benum\b/ : /\b(?:enum|Date)\b/).test(content)) return [];
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const found: Forbidden[] = [];
  visit(source);
  return found;

  function visit(node: ts.Node): void {
    const what = ts.isEnumDeclaration(node) ? 'enum' : !hasClock && readsClock(node) ? 'clock' : null;
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
