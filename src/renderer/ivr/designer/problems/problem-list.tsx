import { Text } from '../../../kit/text.tsx';
import type { IvrProblem } from '../../../../contract/ivr-problem.ts';
import { tallyOf } from '../../../../core/ivr/tally.ts';
import { nodeWords, tallyWords } from '../../../../text/phone-menu.ts';
import { problemSentence } from '../../../../text/flow-findings.ts';
import { drawings, Shape } from '../../../kit/shape.tsx';
import { SeveritySign } from '../severity-sign.tsx';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { goToProblem } from './go-to-problem.ts';
import panel from '../panel.module.css';
import styles from './problem-list.module.css';
import { problemListText as text } from '../../../../text/designer.ts';

/** The problems of the call flow, errors first; a press leads to the field. */
export function ProblemList() {
  const { store, check } = useDesigner();
  return (
    <section className={panel['view']} aria-label={text.title}>
      <p role="status" className={styles['status']}>
        {tallyWords(tallyOf(check.problems))}
      </p>
      {check.problems.length === 0 ? (
        <NoProblems />
      ) : (
        <ul>
          {check.problems.map((problem, place) => (
            <li key={`${place} ${problem.code} ${problem.path}`}>
              <button type="button" className={styles['problem']} onClick={() => goToProblem(store, problem)}>
                <SeveritySign severity={problem.severity} />
                <Text as="span" breaks>
                  <span className={styles['severity']}>{text.severity[problem.severity]}</span>
                  {problemSentence(problem)}
                </Text>
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
  const about = useDesignerState(({ document }) => (node === null ? undefined : document.nodes[node]));
  const name = about === undefined ? null : nodeWords(about, referenceData);
  return (
    <span className={styles['where']}>
      {name ?? (scenario === null ? text.callFlow : text.scenario)}
      {field === null ? null : (
        <>
          {' '}
          <code>{field}</code>
        </>
      )}
    </span>
  );
}

function NoProblems() {
  return (
    <div className={styles['none']}>
      <Shape tone="good">{drawings.disc}</Shape>
      <div>
        <p>{text.none}</p>
        <p className={panel['note']}>{text.checked}</p>
      </div>
    </div>
  );
}
