import type { IvrProblem } from '../../../../contract/menu/ivr-problem.ts';
import type { DesignerStore } from '../designer-store.ts';

/** Selects the part that a problem is about and moves the focus to its field; a phone in place of the fields is closed. */
export function goToProblem(store: DesignerStore, { node, path, scenario }: IvrProblem): void {
  const selected = node ?? (path.startsWith('caller') ? 'caller' : null);
  if (selected !== null) store.select(new Set([selected]));
  if (scenario === null) store.closePhone();
  store.requestFocus(path);
}
