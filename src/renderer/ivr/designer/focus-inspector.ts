/** The element that holds the inspector; it takes the focus from a card. */
export const inspectorId = 'designer-inspector';

/** Leads the keyboard to the inspector: to its first field, where it has one. */
export function focusInspector(): void {
  const inspector = document.getElementById(inspectorId);
  // After what was selected is drawn.
  requestAnimationFrame(() => {
    (inspector?.querySelector<HTMLElement>('input, textarea, select, button') ?? inspector)?.focus();
  });
}
