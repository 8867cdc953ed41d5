import { defaultVariable } from '../../../contract/credential.ts';
import { shellWord } from '../../../core/shell-word.ts';
import { unreachable } from '../../../core/unreachable.ts';
import { callWith } from './call-script.ts';
import type { Recipe, RecipeOrder } from './recipe.ts';
import type { RecipeSource } from './recipe-source.ts';

/** For `sh` and everything that understands it. */
export function shellRecipe({ source, url }: RecipeOrder): Recipe {
  const variable = variableOf(source);
  return {
    place: 'Paste it into a shell or a script.',
    text: `${readIn(source)} &&\n  ${callWith(variable, url, '\n  ')}${source.kind === 'dotenv' ? ')' : ''}`,
    run: null,
    note: `Get the value when you need it rather than once at the start: it is replaced while your script runs.${execNote(source)}`,
  };
}

/** The variable that has the value, where the shell reads it. */
export function variableOf(source: RecipeSource): string {
  return source.kind === 'dotenv' ? source.variable : defaultVariable;
}

/** Reads the value into that variable; a dotenv file in a shell of its own, for it sets what else it has too. */
function readIn(source: RecipeSource): string {
  switch (source.kind) {
    case 'command':
      return `${defaultVariable}=$(${source.commandLine} get ${source.name})`;
    case 'file':
      return `${defaultVariable}=$(cat ${shellWord(source.path)})`;
    case 'dotenv':
      return `(. ${shellWord(source.path)}`;
    default:
      return unreachable(source);
  }
}

/** A program that reads a variable need not be changed. */
function execNote(source: RecipeSource): string {
  if (source.kind !== 'command') return '';
  return ` A program that reads \`${defaultVariable}\` needs no script: \`rotavox exec ${source.name} --restart-on-rotate -- PROGRAM\` runs it with the value, masked in what it prints.`;
}
