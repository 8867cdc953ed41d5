import styles from './level-meter.module.css';

/** How loud it is now. Too loud shows by its place on the scale, not by colour alone. */
export function LevelMeter({ level }: { level: number }) {
  const percent = Math.round(level * 100);
  return (
    <div className={styles['meter']}>
      <div
        className={styles['scale']}
        role="meter"
        aria-label="Level"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div className={styles['level']} data-loud={level > 0.97} style={{ width: `${percent}%` }} />
      </div>
      <div className={styles['marks']} aria-hidden="true">
        <span>quiet</span>
        <span>good</span>
        <span>too loud</span>
      </div>
    </div>
  );
}
