import { useRef } from 'react';
import type { IvrProblem } from '../../../../contract/menu/ivr-problem.ts';
import { findingSentence } from '../../../../text/menu/flow-findings.ts';
import panel from '../panel.module.css';
import { ProblemRemedy } from '../inspector/add-extension.tsx';
import { SeveritySign } from '../severity-sign.tsx';

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
