import { useRef } from 'react';
import { Text } from '../../../kit/text.tsx';
import type { IvrProblem } from '../../../../contract/menu/ivr-problem.ts';
import { nodeTitle } from '../../../../text/menu/phone-menu.ts';
import { findingSentence } from '../../../../text/menu/flow-findings.ts';
import { drawings, Shape } from '../../../kit/shape.tsx';
import { SeveritySign } from '../severity-sign.tsx';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { ProblemRemedy } from '../inspector/add-extension.tsx';
import { goToProblem } from './go-to-problem.ts';
import panel from '../panel.module.css';
import { Row } from '../../../kit/layout.tsx';
import unseen from '../../../kit/unseen.module.css';
import styles from './problem-list.module.css';
import { problemListText as text } from '../../../../text/menu/designer.ts';

/** The problems of the call flow, errors first; a press leads to the field. */
export function ProblemList() {
  const { store, check } = useDesigner();
  const listRef = useRef<HTMLUListElement>(null);
  return (
    <section className={panel['view']} aria-label={text.title}>
      {check.problems.length === 0 ? (
        <NoProblems />
      ) : (
        <ul ref={listRef} tabIndex={-1} aria-label={text.title}>
          {check.problems.map((problem, place) => (
            <li key={`${place} ${problem.code} ${problem.path}`}>
              <button type="button" className={styles['problem']} onClick={() => goToProblem(store, problem)}>
                <SeveritySign severity={problem.severity} />
                <span>
                  <span className={unseen['unseen']}>{text.severity[problem.severity]}</span>
                  {findingSentence(problem)}
                </span>
                <Where problem={problem} />
              </button>
              <div className={styles['remedy']}>
                <ProblemRemedy problem={problem} onDone={() => listRef.current?.focus()} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Where({ problem: { node, scenario } }: { problem: IvrProblem }) {
  const { referenceData } = useDesigner();
  const about = useDesignerState(({ document }) => (node === null ? undefined : document.nodes[node]));
  const name = about === undefined ? null : nodeTitle(about, referenceData);
  return (
    <Text as="span" tone="soft" size="small" className={styles['where']}>
      {name ?? (scenario === null ? text.callFlow : text.scenario)}
    </Text>
  );
}

function NoProblems() {
  return (
    <Row gap={3}>
      <Shape tone="good">{drawings.disc}</Shape>
      <div>
        <p>{text.none}</p>
        <p className={panel['note']}>{text.checked}</p>
      </div>
    </Row>
  );
}

/** Problems as a list of buttons, each of which leads to its field. */
export function ProblemLinks({
  problems,
  onGo,
}: {
  problems: readonly IvrProblem[];
  onGo: (problem: IvrProblem) => void;
}) {
  const listRef = useRef<HTMLUListElement>(null);
  return (
    <ul ref={listRef} tabIndex={-1}>
      {problems.map((problem, place) => (
        <li key={place}>
          <button type="button" className={panel['line']} onClick={() => onGo(problem)}>
            <SeveritySign severity={problem.severity} />
            {findingSentence(problem)}
          </button>
          <ProblemRemedy problem={problem} onDone={() => listRef.current?.focus()} />
        </li>
      ))}
    </ul>
  );
}
