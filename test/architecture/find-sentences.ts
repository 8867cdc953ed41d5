import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A text in the source that a person could read. */
export interface Sentence {
  /** Below `src`. */
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/**
 * `text` has the sentences, apart from those about one kind of service; the contract has the fixed ones and those of its schemas; the
 * launcher imports nothing.
 */
const placesOfText = /^(?:text|contract|launcher)\/|^providers\/[a-z0-9-]+\/words\.ts$/;

/** Calls whose arguments nobody reads but developers: what they state is a bug of ours when it is not so. */
const assertions = new Set(['invariant', 'unreachable']);

/** Elements whose text is a command, a key or a value, and attributes with keys. */
const codeElements = new Set(['code', 'kbd', 'CommandLine']);
const codeAttributes = new Set(['aria-keyshortcuts', 'line']);

/** Attributes that a browser shows or reads aloud. */
const shownAttributes = new Set(['label', 'title', 'placeholder', 'aria-label', 'description']);

/** Every sentence in `src` outside of the modules that have them. */
export function findSentences(src: string): Sentence[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !placesOfText.test(path))
    .sort()
    .flatMap((file) => sentencesIn(file, readFileSync(join(src, file), 'utf8')));
}

/** The sentences of one file. */
export function sentencesIn(file: string, content: string): Sentence[] {
  const source = ts.createSourceFile(
    file,
    content,
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const found: Sentence[] = [];
  visit(source);
  return found;

  function visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isJsxElement(node) && codeElements.has(node.openingElement.tagName.getText())) return;
    if (ts.isJsxAttribute(node) && codeAttributes.has(node.name.getText())) return;
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && assertions.has(node.expression.text))
      return;
    const text = textOf(node);
    if (text !== null && (isSentence(text) || (isShown(node) && /\p{L}/u.test(text)))) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ file, line: line + 1, text: text.replace(/\s+/g, ' ').trim() });
    }
    ts.forEachChild(node, visit);
  }
}

/** What a node of the source says; `…` stands for what is filled in. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node))
    return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

/** Three words or more, two of them side by side: code has no such texts, apart from a few. */
function isSentence(text: string): boolean {
  return (text.match(/\p{L}{2,}/gu) ?? []).length >= 3 && /\p{L} \p{L}/u.test(text);
}

/** Whether a text is shown by itself, however short it is. */
function isShown(node: ts.Node): boolean {
  if (ts.isJsxText(node)) return true;
  const { parent } = node;
  const attribute = ts.isJsxExpression(parent) ? parent.parent : parent;
  return ts.isJsxAttribute(attribute) && shownAttributes.has(attribute.name.getText());
}
