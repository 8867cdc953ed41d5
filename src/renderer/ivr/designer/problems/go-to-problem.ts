import type { IvrProblem } from '../../../../contract/menu/ivr-problem.ts';
import type { DesignerStore } from '../designer-store.ts';

/** Selects the part that a problem is about and moves the focus to its field; a phone in place of the fields is closed. */
export function goToProblem(store: DesignerStore, { node, path, scenario }: IvrProblem): void {
  const selected = node ?? (path.startsWith('caller') ? 'caller' : null);
  if (selected !== null) store.select(new Set([selected]));
  // The prompts of all menus are among the fields of the draft itself.
  else if (path.startsWith('prompts.')) store.select(new Set());
  if (scenario === null) store.closePhone();
  store.requestFocus(path);
}

/** The problem that comes after that of the field with the focus, in the order of their list; the first one elsewhere. */
export function nextProblem(problems: readonly IvrProblem[]): IvrProblem | undefined {
  const path = document.activeElement?.closest<HTMLElement>('[data-path]')?.dataset['path'];
  return problems[(problems.findIndex((problem) => problem.path === path) + 1) % problems.length];
}
