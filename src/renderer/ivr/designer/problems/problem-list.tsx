import type { IvrProblem } from '../../../../contract/ivr-problem.ts';
import { tallyOf } from '../../../../core/ivr/tally.ts';
import { nodeWords, tallyWords } from '../../../../text/phone-menu.ts';
import { problemSentence } from '../../../../text/flow-findings.ts';
import { drawings, Shape } from '../../../kit/shape.tsx';
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
                  {problemSentence(problem)}
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
  const { referenceData } = useDesigner();
  const drawn = useDesignerState(({ document }) => (node === null ? undefined : document.nodes[node]));
  const name = drawn === undefined ? null : nodeWords(drawn, referenceData);
  return (
    <span className={styles['where']}>
      {name ?? (scenario === null ? 'Call flow' : 'Scenario')}
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
        <p>No problems</p>
        <p className={styles['meaning']}>
          Every key, wrong key and timeout has a destination, every call can end, every menu can be reached
          and left, every prompt can be heard, every reference is known here, and all scenarios pass.
        </p>
      </div>
    </div>
  );
}
