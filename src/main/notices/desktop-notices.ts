import { Notification } from 'electron';
import { setTimeout as delay } from 'node:timers/promises';
import { askSessionBus } from '../ask-session-bus.ts';
import { credentialPlace, familyPlace, overview, type Place } from '../windows/place.ts';
import type { Notice, NoticeAnswers, NoticeBoard, Opening } from './notice.ts';

/** When something to show a notice with is looked for, in milliseconds: at login it may come up after us. */
const looksAfterMs = [0, 10_000];
/** As many notices are kept in hand: a click on an older one, deep in the desktop's list, leads nowhere. */
const mostInHand = 50;

/**
 * Shows notices on the desktop, by Electron.
 *
 * Each is kept in hand until it is closed, for without a reference its clicks are lost. A notice that cannot be shown is a
 * line on stderr and stops nothing. Buttons come with macOS (in a signed app whose Info.plist says
 * `NSUserNotificationAlertStyle: alert`) and with Windows; Electron gives Linux none
 * (https://github.com/electron/electron/issues/24333), and there a click leads to the window, which has them.
 */
export class DesktopNotices implements NoticeBoard {
  readonly #wanted = new Map<string, Notice>();
  readonly #inHand = new Map<string, Notification>();

  show(notice: Notice, answers: NoticeAnswers): void {
    this.#wanted.set(notice.id, notice);
    void this.#showWhenPossible(notice, answers);
  }

  withdraw(id: string): void {
    this.#wanted.delete(id);
    this.#inHand.get(id)?.close();
    this.#inHand.delete(id);
  }

  async #showWhenPossible(notice: Notice, answers: NoticeAnswers): Promise<void> {
    for (const waitMs of looksAfterMs) {
      await delay(waitMs, undefined, { ref: false });
      const isThere = Notification.isSupported() && (await isNoticeDaemonThere());
      if (this.#wanted.get(notice.id) !== notice) return; // withdrawn or overtaken meanwhile
      if (isThere) return this.#present(notice, answers);
    }
    this.#wanted.delete(notice.id);
    tellUnshown(notice, 'this desktop shows no notifications');
  }

  #present(notice: Notice, { onOpen, onAction }: NoticeAnswers): void {
    this.withdraw(notice.id);
    const shown = new Notification({
      title: plain(notice.title),
      body: plain(notice.body),
      urgency: notice.urgency,
      silent: notice.urgency === 'normal',
      actions: notice.action === null ? [] : [{ type: 'button', text: 'Rotate now' }],
    });
    const forget = (): void => {
      if (this.#inHand.get(notice.id) === shown) this.#inHand.delete(notice.id);
    };
    shown.on('click', onOpen);
    shown.on('action', onAction);
    shown.on('close', forget);
    shown.on('failed', (_event, reason) => {
      forget();
      tellUnshown(notice, reason);
    });
    this.#inHand.set(notice.id, shown);
    for (const id of [...this.#inHand.keys()].slice(0, -mostInHand)) this.#inHand.delete(id);
    try {
      shown.show();
    } catch (error) {
      forget();
      tellUnshown(notice, String(error));
    }
  }
}

/**
 * Linux desktops read the text of a notice as markup, and some of the words are a stranger's: a user agent may say
 * `<a href=…>`. Electron does not escape them, and whether the daemon wants them escaped it does not tell either; so the
 * three signs are shown as others that look like them.
 */
function plain(text: string): string {
  if (process.platform !== 'linux') return text;
  return text.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('&', '＆');
}

function tellUnshown({ title, body }: Notice, reason: string): void {
  process.stderr.write(`Rotavox: ${title}. ${body} (A notification of this was not shown: ${reason}.)\n`);
}

/** Long enough for a daemon that the bus starts when it is first called, in milliseconds. */
const answerLimitMs = 5_000;

/**
 * Whether something on this desktop shows notices now.
 *
 * On Linux that is a program on the session's message bus. Electron calls it on the main thread: one that hangs would hold
 * the whole service up, 25 seconds a call (measured), and one that comes only later would get its clicks lost, for Electron
 * asks what it can do only once. So it is asked here before. Where nobody can say, a daemon is believed in.
 */
async function isNoticeDaemonThere(platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (platform !== 'linux') return true;
  const answer = await askSessionBus({
    destination: 'org.freedesktop.Notifications',
    path: '/org/freedesktop/Notifications',
    method: 'org.freedesktop.Notifications.GetServerInformation',
    answerLimitMs,
  });
  return answer !== null;
}

/** The page that a click on a notice leads to. */
export function placeOfOpening(opening: Opening): Place {
  switch (opening.kind) {
    case 'credential':
      return credentialPlace(opening.name);
    case 'family':
      return familyPlace(opening.id);
    case 'home':
      return overview;
  }
}
