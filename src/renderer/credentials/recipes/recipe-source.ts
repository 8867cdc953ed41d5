import type { CredentialView, TargetView } from '../../../contract/credential-view.ts';
import { placeWords } from '../place-words.ts';

/** Where a recipe has the value from. */
export type RecipeSource =
  /** The command line, as it is called on this machine. */
  | { readonly kind: 'command'; readonly commandLine: string; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'dotenv'; readonly path: string; readonly variable: string };

/** Where the recipes of a credential can have its value from: the command line where there is one, then its files. */
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
export function sourceWords(source: RecipeSource): string {
  return source.kind === 'command' ? 'the command line' : placeWords(source);
}
