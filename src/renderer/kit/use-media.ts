import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';

/**
 * Whether the window fits a media query, now and whenever that changes.
 *
 * A rem is as large as the root's letters are; the browser's own rem in a query is what they would be without a style.
 */
export function useMedia(query: string): boolean {
  const rootSize = useRootSize();
  const inPixels = query.replaceAll(
    /(\d{1,4}(?:\.\d{1,4})?)rem/g,
    (_, rem: string) => `${Number(rem) * rootSize}px`,
  );
  const follow = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(inPixels);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [inPixels],
  );
  return useSyncExternalStore(follow, () => matchMedia(inPixels).matches);
}

/** The size of the root's letters in pixels: rows grow with it, also when a large screen changes it. */
export function useRootSize(): number {
  const [size, setSize] = useState(readRootSize);
  useEffect(() => {
    const look = (): void => setSize(readRootSize());
    addEventListener('resize', look);
    return () => removeEventListener('resize', look);
  }, []);
  return size;
}

function readRootSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}
