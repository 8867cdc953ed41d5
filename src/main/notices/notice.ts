/*
 * Notices: what is reported to a person who is not looking at a window. Failures, never successes or reminders.
 *
 * Here: what is reported and when, what was reported before, and how the desktop shows it. The text is in text/window/notices-text.ts. Only
 * desktop-notices.ts knows Electron. Not here: what to do about it; a notice leads to the window, or asks the port to dismiss.
 * Start reading at decide-notices.ts (the one decision, without a clock) and notices.ts (when it is made).
 */

import type { Remedy } from '../../text/window/remedies.ts';

/** Where a click on a notice, or on its button, leads. */
export type Opening =
  | { readonly kind: 'credential'; readonly name: string }
  /** The question whether to rotate it now. */
  | { readonly kind: 'rotate'; readonly name: string }
  | { readonly kind: 'family'; readonly id: string }
  | { readonly kind: 'home' };

export interface Notice {
  /** What it is about. One that is shown under the same id takes the place of the one before. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
  /** A button beside the click, on platforms that have buttons. */
  readonly action: Extract<Remedy, { kind: 'rotate' | 'dismiss_use' }> | null;
  readonly open: Opening;
  /** `critical`: something does not work already, or is about to. Some desktops keep those until they are read. */
  readonly urgency: 'normal' | 'critical';
}

/** What a person did with a notice. */
export interface NoticeAnswers {
  readonly onOpen: () => void;
  readonly onAction: () => void;
}

/** The port to whatever shows notices. Neither call ever throws, because a notice that cannot be shown must stop nothing. */
export interface NoticeDisplay {
  show(notice: Notice, answers: NoticeAnswers): void;
  /** Withdraws a notice that is no longer true. It may already be gone. */
  withdraw(id: string): void;
}
