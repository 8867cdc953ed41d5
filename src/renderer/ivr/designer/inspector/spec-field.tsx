import { type ReactNode, useEffect, useId } from 'react';
import { Text } from '../../../kit/text.tsx';
import { Row, Stack } from '../../../kit/layout.tsx';
import type { IvrProblem } from '../../../../contract/menu/ivr-problem.ts';
import { draftBounds } from '../../../../contract/menu/ivr-draft.ts';
import { limitText, findingSentence } from '../../../../text/menu/flow-findings.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import panel from '../panel.module.css';
import { ProblemRemedy } from './add-extension.tsx';
import { SeveritySign, severityTones } from '../severity-sign.tsx';
import styles from './inspector.module.css';

/** The attributes that connect an input to its label and problems, and to its place in the document. */
export interface TiedToPath {
  readonly id: string;
  readonly 'data-path': string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

/**
 * A field of the call flow: its label, the input, and its problems.
 *
 * `path` is its place in the document; problems are found by it, and a press on a problem leads here.
 */
export function SpecField({
  label,
  path,
  hint,
  error,
  children,
}: {
  label: string;
  path: string;
  hint?: ReactNode;
  /** What is outside of the field's limits; it is said instead of what the checks say about that. */
  error?: string | undefined;
  children: (tied: TiedToPath) => ReactNode;
}) {
  const id = useId();
  const found = useProblemsAt(path);
  const problems =
    error === undefined
      ? found
      : found.filter(({ code }) => code !== 'field_not_allowed' && code !== 'field_open');
  const described = [
    error === undefined ? '' : `${id}-error`,
    problems.length === 0 ? '' : `${id}-problems`,
    hint === undefined ? '' : `${id}-hint`,
  ];
  return (
    <Stack gap={1} className={styles['field']}>
      <Text as="span" size="small" weight="strong">
        <label htmlFor={id}>{label}</label>
      </Text>
      {children({
        id,
        'data-path': path,
        'aria-describedby': described.filter((part) => part !== '').join(' ') || undefined,
        'aria-invalid':
          error !== undefined || problems.some(({ severity }) => severity === 'error') || undefined,
      })}
      {error === undefined ? null : (
        <Text id={`${id}-error`} tone="bad" size="small" breaks>
          <Row as="span" gap={2}>
            <SeveritySign severity="error" />
            <span>{error}</span>
          </Row>
        </Text>
      )}
      <FieldProblems id={`${id}-problems`} problems={problems} />
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className={panel['note']}>
          {hint}
        </p>
      )}
    </Stack>
  );
}

/** What a field says whose text is longer than it may be; undefined while it is not. */
export function tooLong(
  text: string,
  most: number,
  mostSaved: number = draftBounds.textLength,
): string | undefined {
  if (text.length <= most) return undefined;
  const sentence = limitText.tooLong(text.length, most);
  return text.length <= mostSaved ? sentence : `${sentence} ${limitText.saved(mostSaved)}`;
}

/** The problems of exactly this place in the document. */
export function useProblemsAt(path: string): readonly IvrProblem[] {
  return useDesigner().check.problems.filter((problem) => problem.path === path);
}

/** The problems of a field, below it. Not announced during typing: they are the description of the field. */
export function FieldProblems({ id, problems }: { id?: string; problems: readonly IvrProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <Stack id={id} as="ul" gap={1}>
      {problems.map((problem) => {
        const { severity } = problem;
        const sentence = findingSentence(problem);
        return (
          <Text key={sentence} as="li" tone={severityTones[severity]} size="small" breaks>
            <Row as="span" gap={2}>
              <SeveritySign severity={severity} />
              <span>{sentence}</span>
            </Row>
            <ProblemRemedy problem={problem} onDone={() => focusField(problem.path)} />
          </Text>
        );
      })}
    </Stack>
  );
}

/** Whether the list of scenarios shows the field of a path; all other fields are in the inspector or the outline. */
export function isScenarioPath(path: string): boolean {
  return path.startsWith('scenarios.');
}

/** Moves the focus to the field that was requested, if this is the view that shows it and `isReady`. */
export function useRequestedFocus(view: 'fields' | 'scenarios', isReady = true): void {
  const { store } = useDesigner();
  const path = useDesignerState(({ requestedFocus }) => requestedFocus);
  useEffect(() => {
    if (path === null || !isReady || isScenarioPath(path) !== (view === 'scenarios')) return;
    focusField(path);
    store.focusMoved();
  }, [path, isReady, view, store]);
}

/**
 * Moves the focus to the field of a path into the document (`nodes.reception.keys.0.to`), wherever in the window it is.
 *
 * If the field itself is not shown, the nearest one around it is used.
 */
export function focusField(path: string): void {
  const parts = path.split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const around = parts.slice(0, length).join('.');
    const field = document.querySelector<HTMLElement>(`[data-path="${CSS.escape(around)}"]`);
    if (field === null) continue;
    field.focus();
    // Typing replaces what is there, as after Tab.
    if (field instanceof HTMLInputElement) field.select();
    field.scrollIntoView({ block: 'nearest' });
    return;
  }
}
