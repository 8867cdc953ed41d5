import { useMemo, useRef, useState } from 'react';
import {
  type CredentialView,
  isDead,
  type TargetView,
} from '../../../contract/credential/credential-view.ts';
import { defaultVariable } from '../../../contract/credential/credential.ts';
import { providerFacts } from '../../../providers/catalogue.ts';
import { recipeText as text, recipeText } from '../../../text/credential/recipe.ts';
import { Button } from '../../kit/button.tsx';
import { CodeText } from '../../kit/code-text.tsx';
import { CodeBlock, useCommandLine } from '../../kit/command-line.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import inputStyles from '../../kit/input.module.css';
import pageStyles from '../../kit/page.module.css';
import { Text } from '../../kit/text.tsx';
import { shellWord } from '../../../contract/shell-word.ts';
import { unreachable } from '../../../core/unreachable.ts';
import { placeText } from '../../../text/credential/credentials.ts';

/** How a program gets the token: lines that work as they are pasted. */
export function RecipeDialog({ one, onClose }: { one: CredentialView; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  return (
    <Dialog ref={ref} title={text.title} mayClose={() => true} onClose={onClose}>
      <Recipe one={one} />
      <DialogButtons>
        <Button onPress={() => ref.current?.close()}>{text.close}</Button>
      </DialogButtons>
    </Dialog>
  );
}

function Recipe({ one }: { one: CredentialView }) {
  const commandLine = useCommandLine();
  const sources = useMemo(() => recipeSources(one, commandLine), [one, commandLine]);
  const [chosen, setChosen] = useState(0);
  const source = sources[chosen] ?? sources[0];

  if (source === undefined) {
    return (
      <Text tone="soft" size="medium" breaks>
        {text.noCommandLine}
      </Text>
    );
  }
  const url = `${one.base_url}${providerFacts(one.provider.id).examplePath ?? ''}`;
  return (
    <div className={pageStyles['stack']}>
      {commandLine === null ? (
        <Text tone="soft" size="medium" breaks>
          {text.fromTargets}
        </Text>
      ) : null}
      {sources.length < 2 ? null : (
        <Field label={text.source}>
          {(tied) => (
            <select
              {...tied}
              className={inputStyles['input']}
              value={String(chosen)}
              onChange={(event) => setChosen(Number(event.target.value))}
            >
              {sources.map((each, place) => (
                <option key={place} value={String(place)}>
                  {sourceName(each)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Text tone="soft" size="medium" breaks>
        {text.paste} {isDead(one) ? text.fails : text.works}
      </Text>
      <CodeBlock text={shellRecipe(source, url)} what={text.copied} />
      <Text tone="soft" size="medium" breaks>
        {text.note}{' '}
        {source.kind === 'command' ? (
          <CodeText text={text.exec(defaultVariable, `${source.commandLine} exec ${source.name}`)} />
        ) : null}
      </Text>
    </div>
  );
}

/**
 * How a shell gets the token of a credential: a line to copy and to run as it is.
 *
 * It calls the service with the token and prints what it says, so that whoever pastes it sees at once that it works,
 * and then puts their own call in its place. The value never stands in the arguments of a program, where anybody on the machine
 * could read it. Paths and command lines may hold anything: each goes through the quoting of the shell.
 */

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
function sourceName(source: RecipeSource): string {
  return source.kind === 'command' ? recipeText.commandLine : placeText(source);
}
