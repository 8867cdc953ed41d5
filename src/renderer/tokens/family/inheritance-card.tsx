import type { HistoryEvent } from '../../../contract/history/audit-event.ts';
import type { TokenFamilyView } from '../../../contract/token/token-list.ts';
import { TokenConfiguration } from '../../../contract/token/token.ts';
import {
  differenceText,
  generationsText,
  inheritanceText as text,
  noDifferenceText,
  settingLabels,
  settingValue,
} from '../../../text/token/token-page.ts';
import { historyPath } from '../../kit/window-paths.ts';
import { Card } from '../../kit/card.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Link } from '../../kit/link.tsx';
import { Text } from '../../kit/text.tsx';
import styles from './family.module.css';
import { Box } from '../../kit/box.tsx';
import { Stack } from '../../kit/layout.tsx';

/**
 * What was issued beside what each generation has, with every difference marked.
 *
 * The first column is what the journal recorded at the issue, read from disk; the others are the current state. Two
 * sources, or they could not disagree.
 */
export function InheritanceCard({
  isPart,
  family,
  rotations,
  compared,
}: {
  isPart: boolean;
  family: TokenFamilyView;
  rotations: readonly HistoryEvent[];
  compared: ReadonlySet<number>;
}) {
  const { id, issued, tokens } = family;
  const { isSame, sentences } = verdictOf(issued.configuration, tokens);
  const columns = tokens.filter(({ generation }) => compared.has(generation));

  return (
    <Card isPart={isPart} title={text.title} aside={text.aside}>
      <Stack gap={4}>
        <Box
          role={isSame ? undefined : 'alert'}
          tone={isSame ? 'good' : 'bad'}
          sign={<Icon name={isSame ? 'tick' : 'alert'} />}
        >
          {sentences.map((sentence) => (
            <Text key={sentence} tone={isSame ? 'good' : 'bad'} weight="strong">
              {sentence}
            </Text>
          ))}
        </Box>
        <div className={styles['scroll']} role="region" aria-label={text.table} tabIndex={0}>
          <table className={styles['table']}>
            <thead>
              <tr>
                <th scope="col">{text.setting}</th>
                <th scope="col">
                  {text.issued}
                  <Source id={id} seq={issued.seq} />
                </th>
                {columns.map((token) => (
                  <th key={token.id} scope="col">
                    {generationsText.generation(token.generation)}
                    <Source
                      id={id}
                      seq={
                        token.generation === 1
                          ? issued.seq
                          : rotations.find(({ data }) => data.successor_id === token.id)?.seq
                      }
                    />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {settings.map((setting) => (
                <tr key={setting}>
                  <th scope="row">{settingLabels[setting]}</th>
                  <td>{settingValue(setting, issued.configuration)}</td>
                  {columns.map((token) => {
                    const differs = differencesBetween(issued.configuration, token).includes(setting);
                    return (
                      <td key={token.id} data-tone={differs ? 'bad' : undefined}>
                        {settingValue(setting, token)}
                        {differs ? (
                          <Text size="small">
                            <Icon name="alert" /> {text.differs}
                          </Text>
                        ) : null}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Stack>
    </Card>
  );
}

/** The event of the journal that says it. */
function Source({ id, seq }: { id: string; seq: number | undefined }) {
  if (seq === undefined) return null;
  return (
    <Text tone="soft" size="small" weight="regular" isTabular>
      <Link to={`${historyPath(id)}&event=${seq}`}>{text.event(seq)}</Link>
    </Text>
  );
}

export type Setting = keyof TokenConfiguration;

/** Every setting that the contract knows: one that is added there is compared without another line here. */
export const settings = Object.keys(TokenConfiguration.shape) as readonly Setting[];

/** The settings in which a generation is not what was issued. */
export function differencesBetween(
  issued: TokenConfiguration,
  generation: TokenConfiguration,
): readonly Setting[] {
  return settings.filter(
    (setting) => JSON.stringify(issued[setting]) !== JSON.stringify(generation[setting]),
  );
}

/** What the comparison of generations with the issue has shown, in a sentence for each that differs, or one for all. */
export function verdictOf(
  issued: TokenConfiguration,
  generations: readonly (TokenConfiguration & { readonly generation: number })[],
): { readonly isSame: boolean; readonly sentences: readonly string[] } {
  const different = generations.flatMap((one) => {
    const found = differencesBetween(issued, one);
    return found.length === 0 ? [] : [differenceText(one.generation, found)];
  });
  if (different.length > 0) return { isSame: false, sentences: different };
  const [first, last] = [generations[0]?.generation, generations.at(-1)?.generation];
  return { isSame: true, sentences: [noDifferenceText(first, last)] };
}
