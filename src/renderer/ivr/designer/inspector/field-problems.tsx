import type { IvrProblem } from '../../../../contract/ivr-problem.ts';
import { Icon } from '../../../kit/icon.tsx';
import { useDesigner } from '../use-designer.ts';
import styles from './field-problems.module.css';

/** What is wrong at exactly this place of the document. */
export function useProblemsAt(path: string): readonly IvrProblem[] {
  return useDesigner().check.problems.filter((problem) => problem.path === path);
}

/** The problems of a field, below it. Not read out while somebody types: the field is described by them. */
export function FieldProblems({ id, problems }: { id?: string; problems: readonly IvrProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul id={id} className={styles['problems']}>
      {problems.map(({ code, severity, message }) => (
        <li key={`${code} ${message}`} className={styles['problem']} data-severity={severity}>
          <Icon name={severity === 'error' ? 'cross' : 'alert'} />
          <span>{message}</span>
        </li>
      ))}
    </ul>
  );
}
