import { useMemo, useState } from 'react';
import { type CredentialView, isDead } from '../../../contract/credential-view.ts';
import { Card } from '../../kit/card.tsx';
import { Choice } from '../../kit/choice.tsx';
import { CodeBlock, CommandLine, useCommandLine } from '../../kit/command-line.tsx';
import { Field } from '../../kit/field.tsx';
import inputStyles from '../../kit/input.module.css';
import { ServiceWords } from '../../kit/service-words.tsx';
import {
  recipeFor,
  type RecipeKind,
  recipeKinds,
  recipeNames,
  recipeSources,
  sourceWords,
} from '../recipes.ts';
import styles from './credential-page.module.css';

const kinds = recipeKinds.map((kind) => ({ value: kind, label: recipeNames[kind] }));

/** How a program gets the value: recipes that work as they are pasted. */
export function RecipesCard({ one }: { one: CredentialView }) {
  const commandLine = useCommandLine();
  const sources = useMemo(() => recipeSources(one, commandLine), [one, commandLine]);
  const [kind, setKind] = useState<RecipeKind>('shell');
  const [chosen, setChosen] = useState(0);
  const source = sources[chosen] ?? sources[0];

  if (source === undefined) {
    return (
      <Card title="Use it">
        <p className={styles['soft']}>
          The command line is not part of this installation, so recipes read the value from where it is
          delivered. Add a file or a dotenv file as a delivery target, and they are here.
        </p>
      </Card>
    );
  }
  const recipe = recipeFor(kind, { name: one.name, source, url: `${one.base_url}/v1/auth/token` });
  return (
    <Card
      title="Use it"
      aside={
        isDead(one)
          ? 'fails until the token works again'
          : 'works as pasted: it asks the service about the token'
      }
    >
      <div className={styles['recipes']}>
        {commandLine === null ? (
          <p className={styles['soft']}>
            The command line is not part of this installation: these recipes read the value from where it is
            delivered.
          </p>
        ) : (
          <CommandLine
            line={`${commandLine} get ${one.name}`}
            what="the command that gets its present value"
          />
        )}
        <div role="group" aria-label="Recipe for">
          <Choice options={kinds} value={kind} onChange={setKind} />
        </div>
        {sources.length < 2 ? null : (
          <Field label="The value comes from">
            {(tied) => (
              <select
                {...tied}
                className={inputStyles['input']}
                value={String(chosen)}
                onChange={(event) => setChosen(Number(event.target.value))}
              >
                {sources.map((each, place) => (
                  <option key={place} value={String(place)}>
                    {sourceWords(each)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <p className={styles['soft']}>
          <ServiceWords said={recipe.place} />
        </p>
        <CodeBlock text={recipe.text} what={`the recipe for ${recipeNames[kind]}`} />
        {recipe.run === null ? null : (
          <CommandLine line={recipe.run} what={`the command that runs the recipe for ${recipeNames[kind]}`} />
        )}
        <p className={styles['soft']}>
          <ServiceWords said={recipe.note} />
        </p>
      </div>
    </Card>
  );
}
