import type { HistoryEvent } from '../../contract/audit-event.ts';
import { type HostPort, systemZone, type ZoneOffset } from '../../host/host-port.ts';
import { systemTimer, type Timer } from '../timer.ts';
import { decideNotices, type NoticeState, type NoticeChanges } from './decide-notices.ts';
import type { NoticeDisplay, Opening } from './notice.ts';
import type { NoticeInput } from './notice-memory.ts';
import { type FailedAction, reportFailedAction } from './report-failed-action.ts';
import { readNoticeMemory, type Reuse, type NoticeMemory } from './notice-memory.ts';

/** What comes within this time is told together, in milliseconds; what mends itself within it is not told. */
const gatherMs = 2_000;
/** The longest nap, in milliseconds: timers cannot be set for months, and clocks are set. */
const longestNapMs = 6 * 60 * 60_000;

export interface NoticeParts {
  readonly port: Pick<HostPort, 'snapshot' | 'onChange' | 'rotate'>;
  readonly display: NoticeDisplay;
  readonly onOpen: (opening: Opening) => void;
  /** What the owner calls a family of the embedded service; null for one that is not known. */
  readonly familyName: (id: string) => string | null;
  /** What an earlier run gave to `onRemember`, or anything else. */
  readonly remembered: unknown;
  /** NoticeChanges of what the next run needs to know: plain data for JSON, small. */
  readonly onRemember: (memory: NoticeMemory) => void;
  readonly clock?: () => number;
  readonly timer?: Timer;
  readonly zone?: ZoneOffset;
}

/**
 * Tells of what needs a person, from now on until it is closed.
 *
 * Looks once after the start, after every change that matters and after `wake`, each time a moment later, so that what
 * comes together is told together. While nothing changes there is no timer, unless quiet hours hold something back or a
 * paused credential will expire.
 */
export class Notices {
  readonly #parts: NoticeParts;
  readonly #clock: () => number;
  readonly #timer: Timer;
  readonly #stopListening: () => void;
  #state: NoticeState;
  #failedIds = new Set<string>();
  #reuses: Reuse[] = [];
  #callOff: (() => void) | null = null;
  #isGathering = false;
  #isClosed = false;

  constructor(parts: NoticeParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? Date.now;
    this.#timer = parts.timer ?? systemTimer;
    this.#state = { memory: readNoticeMemory(parts.remembered), shown: new Map() };
    this.#stopListening = parts.port.onChange((event) => {
      this.#hear(event);
    });
    this.wake();
  }

  /** Looks soon: after sleep, unlock, a clock that was set. */
  wake(): void {
    if (this.#isGathering || this.#isClosed) return;
    this.#isGathering = true;
    this.#after(gatherMs);
  }

  /** Says at once why something that a person asked for outside of a window was not done. Success needs no words. */
  reportFailedAction(wanted: FailedAction): void {
    if (this.#isClosed) return;
    this.#show(reportFailedAction(this.#state, wanted, this.#input()));
  }

  /** Tells nothing more. What is on the screen stays there: it is true, and would not be told again. */
  close(): void {
    this.#isClosed = true;
    this.#stopListening();
    this.#callOff?.();
  }

  #hear(event: HistoryEvent | null): void {
    if (event?.kind === 'credential.rotation_failed') this.#failedIds.add(event.subject);
    if (event?.kind === 'token.reused' && event.actor.kind === 'bearer') {
      const { address, user_agent } = event.actor;
      this.#reuses.push({ family_id: event.subject, address, user_agent });
    }
    if (matters(event) || this.#state.memory.store) this.wake();
  }

  #look(): void {
    this.#isGathering = false;
    const decision = decideNotices(this.#state, this.#input());
    this.#failedIds = new Set();
    this.#reuses = [];
    this.#show(decision);
    if (decision.nextMs !== null) this.#after(Math.max(decision.nextMs - this.#clock(), 0));
  }

  #input(): NoticeInput {
    const { port, familyName, zone = systemZone } = this.#parts;
    return {
      snapshot: port.snapshot(),
      nowMs: this.#clock(),
      zone,
      familyName,
      failedIds: this.#failedIds,
      reuses: this.#reuses,
    };
  }

  #show({ memory, shown, show, withdraw }: NoticeChanges): void {
    const { display, port, onOpen, onRemember } = this.#parts;
    const isNew = JSON.stringify(memory) !== JSON.stringify(this.#state.memory);
    this.#state = { memory, shown };
    // Remembered first: a crash now costs a notice, and not one that comes with every start.
    if (isNew) onRemember(memory);
    for (const id of withdraw) display.withdraw(id);
    for (const notice of show) {
      display.show(notice, {
        onOpen: () => {
          onOpen(notice.open);
        },
        onAction: () => {
          if (notice.action !== null) void this.#rotate(notice.action.name, port);
        },
      });
    }
  }

  async #rotate(name: string, port: NoticeParts['port']): Promise<void> {
    const outcome = await port.rotate(name);
    if (!outcome.ok) this.reportFailedAction({ kind: 'rotate', name, reason: outcome.refusal });
  }

  #after(ms: number): void {
    this.#callOff?.();
    this.#callOff = this.#timer.start(Math.min(ms, longestNapMs), () => {
      this.#look();
    });
  }
}

/** Whether a change can make news, or end it. Most of what a busy service does cannot, and costs no look. */
function matters(event: HistoryEvent | null): boolean {
  if (event === null) return true; // the store refuses
  const { kind } = event;
  return (
    kind.startsWith('credential.') ||
    kind === 'token.reused' ||
    kind === 'token.suspended' ||
    kind === 'token.resumed' ||
    kind === 'token.blacklisted' ||
    kind === 'token.expired' ||
    kind === 'settings.changed'
  );
}
