import { useEffect } from 'react';

/** Brings the section that the address names (`/settings#menus`) into sight, as soon as it is there. */
export function useWantedSection(isThere: boolean): void {
  useEffect(() => {
    if (!isThere || location.hash === '') return;
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [isThere]);
}
