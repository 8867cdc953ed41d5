import type { HistoryEvent } from '../../contract/history/audit-event.ts';
import type { UnansweredTool } from '../../contract/credential/tool-connection.ts';
import { type HostPort, systemZone, type ZoneOffset } from '../../host/host-port.ts';
import { systemTimer, type Timer } from '../app-timer.ts';
import { decideNotices, type NoticeState, type NoticeChanges, quietUntil } from './decide-notices.ts';
import type { Notice, NoticeDisplay, Opening } from './notice.ts';
import type { NoticeInput } from './notice-memory.ts';
import {
  type ActionKind,
  failedActionNoticeText,
  unansweredNoticeText,
} from '../../text/window/notices-text.ts';
import { readNoticeMemory, type Reuse, type NoticeMemory } from './notice-memory.ts';

/** An action of a person that failed. */
interface FailedAction {
  readonly kind: ActionKind;
  /** The credential's. */
  readonly name: string;
  /** Why, for the person. */
  readonly reason: string;
}

/** Changes within this time are reported together; a problem that ends within it is not reported. In milliseconds. */
const gatherMs = 2_000;
/** How often it is reported that a tool got no token, in milliseconds. */
const unansweredPauseMs = 10 * 60_000;
/** The longest timer, in milliseconds: timers cannot run for months, and clocks are set. */
const longestTimerMs = 6 * 60 * 60_000;

export interface NoticeParts {
  readonly port: Pick<HostPort, 'snapshot' | 'onChange' | 'onUnansweredTool' | 'dismissReuse'>;
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
 * Shows notices about what needs attention, until it is closed.
 *
 * Decides after the start, after every relevant change and after `wake`, each time with a short delay, so that changes are
 * reported together. While nothing changes there is no timer, unless quiet hours delay a notice or a paused credential
 * will expire.
 */
export class Notices {
  readonly #parts: NoticeParts;
  readonly #clock: () => number;
  readonly #timer: Timer;
  readonly #stops: readonly (() => void)[];
  #state: NoticeState;
  #failedIds = new Set<string>();
  #reuses: Reuse[] = [];
  #callOff: (() => void) | null = null;
  #unansweredAtMs: number | null = null;
  #isGathering = false;
  #isClosed = false;

  constructor(parts: NoticeParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? Date.now;
    this.#timer = parts.timer ?? systemTimer;
    this.#state = { memory: readNoticeMemory(parts.remembered), shown: new Map() };
    const { port } = parts;
    this.#stops = [
      port.onChange((event) => {
        this.#onEvent(event);
      }),
      port.onUnansweredTool((asked) => {
        this.#reportUnanswered(asked);
      }),
    ];
    this.wake();
  }

  /** Decides soon: after sleep, unlock, or when the clock was set. */
  wake(): void {
    if (this.#isGathering || this.#isClosed) return;
    this.#isGathering = true;
    this.#after(gatherMs);
  }

  /** Reports immediately that an action from the menu failed, also in quiet hours: the person waits for the result. */
  reportFailedAction({ kind, name, reason }: FailedAction): void {
    if (this.#isClosed || !this.#parts.port.snapshot().settings.notifications_enabled) return;
    this.#present({
      id: `wanted ${name}`,
      ...failedActionNoticeText(kind, name, reason),
      action: null,
      open: kind === 'by-schedule' ? { kind: 'home' } : { kind: 'credential', name },
      urgency: 'normal',
    });
  }

  /** Reports at once that a tool got no token: a person waits for it, or a program repeats it. Not in quiet hours, and seldom. */
  #reportUnanswered({ tool, credential }: UnansweredTool): void {
    const { port, zone = systemZone } = this.#parts;
    const { settings, vault } = port.snapshot();
    const nowMs = this.#clock();
    const lastMs = this.#unansweredAtMs;
    const isSoon = lastMs !== null && nowMs >= lastMs && nowMs - lastMs < unansweredPauseMs;
    const isQuiet = quietUntil(settings.quiet_hours, nowMs, zone) !== null;
    if (!settings.notifications_enabled || isQuiet || isSoon || vault.status === 'ok') return;
    this.#unansweredAtMs = nowMs;
    this.#present({
      id: 'unanswered tool',
      ...unansweredNoticeText(tool, credential, vault),
      action: null,
      open: { kind: 'credential', name: credential },
      urgency: 'normal',
    });
  }

  /** Stops showing notices. Those on the screen stay, because they would not be shown again. */
  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    this.#callOff?.();
  }

  #onEvent(event: HistoryEvent | null): void {
    if (event?.kind === 'credential.rotation_failed') this.#failedIds.add(event.subject);
    if (event?.kind === 'token.reused' && event.actor.kind === 'bearer') {
      const { address, user_agent } = event.actor;
      this.#reuses.push({ family_id: event.subject, address, user_agent });
    }
    if (matters(event) || this.#state.memory.concerns['store'] !== undefined) this.wake();
  }

  #decide(): void {
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
    const { display, onRemember } = this.#parts;
    const isNew = JSON.stringify(memory) !== JSON.stringify(this.#state.memory);
    this.#state = { memory, shown };
    // Remembered first: a crash now loses a notice, instead of showing it after every start.
    if (isNew) onRemember(memory);
    for (const id of withdraw) display.withdraw(id);
    for (const notice of show) this.#present(notice);
  }

  #present(notice: Notice): void {
    const { display, onOpen } = this.#parts;
    display.show(notice, {
      onOpen: () => onOpen(notice.open),
      onAction: () => {
        if (notice.action !== null) this.#take(notice.action);
      },
    });
  }

  #take(action: NonNullable<Notice['action']>): void {
    const { port, onOpen } = this.#parts;
    // It fails only when nothing can be saved, which has a notice of its own.
    if (action.kind === 'dismiss_use') void port.dismissReuse(action.familyId);
    // A rotation ends the token at once, so it is asked about like everywhere.
    else onOpen({ kind: 'rotate', name: action.name });
  }

  #after(ms: number): void {
    this.#callOff?.();
    this.#callOff = this.#timer.start(Math.min(ms, longestTimerMs), () => {
      this.#decide();
    });
  }
}

/** Whether an event can start or end a problem. Most events cannot, and then nothing is decided. */
function matters(event: HistoryEvent | null): boolean {
  if (event === null) return true; // the store refuses
  const { kind } = event;
  return (
    (kind.startsWith('credential.') && kind !== 'credential.used') ||
    kind === 'token.reused' ||
    kind === 'token.suspended' ||
    kind === 'token.resumed' ||
    kind === 'token.blacklisted' ||
    kind === 'token.expired' ||
    kind === 'settings.changed'
  );
}
