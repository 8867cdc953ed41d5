/** How often each thing is measured, and for how long. */
export interface Plan {
  readonly starts: number;
  /** From the tray to the look at the memory, in milliseconds. */
  readonly settledMs: number;
  readonly idle: number;
  /** From the start to idling, in milliseconds: V8 collects garbage once, after 25 to 40 seconds. A quick run ends before. */
  readonly calmMs: number;
  readonly idleMs: number;
  readonly windows: number;
  readonly secondLaunches: number;
  /** Memory after a window was open; a minute and a half each. */
  readonly closedWindows: number;
}

export const quickPlan: Plan = {
  starts: 2,
  settledMs: 2_000,
  idle: 1,
  calmMs: 5_000,
  idleMs: 8_000,
  windows: 2,
  secondLaunches: 0,
  closedWindows: 0,
};

export const fullPlan: Plan = {
  starts: 7,
  settledMs: 3_000,
  idle: 2,
  calmMs: 45_000,
  idleMs: 30_000,
  windows: 7,
  secondLaunches: 3,
  closedWindows: 1,
};
