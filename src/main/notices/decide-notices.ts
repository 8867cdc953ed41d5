import { findDeliveryNotice } from './find-delivery-notice.ts';
import { findReuseNotice } from './find-reuse-notice.ts';
import { findStoreNotice } from './find-store-notice.ts';
import { findReminderNotices, findTroubleNotices } from './find-trouble-notices.ts';
import { findVaultNotice } from './find-vault-notice.ts';
import type { Notice } from './notice.ts';
import { quietUntil } from './quiet-until.ts';
import { rememberAllTold, rememberSight } from './remember-sight.ts';
import type { Sight } from './sight.ts';
import { type Subject, type SubjectNotice, wrongSubjects } from './subject.ts';
import type { TellMemory } from './tell-memory.ts';

/** What stands between two looks: what was told, and what is on the screen. */
export interface Telling {
  readonly memory: TellMemory;
  /** The notices that are shown and can come to be untrue, each with what it is about. */
  readonly shown: ReadonlyMap<string, readonly Subject[]>;
}

/** What was decided to tell, and how things stand then. */
export interface Told extends Telling {
  readonly show: readonly Notice[];
  /** Ids of notices to take away. */
  readonly withdraw: readonly string[];
}

export interface NoticeDecision extends Told {
  /** When to look again although nothing changed; null: not before something does. */
  readonly nextMs: number | null;
}

/**
 * Decides what to tell, from how everything is now.
 *
 * Not from the events: what is true and not yet told is news, whether it came about just now, while the program was not
 * running, while the machine slept or in quiet hours. So each of those needs no rule of its own, nothing is told twice,
 * and what has passed meanwhile is not told at all. Events matter where the present does not show what happened: that an
 * attempt failed (a stage of urgency is told with one, and by the calendar only of a token that nobody rotates), and that a Superseded token was used.
 *
 * While notices are switched off everything counts as told: switching them on brings no flood of what is past.
 */
export function decideNotices({ memory, shown }: Telling, sight: Sight): NoticeDecision {
  const { glance, nowMs, zone } = sight;
  const noted = rememberSight(memory, sight);
  const expiryMs = nextQuietExpiryMs(sight);
  if (!glance.settings.notifications_enabled) {
    const told = rememberAllTold(noted, sight);
    return { memory: told, shown: new Map(), show: [], withdraw: [...shown.keys()], nextMs: expiryMs };
  }
  const wrong = wrongSubjects(glance);
  const left = new Map([...shown].filter(([, about]) => about.some((subject) => wrong.has(subject))));
  const withdraw = [...shown.keys()].filter((id) => !left.has(id));

  const news = [
    ...findStoreNotice(noted, sight),
    ...findVaultNotice(noted, sight),
    ...findReuseNotice(noted, sight),
    ...findTroubleNotices(noted, sight),
    ...findReminderNotices(noted, sight),
    ...findDeliveryNotice(noted, sight),
  ];
  if (news.length === 0) return { memory: noted, shown: left, show: [], withdraw, nextMs: expiryMs };
  const quietEndMs = quietUntil(glance.settings.quiet_hours, nowMs, zone);
  if (quietEndMs !== null) {
    const nextMs = quietEndMs === Infinity ? null : quietEndMs;
    return { memory: noted, shown: left, show: [], withdraw, nextMs };
  }
  return {
    memory: rememberAllTold(noted, sight),
    shown: withNotices(left, news),
    show: news.map(({ notice }) => notice),
    withdraw,
    nextMs: expiryMs,
  };
}

/** What is shown, with some notices more. Those that stay true for ever are nobody's to withdraw. */
export function withNotices(
  shown: Telling['shown'],
  added: readonly SubjectNotice[],
): ReadonlyMap<string, readonly Subject[]> {
  return new Map([
    ...shown,
    ...added.filter(({ about }) => about.length > 0).map(({ notice, about }) => [notice.id, about] as const),
  ]);
}

/**
 * When a credential expires, or comes nearer to that, without a word: no attempt is made that could fail, so nothing else
 * would tell. It is paused, suspended or not rotated at all.
 *
 * Null when none will. One that is paused for less long is rotated before, and that one speaks for itself.
 */
function nextQuietExpiryMs({ glance, nowMs }: Sight): number | null {
  const instants = glance.credentials
    .flatMap((one) => {
      const expiresAtMs = Date.parse(one.expires_at);
      if (one.state === 'reminder') {
        const lifeMs = expiresAtMs - Date.parse(one.obtained_at);
        return [0.2, 0.1, 0.02, 0].map((left) => Math.ceil(expiresAtMs - lifeMs * left));
      }
      if (one.paused === null) return one.trouble?.kind === 'suspended' ? [expiresAtMs] : [];
      const { until } = one.paused;
      return until === null || Date.parse(until) >= expiresAtMs ? [expiresAtMs] : [];
    })
    .filter((ms) => ms > nowMs);
  return instants.length === 0 ? null : Math.min(...instants);
}
