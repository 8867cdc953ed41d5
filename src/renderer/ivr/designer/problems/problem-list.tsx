import type { IvrProblem } from '../../../../contract/ivr-problem.ts';
import { drawings, Shape } from '../../../kit/shape.tsx';
import { countWords } from '../inspector/count-words.ts';
import { nodeWords } from '../inspector/node-words.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { goToProblem } from './go-to-problem.ts';
import styles from './problem-list.module.css';

/** What is wrong with the drawing, the worst first; a press leads to the field that mends it. */
export function ProblemList() {
  const { store, check } = useDesigner();
  return (
    <section className={styles['problems']} aria-label="Problems">
      <p role="status" className={styles['status']}>
        {countOf(check.problems)}
      </p>
      {check.problems.length === 0 ? (
        <Proved />
      ) : (
        <ul className={styles['list']}>
          {check.problems.map((problem, place) => (
            <li key={`${place} ${problem.code} ${problem.path}`}>
              <button type="button" className={styles['problem']} onClick={() => goToProblem(store, problem)}>
                <Shape tone={problem.severity === 'error' ? 'bad' : 'warn'}>
                  {problem.severity === 'error' ? drawings.cross : drawings.triangle}
                </Shape>
                <span className={styles['message']}>
                  <span className={styles['severity']}>
                    {problem.severity === 'error' ? 'Error: ' : 'Warning: '}
                  </span>
                  {problem.message}
                </span>
                <Where problem={problem} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** “2 errors, 1 warning”. */
export function countOf(problems: readonly IvrProblem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  const parts = [
    errors === 0 ? '' : countWords(errors, 'error'),
    warnings === 0 ? '' : countWords(warnings, 'warning'),
  ];
  return parts.filter((part) => part !== '').join(', ') || 'Nothing is wrong';
}

function Where({ problem: { node, field, scenario } }: { problem: IvrProblem }) {
  const { surroundings } = useDesigner();
  const drawn = useDesignerState(({ document }) => (node === null ? undefined : document.nodes[node]));
  const name = drawn === undefined ? null : nodeWords(drawn, surroundings);
  return (
    <span className={styles['where']}>
      {name ?? (scenario === null ? 'The drawing' : 'A scenario')}
      {field === null ? null : (
        <>
          {' '}
          <code>{field}</code>
        </>
      )}
    </span>
  );
}

function Proved() {
  return (
    <div className={styles['proved']}>
      <Shape tone="good">{drawings.disc}</Shape>
      <div>
        <p>Nothing is wrong.</p>
        <p className={styles['meaning']}>
          Every key, wrong key and silence leads somewhere, every call ends, every menu can be reached and
          left, each prompt can be heard, everything named is known here, and every scenario comes out where
          it should.
        </p>
      </div>
    </div>
  );
}
