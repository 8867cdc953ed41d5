import { unreachable } from '../../../core/unreachable.ts';
import { textLiteral } from './quote-word.ts';
import type { Recipe, RecipeOrder } from './recipe.ts';
import type { RecipeSource } from './recipe-source.ts';

/** For Node 22 and later: an ES module. */
export function nodeRecipe({ source, url }: RecipeOrder): Recipe {
  return {
    place: 'Save it as `call.mjs` and run it.',
    text: [
      ...importsOf(source),
      '',
      `const token = ${reading(source)};`,
      `const reply = await fetch(${textLiteral(url)}, {`,
      '  headers: { authorization: `Bearer ${token}` },',
      '});',
      'console.log(await reply.json());',
    ].join('\n'),
    run: 'node call.mjs',
    note: 'A program that runs for long reads it again when a call is answered with 401.',
  };
}

function importsOf(source: RecipeSource): string[] {
  if (source.kind === 'command') return ["import { execSync } from 'node:child_process';"];
  const readFile = "import { readFileSync } from 'node:fs';";
  return source.kind === 'file' ? [readFile] : [readFile, "import { parseEnv } from 'node:util';"];
}

function reading(source: RecipeSource): string {
  switch (source.kind) {
    case 'command':
      // Through a shell: on Windows npm is no program but a script.
      return `execSync(${textLiteral(`${source.commandLine} get ${source.name}`)}, { encoding: 'utf8' }).trim()`;
    case 'file':
      return `readFileSync(${textLiteral(source.path)}, 'utf8').trim()`;
    case 'dotenv':
      return `parseEnv(readFileSync(${textLiteral(source.path)}, 'utf8')).${source.variable}`;
    default:
      return unreachable(source);
  }
}
