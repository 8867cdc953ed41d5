import { Button } from '../kit/button.tsx';
import { Card } from '../kit/card.tsx';
import styles from '../kit/first.module.css';
import type { Directory } from './directory.ts';

/** What to do while a directory is empty. */
export function FirstEntry({
  directory: { one, many, csvHeading },
  onAdd,
  onImport,
}: {
  directory: Directory;
  onAdd: () => void;
  onImport: () => void;
}) {
  return (
    <Card title={`Add the first ${one}`}>
      <p className={styles['lead']}>
        No {many} are known here yet. With them the designer offers names instead of bare ids, and tells a
        mistyped id before a caller meets it.
      </p>
      <div className={styles['buttons']}>
        <Button rank="main" onPress={onAdd}>
          Add…
        </Button>
        <Button onPress={onImport}>Import CSV…</Button>
      </div>
      <p className={styles['aside']}>
        A CSV file begins with the line <code>{csvHeading}</code>.
      </p>
    </Card>
  );
}
