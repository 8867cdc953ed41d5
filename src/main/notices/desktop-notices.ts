import { Notification } from 'electron';
import { setTimeout as delay } from 'node:timers/promises';
import { remedyLabel } from '../../text/window/remedies.ts';
import { desktopLine, noNotifications } from '../../text/service/desktop-text.ts';
import { askSessionBus, notificationsQuestion } from '../../host/ask-session-bus.ts';
import { printLine } from '../print-line.ts';
import { credentialPlace, familyPlace, overview, type Place, rotatePlace } from '../windows/place.ts';
import type { Notice, NoticeAnswers, NoticeDisplay, Opening } from './notice.ts';

/** When to check whether the desktop shows notifications, in milliseconds: at login that may start after us. */
const looksAfterMs = [0, 10_000];
/** How many notifications are kept; a click on an older one does nothing. */
const mostShown = 50;

/**
 * Shows notices on the desktop with Electron.
 *
 * Each is kept until it is closed, because without a reference its clicks are lost. A notice that cannot be shown is a line
 * on stderr. Buttons come with macOS (in a signed app whose Info.plist says
 * `NSUserNotificationAlertStyle: alert`) and with Windows; Electron gives Linux none
 * (https://github.com/electron/electron/issues/24333), and there a click leads to the window, which has them.
 */
export class DesktopNotices implements NoticeDisplay {
  readonly #wanted = new Map<string, Notice>();
  readonly #shown = new Map<string, Notification>();

  show(notice: Notice, answers: NoticeAnswers): void {
    this.#wanted.set(notice.id, notice);
    void this.#showWhenPossible(notice, answers);
  }

  withdraw(id: string): void {
    this.#wanted.delete(id);
    this.#shown.get(id)?.close();
    this.#shown.delete(id);
  }

  async #showWhenPossible(notice: Notice, answers: NoticeAnswers): Promise<void> {
    for (const waitMs of looksAfterMs) {
      await delay(waitMs, undefined, { ref: false });
      const canShow = Notification.isSupported() && (await canShowNotices());
      if (this.#wanted.get(notice.id) !== notice) return; // withdrawn or replaced since
      if (canShow) return this.#present(notice, answers);
    }
    this.#wanted.delete(notice.id);
    reportUnshown(notice, noNotifications);
  }

  #present(notice: Notice, { onOpen, onAction }: NoticeAnswers): void {
    this.withdraw(notice.id);
    const shown = new Notification({
      title: plain(notice.title),
      body: plain(notice.body),
      urgency: notice.urgency,
      silent: notice.urgency === 'normal',
      actions: notice.action === null ? [] : [{ type: 'button', text: remedyLabel(notice.action) }],
    });
    const forget = (): void => {
      if (this.#shown.get(notice.id) === shown) this.#shown.delete(notice.id);
    };
    shown.on('click', onOpen);
    shown.on('action', onAction);
    shown.on('close', forget);
    shown.on('failed', (_event, reason) => {
      forget();
      reportUnshown(notice, reason);
    });
    this.#shown.set(notice.id, shown);
    for (const id of [...this.#shown.keys()].slice(0, -mostShown)) this.#shown.delete(id);
    try {
      shown.show();
    } catch (error) {
      forget();
      reportUnshown(notice, String(error));
    }
  }
}

/**
 * Linux desktops read the text of a notification as markup, and some of it comes from callers: a user agent may contain
 * `<a href=…>`. Electron does not escape it, and it is not known whether the daemon wants it escaped; so the three characters
 * are replaced by others that look like them.
 */
function plain(text: string): string {
  if (process.platform !== 'linux') return text;
  return text.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('&', '＆');
}

function reportUnshown({ title, body }: Notice, reason: string): void {
  printLine(desktopLine.notShown(title, body, reason));
}

/** Long enough for a daemon that the bus starts when it is first called, in milliseconds. */
const answerLimitMs = 5_000;

/**
 * Whether this desktop shows notifications now.
 *
 * On Linux that is a program on the session's message bus. Electron calls it on the main thread: one that hangs would block
 * the whole service for 25 seconds a call (measured), and one that starts later would lose its clicks, because Electron reads
 * its capabilities only once. So it is called here before. If that cannot be determined, the answer is yes.
 */
async function canShowNotices(platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (platform !== 'linux') return true;
  const answer = await askSessionBus({ ...notificationsQuestion, answerLimitMs });
  return answer !== null;
}

/** The page that a click on a notice leads to. */
export function placeOfOpening(opening: Opening): Place {
  switch (opening.kind) {
    case 'credential':
      return credentialPlace(opening.name);
    case 'rotate':
      return rotatePlace(opening.name);
    case 'family':
      return familyPlace(opening.id);
    case 'home':
      return overview;
  }
}
