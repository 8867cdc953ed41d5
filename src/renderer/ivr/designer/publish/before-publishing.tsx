import type { IvrProblem } from '../../../../contract/ivr-problem.ts';
import { CodeBlock } from '../../../kit/code-block.tsx';
import { countWords } from '../../../kit/count-words.ts';
import { Icon } from '../../../kit/icon.tsx';
import { bodyText } from '../../request-body.ts';
import { goToProblem } from '../problems/go-to-problem.ts';
import { useDesigner } from '../use-designer.ts';
import { plannedRequests } from './planned-requests.ts';
import styles from './publish-dialog.module.css';

/** What keeps the drawing from being published, or exactly what would be sent. */
export function BeforePublishing({
  known,
  onLeave,
}: {
  known: Readonly<Record<string, string>>;
  onLeave: () => void;
}) {
  const { check } = useDesigner();
  const errors = check.problems.filter(({ severity }) => severity === 'error');
  const warnings = check.problems.filter(({ severity }) => severity === 'warning');
  return (
    <>
      {errors.length === 0 ? null : (
        <section className={styles['part']} aria-label="In the way">
          <h3 className={styles['title']}>{countWords(errors.length, 'error')} in the way</h3>
          <WayList problems={errors} onLeave={onLeave} />
        </section>
      )}
      {warnings.length === 0 ? null : (
        <details className={styles['exchange']}>
          <summary>{countWords(warnings.length, 'warning')}, which may be as you want it</summary>
          <div className={styles['inside']}>
            <WayList problems={warnings} onLeave={onLeave} />
          </div>
        </details>
      )}
      {check.flow === null || errors.length > 0 ? null : <Plan known={known} />}
    </>
  );
}

function Plan({ known }: { known: Readonly<Record<string, string>> }) {
  const { check } = useDesigner();
  if (check.flow === null) return null;
  const requests = plannedRequests(check.flow, known);
  return (
    <section className={styles['part']} aria-label="What is sent">
      <h3 className={styles['title']}>What is sent, in this order</h3>
      {requests.map(({ method, path, menu, body, completes }, place) => (
        <details key={place} className={styles['exchange']}>
          <summary>
            <code>
              {method} {path}
            </code>
            <span>
              {menu}
              {completes ? ', completed' : ''}
            </span>
          </summary>
          <div className={styles['inside']}>
            <CodeBlock text={bodyText(body)} what={`the body of ${method} ${path} for ${menu}`} />
          </div>
        </details>
      ))}
    </section>
  );
}

/** Problems, each with the way to the field that mends it. */
function WayList({ problems, onLeave }: { problems: readonly IvrProblem[]; onLeave: () => void }) {
  const { store } = useDesigner();
  return (
    <ul className={styles['list']}>
      {problems.map((problem, place) => (
        <li key={place}>
          <button
            type="button"
            className={styles['way']}
            data-severity={problem.severity}
            onClick={() => {
              onLeave();
              // The dialog gives the focus back to where it was; the field comes after that.
              requestAnimationFrame(() => goToProblem(store, problem));
            }}
          >
            <Icon name={problem.severity === 'error' ? 'cross' : 'alert'} />
            {problem.message}
          </button>
        </li>
      ))}
    </ul>
  );
}
