import type { IvrProblem } from '../../../../contract/menu/ivr-problem.ts';
import { severities } from '../../../../core/ivr/unfinished.ts';
import { findingSentence } from '../../../../text/menu/flow-findings.ts';

/** The problems of a card. */
export interface CardMarks {
  /** The worst of them. */
  readonly severity: IvrProblem['severity'];
  readonly messages: readonly string[];
  /** The worst at each part of the card: a handle (`card-geometry.ts`), `prompt` or `name`. */
  readonly parts: Readonly<Record<string, IvrProblem['severity']>>;
}

/** The problems of each card; those of the call flow as a whole are the caller's. */
export function marksOf(problems: readonly IvrProblem[]): ReadonlyMap<string, CardMarks> {
  const marks = new Map<string, CardMarks>();
  for (const problem of problems) {
    if (problem.scenario !== null) continue; // shown in the list of scenarios
    const card = problem.node ?? 'caller';
    const known = marks.get(card);
    const part = partOf(problem.path);
    marks.set(card, {
      severity: worse(known?.severity, problem.severity),
      messages: [...(known?.messages ?? []), findingSentence(problem)],
      parts: { ...known?.parts, [part]: worse(known?.parts[part], problem.severity) },
    });
  }
  return marks;
}

function worse(
  known: IvrProblem['severity'] | undefined,
  other: IvrProblem['severity'],
): IvrProblem['severity'] {
  return known !== undefined && severities.indexOf(known) <= severities.indexOf(other) ? known : other;
}

/** The part of a card that a path into the document is about. */
function partOf(path: string): string {
  const [, field = '', place] = /^nodes\.[^.]+\.([a-z_]+)(?:\.(\d+))?/.exec(path) ?? [];
  if (field === 'keys') return place === undefined ? 'keys' : `key-${place}`;
  if (field.startsWith('invalid') || field === 'incorrect_count') return 'invalid';
  if (field === 'recording' || field === 'timeout') return 'prompt';
  return field.startsWith('timeout') ? 'timeout' : 'name';
}
