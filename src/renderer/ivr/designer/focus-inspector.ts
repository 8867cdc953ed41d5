import type { Selection } from './designer-store.ts';

/** The element that holds the inspector; it takes the focus from a card. */
export const inspectorId = 'designer-inspector';

/** The inspector is drawn some frames after something was selected; so long is waited for it. */
const mostFrames = 60;

/** What the inspector carries so that it can be known what it shows. */
export function shows(selection: Selection): { readonly 'data-shows': string } {
  return { 'data-shows': [...selection].join(' ') };
}

/** Does something as soon as the inspector shows what is selected; at once where there is no inspector. */
export function whenInspectorShows(selection: Selection, act: () => void, framesLeft = mostFrames): void {
  const inspector = document.querySelector<HTMLElement>('[data-shows]');
  const isThere = inspector === null || inspector.dataset['shows'] === shows(selection)['data-shows'];
  if (isThere || framesLeft === 0) act();
  else requestAnimationFrame(() => whenInspectorShows(selection, act, framesLeft - 1));
}

/** Leads the keyboard to the inspector: to its first field, where it has one. */
export function focusInspector(selection: Selection): void {
  whenInspectorShows(selection, () => {
    const inspector = document.getElementById(inspectorId);
    (inspector?.querySelector<HTMLElement>('input, textarea, select, button') ?? inspector)?.focus();
  });
}
