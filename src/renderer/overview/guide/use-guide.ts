import { useEffect } from 'react';

import { type GuideState, noteGuideSeen, useGuideState } from './guide-memory.ts';

/**
 * Where the person stands with the first steps.
 *
 * Whoever comes to a service on which nothing is kept fresh yet is shown them, and then until the last step is done; a
 * service that was set up elsewhere needs none. `isSetUp` is undefined while that is not known.
 */
export function useGuide(isSetUp: boolean | undefined): GuideState | undefined {
  const state = useGuideState();
  const isWanted = state === 'unseen' && isSetUp === false;
  useEffect(() => {
    if (isWanted) noteGuideSeen();
  }, [isWanted]);
  return isWanted ? 'open' : state;
}
