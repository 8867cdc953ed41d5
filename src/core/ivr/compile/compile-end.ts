import type { EndNode } from '../../../contract/ivr-draft.ts';
import { IvrBody } from '../../../contract/ivr.ts';
import type { IvrProblem, IvrProblemCode } from '../../../contract/ivr-problem.ts';
import { done, refused, type Result } from '../../result.ts';
import { writeReference } from '../reference.ts';

const destination = IvrBody.shape.invalid_destination;

/** What the body writes for the end of a line, or what is still wrong with it. */
export function compileEnd(end: EndNode): Result<string, IvrProblem> {
  const kind = end.type.replaceAll('_', ' ');
  if (end.ref === '' && end.type !== 'hangup') {
    return refused(problem('field_open', `Choose which ${kind} a call is led to here.`));
  }
  const parsed = destination.safeParse(writeReference({ type: end.type, id: end.ref }));
  if (parsed.success) return done(parsed.data);
  return refused(
    problem(
      'field_not_allowed',
      `The id of this ${kind} must be 1 to 200 characters without | and control characters, and begin with no space.`,
    ),
  );

  function problem(code: IvrProblemCode, message: string): IvrProblem {
    return {
      code,
      severity: 'error',
      path: `nodes.${end.id}.ref`,
      node: end.id,
      field: null,
      scenario: null,
      message,
    };
  }
}
