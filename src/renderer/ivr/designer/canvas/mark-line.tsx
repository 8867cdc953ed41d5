import { SeveritySign } from '../severity-sign.tsx';
import styles from './cards.module.css';
import type { CardMarks } from './marks.ts';

/** What is wrong with a card, below it: the first in words, and how many more there are. */
export function MarkLine({ marks }: { marks: CardMarks | undefined }) {
  const [first, ...others] = marks?.messages ?? [];
  if (marks === undefined || first === undefined) return null;
  return (
    <p className={styles['marks']} data-severity={marks.severity} title={marks.messages.join('\n')}>
      <SeveritySign severity={marks.severity} />
      <span className={styles['message']}>{first}</span>
      {others.length === 0 ? null : <span className={styles['more']}>+{others.length}</span>}
    </p>
  );
}
