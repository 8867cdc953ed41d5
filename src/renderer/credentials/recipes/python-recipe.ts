import { unreachable } from '../../../core/unreachable.ts';
import { textLiteral } from './quote-word.ts';
import type { Recipe, RecipeOrder } from './recipe.ts';
import type { RecipeSource } from './recipe-source.ts';

/** For Python 3.8 and later, with nothing to install. */
export function pythonRecipe({ source, url }: RecipeOrder): Recipe {
  return {
    place: 'Save it as `call.py` and run it.',
    text: [
      ...importsOf(source),
      'from urllib.request import Request, urlopen',
      '',
      ...reading(source),
      `call = Request(${textLiteral(url)}, headers={'Authorization': f'Bearer {token}'})`,
      'print(urlopen(call).read().decode())',
    ].join('\n'),
    run: 'python3 call.py',
    note: 'A program that runs for long reads it again when a call is answered with 401.',
  };
}

function importsOf(source: RecipeSource): string[] {
  if (source.kind === 'command') return ['import subprocess'];
  const path = 'from pathlib import Path';
  return source.kind === 'file' ? [path] : ['import re', path];
}

function reading(source: RecipeSource): string[] {
  switch (source.kind) {
    case 'command': {
      const command = textLiteral(`${source.commandLine} get ${source.name}`);
      return [`token = subprocess.check_output(${command}, shell=True, text=True).strip()`];
    }
    case 'file':
      return [`token = Path(${textLiteral(source.path)}).read_text().strip()`];
    case 'dotenv':
      // The last assignment counts, as for every reader; a token has no character that would have to be unescaped.
      return [
        `lines = Path(${textLiteral(source.path)}).read_text()`,
        `token = re.findall(r'''^\\s*(?:export\\s+)?${source.variable}\\s*=\\s*["'\`]?([\\w.~+/=-]+)''', lines, re.M)[-1]`,
      ];
    default:
      return unreachable(source);
  }
}
