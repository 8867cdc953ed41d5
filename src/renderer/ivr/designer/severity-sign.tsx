import type { IvrProblem } from '../../../contract/ivr-problem.ts';
import { drawings, Shape } from '../../kit/shape.tsx';

/** The severity of a problem; the text is beside it. */
export function SeveritySign({ severity }: { severity: IvrProblem['severity'] }) {
  const isError = severity === 'error';
  return (
    <Shape tone={isError ? 'bad' : 'warn'} isSmall>
      {isError ? drawings.cross : drawings.triangle}
    </Shape>
  );
}
