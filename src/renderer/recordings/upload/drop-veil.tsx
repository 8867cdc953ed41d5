import styles from './drop-veil.module.css';

/** What the page says while files are held above it. */
export function DropVeil() {
  return (
    <div className={styles['veil']} aria-hidden="true">
      <p className={styles['words']}>Let go to upload</p>
    </div>
  );
}
