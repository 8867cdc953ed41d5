import { QueryClient } from '@tanstack/react-query';

/** How long an answer is kept that no view shows any more, in milliseconds. */
const keptMs = 5 * 60_000;

/**
 * What this window knows of the service.
 *
 * Nothing in it grows old by itself: `follow-changes.ts` says when something has changed. Nothing is asked again because
 * an attempt failed, the window was looked at or a network came back, for the stream tells all of that.
 */
export const windowCache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Infinity,
      gcTime: keptMs,
      retry: false,
      networkMode: 'always',
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  },
});
