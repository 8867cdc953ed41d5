import styles from './mark.module.css';

/** The finger holes of a dial, which like the life around them leave the upper left open. */
const holes = [0, 45, 90, 135, 180, 225, 270].map((degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return { degrees, x: 16 + 7.25 * Math.sin(angle), y: 16 - 7.25 * Math.cos(angle) };
});

/** Rotavox's mark: a life that empties, around the dial of a telephone. */
export function Mark() {
  return (
    <svg className={styles['mark']} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <circle className={styles['rest']} cx="16" cy="16" r="13.5" pathLength="100" />
      <circle
        className={styles['life']}
        cx="16"
        cy="16"
        r="13.5"
        pathLength="100"
        strokeDasharray="72 28"
        transform="rotate(-90 16 16)"
      />
      {holes.map(({ degrees, x, y }) => (
        <circle key={degrees} className={styles['hole']} cx={x} cy={y} r="1.6" />
      ))}
      <circle className={styles['hole']} cx="16" cy="16" r="2.75" />
    </svg>
  );
}
