import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(max-width: 56rem)');

/** Whether the window has no room for panels side by side. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      narrow.addEventListener('change', onChange);
      return () => narrow.removeEventListener('change', onChange);
    },
    () => narrow.matches,
  );
}
