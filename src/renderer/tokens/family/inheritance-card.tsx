import type { HistoryEvent } from '../../../contract/audit-event.ts';
import type { TokenFamilyView } from '../../../contract/token-family.ts';
import { historyPath } from '../../kit/address.ts';
import { Card } from '../../kit/card.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Link } from '../../kit/link.tsx';
import { differencesBetween, settingName, settings, settingWords, verdictOf } from './inheritance.ts';
import styles from './inheritance-card.module.css';

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
