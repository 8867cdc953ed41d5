import type { PartDifference } from './compare-documents.ts';
import styles from './versions-dialog.module.css';

/** What differs, part by part: a menu's fields under their names in the body. */
export function Differences({ parts }: { parts: readonly PartDifference[] }) {
  if (parts.length === 0) return <p className={styles['note']}>The two are the same.</p>;
  return (
    <ul className={styles['differences']} aria-label="What differs">
      {parts.map(({ id, what, change, fields }) => (
        <li key={id}>
          <h3 className={styles['what']}>
            {what} <span className={styles['change']}>{change === 'moved' ? 'moved' : change}</span>
          </h3>
          {fields.length === 0 || change === 'removed' ? null : (
            <table className={styles['table']}>
              <thead>
                <tr>
                  <th scope="col">Field</th>
                  <th scope="col">Before</th>
                  <th scope="col">After</th>
                </tr>
              </thead>
              <tbody>
                {fields.map(({ field, before, after }) => (
                  <tr key={field}>
                    <th scope="row">
                      <code>{field}</code>
                    </th>
                    <td className={styles['before']}>{before ?? '—'}</td>
                    <td>{after ?? '—'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </li>
      ))}
    </ul>
  );
}
