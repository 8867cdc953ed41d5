import { providerFacts } from '../../../providers/catalogue.ts';
import { useMemo, useState } from 'react';
import { Text } from '../../kit/text.tsx';
import { type CredentialView, isDead } from '../../../contract/credential-view.ts';
import { recipesText as text } from '../../../text/recipes.ts';
import { Card } from '../../kit/card.tsx';
import { Choice } from '../../kit/choice.tsx';
import { CodeBlock, CommandLine, useCommandLine } from '../../kit/command-line.tsx';
import { Field } from '../../kit/field.tsx';
import inputStyles from '../../kit/input.module.css';
import pageStyles from '../../kit/page.module.css';
import { CodeText } from '../../kit/code-text.tsx';
import { recipeFor, type RecipeKind, recipeKinds, recipeSources, sourceName } from '../recipes.ts';

const kinds = recipeKinds.map((kind) => ({ value: kind, label: text.kinds[kind] }));

/** How a program gets the token: recipes that work as they are pasted. */
export function RecipesCard({ one }: { one: CredentialView }) {
  const commandLine = useCommandLine();
  const sources = useMemo(() => recipeSources(one, commandLine), [one, commandLine]);
  const [kind, setKind] = useState<RecipeKind>('shell');
  const [chosen, setChosen] = useState(0);
  const source = sources[chosen] ?? sources[0];

  if (source === undefined) {
    return (
      <Card title={text.title}>
        <Text tone="soft" size="medium" breaks>
          {text.noCommandLine}
        </Text>
      </Card>
    );
  }
  const url = `${one.base_url}${providerFacts(one.provider.id).examplePath ?? ''}`;
  const recipe = recipeFor(kind, { name: one.name, source, url });
  return (
    <Card title={text.title} aside={isDead(one) ? text.fails : text.works}>
      <div className={pageStyles['stack']}>
        {commandLine === null ? (
          <Text tone="soft" size="medium" breaks>
            {text.fromTargets}
          </Text>
        ) : null}
        <div role="group" aria-label={text.kind}>
          <Choice options={kinds} value={kind} onChange={setKind} />
        </div>
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
          <CodeText text={recipe.place} />
        </Text>
        <CodeBlock text={recipe.text} what={text.recipe(text.kinds[kind])} />
        {recipe.run === null ? null : <CommandLine line={recipe.run} what={text.run(text.kinds[kind])} />}
        <Text tone="soft" size="medium" breaks>
          <CodeText text={recipe.note} />
        </Text>
      </div>
    </Card>
  );
}
