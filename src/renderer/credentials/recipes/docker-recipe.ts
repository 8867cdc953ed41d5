import { shellWord } from '../../../core/shell-word.ts';
import { unreachable } from '../../../core/unreachable.ts';
import { callWith } from './call-script.ts';
import type { Recipe, RecipeOrder } from './recipe.ts';
import type { RecipeSource } from './recipe-source.ts';
import { variableOf } from './shell-recipe.ts';

/**
 * For a container: the value goes through the environment of `docker`, which is told the variable's name only (`-e NAME`).
 *
 * Not by `--env-file`, which would take the quotes of a dotenv file for a part of the value; and not by mounting the
 * file, for a container goes on seeing the old one after it was replaced.
 */
export function dockerRecipe({ source, url }: RecipeOrder): Recipe {
  return {
    place: 'Paste it into a shell. Put your own image in the place of `curlimages/curl`.',
    text: around(source, runOf(variableOf(source), url)),
    run: null,
    note:
      source.kind === 'command'
        ? 'For a container that stays, put `--restart-on-rotate` before the two dashes: it is started anew with each new value.'
        : 'A container keeps the value that it was started with. Add a command as a delivery target that starts it anew.',
  };
}

function runOf(variable: string, url: string): string {
  const network = isOnThisMachine(url) ? '--network host ' : '';
  const script = shellWord(callWith(variable, url));
  return `docker run --rm -e ${variable} ${network}--entrypoint sh \\\n  curlimages/curl -c ${script}`;
}

function around(source: RecipeSource, run: string): string {
  switch (source.kind) {
    case 'command':
      return `${source.commandLine} exec ${source.name} -- \\\n  ${run}`;
    case 'file':
      return `${variableOf(source)}=$(cat ${shellWord(source.path)}) \\\n  ${run}`;
    case 'dotenv':
      return `(. ${shellWord(source.path)} && export ${source.variable} &&\n  ${run})`;
    default:
      return unreachable(source);
  }
}

/** A container has a loopback of its own. */
function isOnThisMachine(url: string): boolean {
  return /^https?:\/\/(?:localhost|127\.|\[::1\])/i.test(url);
}
