import type { IvrDocument } from '../../../../contract/ivr-draft.ts';
import type { readImport } from '../../../../core/ivr/import/read-import.ts';
import { countWords } from '../../../kit/count-words.ts';
import styles from './exchange.module.css';

/** What a text is, and what is left out of it; or what is wrong with it and where. */
export function ImportFindings({ read }: { read: ReturnType<typeof readImport> }) {
  if (!read.ok) {
    return (
      <div className={styles['found']} data-tone="bad">
        <p>This cannot be imported:</p>
        <ul>
          {read.refusal.map(({ field, message }, place) => (
            <li key={place}>
              {field === '' ? 'The text' : <code>{field}</code>} {message}.
            </li>
          ))}
        </ul>
      </div>
    );
  }
  const { document, warnings } = read.value;
  return (
    <div className={styles['found']}>
      <p>{wholeWords(document)}</p>
      {warnings.length === 0 ? null : (
        <>
          <p>{countWords(warnings.length, 'thing')} to know:</p>
          <ul>
            {warnings.map((warning, place) => (
              <li key={place}>{warning}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function wholeWords({ name, nodes, scenarios }: IvrDocument): string {
  const all = Object.values(nodes);
  const menus = all.filter(({ kind }) => kind === 'menu').length;
  const parts = [
    countWords(menus, 'menu'),
    countWords(all.length - menus, 'destination'),
    countWords(Object.keys(scenarios).length, 'scenario'),
  ];
  return `“${name}”: ${parts.join(', ')}.`;
}
