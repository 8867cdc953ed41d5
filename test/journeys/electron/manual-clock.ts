import type { ElectronApplication } from '@playwright/test';
import { join } from 'node:path';
import type { Start } from './launch-app.ts';

/** `manual-clock.cjs`, in the app's main process. */
interface Handed {
  readonly manualClock: {
    isRepeated(ms: number): boolean;
    jumpTo(ms: number): void;
    advanceTo(ms: number): void;
  };
}

/** The same start of an app in which what waits for seconds waits until a journey lets them pass. */
export function withManualClock(start: Start): Start {
  return { ...start, args: ['--require', join(import.meta.dirname, 'manual-clock.cjs'), ...start.args] };
}

/** So much time has passed since the start. */
export function passUntil(app: ElectronApplication, ms: number): Promise<void> {
  return app.evaluate((_, to) => (globalThis as unknown as Handed).manualClock.advanceTo(to), ms);
}

/** Whether the app does something every so often. */
export function isRepeated(app: ElectronApplication, ms: number): Promise<boolean> {
  return app.evaluate((_, everyMs) => (globalThis as unknown as Handed).manualClock.isRepeated(everyMs), ms);
}

/** The machine has slept for so long, and nobody noticed. */
export function sleepFor(app: ElectronApplication, ms: number): Promise<void> {
  return app.evaluate((_, to) => (globalThis as unknown as Handed).manualClock.jumpTo(to), ms);
}
