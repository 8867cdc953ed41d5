/**
 * Goes to another page of this window in the place of the present one, which the way back no longer leads to.
 *
 * For a dialog with an address of its own that has done its work. Told as the browser tells of a step: whoever follows the
 * address hears of it.
 */
export function goInstead(path: string): void {
  history.replaceState(history.state, '', path);
  dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown }));
}
