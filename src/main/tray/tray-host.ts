import {
  askSessionBus,
  trayHostQuestion,
  trayHostSignals,
  watchSessionBus,
} from '../../host/ask-session-bus.ts';

/** The first check is soon after the start, because at login the panel starts at the same time; then the interval doubles. */
const firstLookMs = 1_000;
const longestLookMs = 60_000;

/** How long the bus may take to answer, in milliseconds. */
const answerLimitMs = 2_000;

/**
 * Whether something on this desktop shows tray icons.
 *
 * On Linux that is a StatusNotifier host on the session's message bus, and often there is none. If that
 * cannot be determined, the answer is yes.
 */
export async function isTrayHostThere(platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (platform !== 'linux') return true;
  const answer = await askSessionBus({ ...trayHostQuestion, answerLimitMs });
  return answer === undefined || (answer?.includes('boolean true') ?? false);
}

/** Calls back when a tray host may have come or gone. Returns how to end that. */
export function watchTrayHost(
  onChange: () => void,
  platform: NodeJS.Platform = process.platform,
): () => void {
  return platform === 'linux' ? watchSessionBus(trayHostSignals, onChange) : () => undefined;
}

/**
 * Checks until there is a tray host, then calls back once.
 *
 * Chromium puts an icon back when a panel restarts, but not into one that appears only after the icon was made. Returns
 * how to stop looking.
 */
export function onceTrayHostIsThere(callback: () => void): () => void {
  let nextLook: NodeJS.Timeout | undefined;
  let isStopped = false;
  const lookAfter = (waitMs: number): void => {
    nextLook = setTimeout(() => {
      void isTrayHostThere().then((isThere) => {
        if (isStopped) return;
        if (isThere) callback();
        else lookAfter(Math.min(waitMs * 2, longestLookMs));
      });
    }, waitMs);
  };
  lookAfter(firstLookMs);
  return () => {
    isStopped = true;
    clearTimeout(nextLook);
  };
}
