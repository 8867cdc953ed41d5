import { flushSync } from 'react-dom';
import type { IvrProblem } from '../../../../contract/ivr-problem.ts';
import type { DesignerStore } from '../designer-store.ts';
import { whenInspectorShows } from '../focus-inspector.ts';
import { focusField } from '../inspector/spec-field.tsx';
import { leavePhones } from '../play/one-phone.ts';

/** Selects what a problem is about, which brings it into sight, and gives the focus to the field that mends it. */
export function goToProblem(store: DesignerStore, { node, path, scenario }: IvrProblem): void {
  // Whatever shows the field has to be there before it can be found.
  flushSync(() => {
    if (scenario !== null) requestScenarios();
    else leavePhones();
    const selected = node ?? (path.startsWith('caller') ? 'caller' : null);
    if (selected !== null) store.select(new Set([selected]));
  });
  whenInspectorShows(store.state().selection, () => focusField(path));
}

const chosen = 'rotavox:show-scenarios';

/** Asks whoever shows the scenarios to bring them into sight. */
function requestScenarios(): void {
  dispatchEvent(new Event(chosen));
}

/** Hears that request. Returns how to stop. */
export function followScenarioRequests(onRequest: () => void): () => void {
  addEventListener(chosen, onRequest);
  return () => removeEventListener(chosen, onRequest);
}
