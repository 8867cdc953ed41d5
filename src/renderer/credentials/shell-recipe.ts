/**
 * How a shell gets the token of a credential: a line to copy and to run as it is.
 *
 * It calls the service with the token and prints what it says, so that whoever pastes it sees at once that it works,
 * and then puts their own call in its place. The value never stands in the arguments of a program, where anybody on the machine
 * could read it. Paths and command lines may hold anything: each goes through the quoting of the shell.
 */
import type { CredentialView, TargetView } from '../../contract/credential/credential-view.ts';
import { defaultVariable } from '../../contract/credential/credential.ts';
import { shellWord } from '../../contract/shell-word.ts';
import { unreachable } from '../../core/unreachable.ts';
import { placeText } from '../../text/credential/credentials.ts';
import { recipeText } from '../../text/credential/recipe.ts';

/** Where the value comes from. */
export type RecipeSource =
  /** The command line, as it is called on this machine. */
  | { readonly kind: 'command'; readonly commandLine: string; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'dotenv'; readonly path: string; readonly variable: string };

/** For `sh` and everything that understands it. `url`: what is asked with the token, the service about the token itself. */
export function shellRecipe(source: RecipeSource, url: string): string {
  switch (source.kind) {
    case 'command':
      return `${defaultVariable}=$(${source.commandLine} get ${source.name}) &&\n  ${callWith(defaultVariable, url)}`;
    case 'file':
      return `${defaultVariable}=$(cat ${shellWord(source.path)}) &&\n  ${callWith(defaultVariable, url)}`;
    case 'dotenv':
      // In a shell of its own, for the file sets what else it has, too.
      return `(. ${shellWord(source.path)} &&\n  ${callWith(source.variable, url)})`;
    default:
      return unreachable(source);
  }
}

/**
 * `printf` is the shell's own, and curl reads the header from its standard input (`-H @-`, since 7.55): the value is no argument
 * of anything.
 */
function callWith(variable: string, url: string): string {
  return `printf "Authorization: Bearer %s" "$${variable}" |\n  curl -sS -H @- ${shellWord(url)}`;
}

/** Where the value of a credential can come from: the command line where there is one, then its files. */
export function recipeSources(
  {
    name,
    targets,
  }: Pick<CredentialView, 'name'> & { readonly targets: readonly Pick<TargetView, 'target'>[] },
  commandLine: string | null,
): RecipeSource[] {
  return [
    ...(commandLine === null ? [] : [{ kind: 'command' as const, commandLine, name }]),
    ...targets.flatMap(({ target }): RecipeSource[] => {
      if (target.kind === 'file') return [{ kind: 'file', path: target.path }];
      return target.kind === 'dotenv'
        ? [{ kind: 'dotenv', path: target.path, variable: target.variable }]
        : [];
    }),
  ];
}

/** A source as a person tells it from the others. */
export function sourceName(source: RecipeSource): string {
  return source.kind === 'command' ? recipeText.commandLine : placeText(source);
}
