import { useLive } from './live/use-live.ts';
import { portalStatus } from './live/window-status.ts';

/** How the command line is called on this machine; null where there is none, and while that is not known yet. */
export function useCommandLine(): string | null {
  return useLive(portalStatus).known?.value.command_line ?? null;
}
