import type { IvrProblem } from '../../../contract/menu/ivr-problem.ts';
import { drawings, Shape } from '../../kit/shape.tsx';

/** The severity of a problem; the text is beside it. */
export function SeveritySign({ severity }: { severity: IvrProblem['severity'] }) {
  const { tone, drawing } = signs[severity];
  return (
    <Shape tone={tone} isSmall>
      {drawing}
    </Shape>
  );
}

/** The tone of the words beside the sign. */
export const severityTones = { error: 'bad', todo: 'soft', warning: 'warn' } as const;

const signs = {
  error: { tone: 'bad', drawing: drawings.cross },
  todo: { tone: 'calm', drawing: drawings.ring },
  warning: { tone: 'warn', drawing: drawings.triangle },
} as const;
