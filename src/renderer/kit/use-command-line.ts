import type { PortalStatus } from '../../contract/portal.ts';
import { useLive } from './live/use-live.ts';
import { windowCache } from './live/window-cache.ts';
import { portalStatus } from './live/window-status.ts';

/** How the command line is called on this machine; null where there is none, and while that is not known yet. */
export function useCommandLine(): string | null {
  return useLive(portalStatus).known?.value.command_line ?? null;
}

/** The same for a moment's words, which need not follow when it becomes known. */
export function commandLineNow(): string | null {
  return windowCache.getQueryData<{ value: PortalStatus }>(portalStatus.key)?.value.command_line ?? null;
}
