import { goToProblem } from '../problems/go-to-problem.ts';
import { useDesigner } from '../use-designer.ts';
import styles from './play-phone.module.css';

/** How many are told here; the list of problems has all. */
const told = 5;

/** What is missing before the drawing can be called, with the way to each. */
export function NotYet() {
  const { check, store } = useDesigner();
  const errors = check.problems.filter(({ severity }) => severity === 'error');
  return (
    <div className={styles['missing']}>
      <p>This cannot be called yet. Something is missing:</p>
      <ul>
        {errors.slice(0, told).map((problem, place) => (
          <li key={place}>
            <button type="button" className={styles['problem']} onClick={() => goToProblem(store, problem)}>
              {problem.message}
            </button>
          </li>
        ))}
      </ul>
      {errors.length > told ? (
        <p className={styles['note']}>
          And {errors.length - told} more; the list of problems has all of them.
        </p>
      ) : null}
    </div>
  );
}
