import type { IvrProblem } from '../../../../contract/ivr-problem.ts';
import { tallyOf } from '../../../../core/ivr/tally.ts';
import { drawings, Shape } from '../../../kit/shape.tsx';
import { tallyWords } from '../../tally-words.ts';
import { nodeWords } from '../inspector/node-words.ts';
import { SeveritySign } from '../severity-sign.tsx';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { goToProblem } from './go-to-problem.ts';
import styles from './problem-list.module.css';

/** What is wrong with the drawing, the worst first; a press leads to the field that mends it. */
export function ProblemList() {
  const { store, check } = useDesigner();
  return (
    <section className={styles['problems']} aria-label="Problems">
      <p role="status" className={styles['status']}>
        {tallyWords(tallyOf(check.problems))}
      </p>
      {check.problems.length === 0 ? (
        <Proved />
      ) : (
        <ul className={styles['list']}>
          {check.problems.map((problem, place) => (
            <li key={`${place} ${problem.code} ${problem.path}`}>
              <button type="button" className={styles['problem']} onClick={() => goToProblem(store, problem)}>
                <SeveritySign severity={problem.severity} />
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
