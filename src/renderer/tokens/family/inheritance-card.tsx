import type { HistoryEvent } from '../../../contract/audit-event.ts';
import type { TokenFamilyView } from '../../../contract/token-list.ts';
import { TokenConfiguration } from '../../../contract/token.ts';
import { unreachable } from '../../../core/unreachable.ts';
import { historyPath } from '../../kit/address.ts';
import { Card } from '../../kit/card.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Link } from '../../kit/link.tsx';
import { countWords } from '../../../text/count.ts';
import styles from './family.module.css';

/**
 * What was issued beside what each generation has, with every difference marked.
 *
 * The first column is what the journal recorded at the issue, read from disk; the others are the present state. Two
 * sources, or they could not disagree.
 */
export function InheritanceCard({
  family,
  rotations,
  compared,
}: {
  family: TokenFamilyView;
  rotations: readonly HistoryEvent[];
  compared: ReadonlySet<number>;
}) {
  const { id, issued, tokens } = family;
  const { isSame, sentences } = verdictOf(issued.configuration, tokens);
  const columns = tokens.filter(({ generation }) => compared.has(generation));

  return (
    <Card title="Inheritance" aside="the journal beside the present state">
      <div role={isSame ? undefined : 'alert'} className={styles['verdict']} data-same={isSame}>
        <Icon name={isSame ? 'tick' : 'alert'} />
        <div>
          {sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      </div>
      <div className={styles['scroll']} role="region" aria-label="Settings side by side" tabIndex={0}>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">
                As issued
                <Source id={id} seq={issued.seq} />
              </th>
              {columns.map((token) => (
                <th key={token.id} scope="col">
                  Generation {token.generation}
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
                <th scope="row">{settingName(setting)}</th>
                <td>{settingWords(setting, issued.configuration)}</td>
                {columns.map((token) => {
                  const differs = differencesBetween(issued.configuration, token).includes(setting);
                  return (
                    <td key={token.id} data-differs={differs}>
                      {settingWords(setting, token)}
                      {differs ? (
                        <span className={styles['differs']}>
                          <Icon name="alert" /> differs
                        </span>
                      ) : null}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

/** The event of the journal that says it. */
function Source({ id, seq }: { id: string; seq: number | undefined }) {
  if (seq === undefined) return null;
  return (
    <Link to={`${historyPath(id)}&event=${seq}`} className={styles['source']}>
      event {seq.toLocaleString()}
    </Link>
  );
}

export type Setting = keyof TokenConfiguration;

/** Every setting that the contract knows: one that is added there is compared without another line here. */
export const settings = Object.keys(TokenConfiguration.shape) as readonly Setting[];

const names: Record<Setting, string> = {
  name: 'Name',
  category: 'Category',
  validity_days: 'Valid for',
  scopes: 'Scopes',
  ip_restrictions: 'Allowed addresses',
};

export function settingName(setting: Setting): string {
  return names[setting];
}

/** A setting as a person reads it. */
export function settingWords(setting: Setting, configuration: TokenConfiguration): string {
  switch (setting) {
    case 'validity_days':
      return countWords(configuration.validity_days, 'day');
    case 'scopes':
      return configuration.scopes.join(', ') || 'unrestricted';
    case 'ip_restrictions':
      return configuration.ip_restrictions.join(', ') || 'any';
    case 'name':
    case 'category':
      return configuration[setting];
    default:
      return unreachable(setting);
  }
}

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
    const where = differencesBetween(issued, one).map(settingName);
    return where.length === 0 ? [] : [`Generation ${one.generation} differs in ${listed(where)}.`];
  });
  if (different.length > 0) return { isSame: false, sentences: different };
  const [first, last] = [generations[0]?.generation, generations.at(-1)?.generation];
  const which = first === last ? `generation ${last} has` : `generations ${first} to ${last} have`;
  return { isSame: true, sentences: [`No difference: ${which} exactly what was issued.`] };
}

/** `a`, `a and b`, `a, b and c`. */
function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
