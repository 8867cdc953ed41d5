/**
 * Gives the focus to the field of a path into the document (`nodes.reception.keys.0.to`), wherever in the window it stands.
 *
 * Where the field itself is not in sight, the nearest one around it is taken.
 */
export function focusField(path: string): void {
  const parts = path.split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const around = parts.slice(0, length).join('.');
    const field = document.querySelector<HTMLElement>(`[data-path="${CSS.escape(around)}"]`);
    if (field === null) continue;
    field.focus();
    field.scrollIntoView({ block: 'nearest' });
    return;
  }
}
