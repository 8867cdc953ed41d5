import type { IvrProblem } from '../../../../contract/menu/ivr-problem.ts';
import { findingSentence } from '../../../../text/menu/flow-findings.ts';
import panel from '../panel.module.css';
import { SeveritySign } from '../severity-sign.tsx';

/** Problems as a list of buttons, each of which leads to its field. */
export function ProblemLinks({
  problems,
  onGo,
}: {
  problems: readonly IvrProblem[];
  onGo: (problem: IvrProblem) => void;
}) {
  return (
    <ul>
      {problems.map((problem, place) => (
        <li key={place}>
          <button type="button" className={panel['line']} onClick={() => onGo(problem)}>
            <SeveritySign severity={problem.severity} />
            {findingSentence(problem)}
          </button>
        </li>
      ))}
    </ul>
  );
}
