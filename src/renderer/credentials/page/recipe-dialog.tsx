import { useMemo, useRef, useState } from 'react';
import { type CredentialView, isDead } from '../../../contract/credential/credential-view.ts';
import { defaultVariable } from '../../../contract/credential/credential.ts';
import { providerFacts } from '../../../providers/catalogue.ts';
import { recipeText as text } from '../../../text/credential/recipe.ts';
import { Button } from '../../kit/button.tsx';
import { CodeText } from '../../kit/code-text.tsx';
import { CodeBlock, useCommandLine } from '../../kit/command-line.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import inputStyles from '../../kit/input.module.css';
import pageStyles from '../../kit/page.module.css';
import { Text } from '../../kit/text.tsx';
import { recipeSources, shellRecipe, sourceName } from '../shell-recipe.ts';

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
