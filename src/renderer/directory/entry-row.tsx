import { ActionButton } from '../kit/action-button.tsx';
import type { Entry } from './directory.ts';
import styles from './entry-row.module.css';
import { smsLength, smsLengthWords } from './sms-length.ts';

/** One entry as it is. */
export function EntryRow({
  entry: { id, name, text },
  onEdit,
  onRemove,
}: {
  entry: Entry;
  onEdit: () => void;
  onRemove: () => void;
}) {
  return (
    <div className={styles['row']} role="presentation">
      <div role="cell" className={styles['id']} title={id}>
        <code>{id}</code>
      </div>
      <div role="cell" className={styles['name']} title={name}>
        {name}
      </div>
      {text === null ? null : (
        <div role="cell" className={styles['message']}>
          <p className={styles['text']} title={text}>
            {text}
          </p>
          <p className={styles['length']}>{smsLengthWords(smsLength(text))}</p>
        </div>
      )}
      <div role="cell" className={styles['actions']}>
        <ActionButton about={name} onPress={onEdit}>
          Edit
        </ActionButton>
        <ActionButton about={name} onPress={onRemove}>
          Remove
        </ActionButton>
      </div>
    </div>
  );
}
