import { useEffect, useEffectEvent } from 'react';

import { setSearch, useSearch } from '../kit/navigation.ts';

/**
 * Verifies when the window's address wishes it (`?verify=1`), as the palette's command does.
 *
 * The wish is for once, and so leaves the address first: neither a reload nor the way back repeats it.
 */
export function useVerifyWish(verify: () => void): void {
  const isWished = useSearch().get('verify') === '1';
  const grant = useEffectEvent(() => {
    setSearch({ verify: undefined });
    verify();
  });
  useEffect(() => {
    if (isWished) grant();
  }, [isWished]);
}
