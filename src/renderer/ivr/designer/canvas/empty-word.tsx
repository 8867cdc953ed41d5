import styles from './empty-word.module.css';

/** What to do first, in the middle of a canvas without a card. */
export function EmptyWord() {
  return (
    <div className={styles['word']}>
      <p className={styles['title']}>Nothing is drawn yet</p>
      <p>Drag a menu from the parts, or draw a line from the caller and choose what it leads to.</p>
    </div>
  );
}
