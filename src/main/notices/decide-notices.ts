import type { CredentialOutline } from '../../contract/credential/credential-view.ts';
import {
  deliveryNoticeText,
  movedNoticeText,
  manyReasonsNoticeText,
  reminderNoticeText,
  reuseNoticeText,
  storeNoticeText,
  troubleNoticeText,
  vaultNoticeText,
} from '../../text/window/notices-text.ts';
import type { ServiceTrouble } from '../../text/credential/trouble-text.ts';
import type { Notice } from './notice.ts';
import type { NoticeInput } from './notice-memory.ts';
import { type Subject, type SubjectNotice, wrongSubjects } from './troubles.ts';
import { quietUntil } from './quiet-until.ts';
import { isNews, memoryOf, type NoticeMemory } from './notice-memory.ts';
import { rememberAllReported, rememberTroubles } from './remember-notices.ts';
import {
  endingReminders,
  failedDeliveries,
  isVaultMissed,
  movedLevel,
  stageOf,
  troubleOf,
  waitingForMove,
} from './troubles.ts';

/** What is kept between two decisions: what was reported, and what is on the screen. */
export interface NoticeState {
  readonly memory: NoticeMemory;
  /** The notices on the screen that may become outdated, each with its subjects. */
  readonly shown: ReadonlyMap<string, readonly Subject[]>;
}

/** What to show and to withdraw, and the state after that. */
export interface NoticeChanges extends NoticeState {
  readonly show: readonly Notice[];
  /** Ids of notices that are outdated. */
  readonly withdraw: readonly string[];
}

export interface NoticeDecision extends NoticeChanges {
  /** When to decide again although nothing changed; null: only after a change. */
  readonly nextMs: number | null;
}

/**
 * Decides which notices to show, from the current state.
 *
 * Not from events: a problem that was not yet reported is news, whether it happened just now, while the program was not
 * running, while the machine slept or in quiet hours. So these need no rules of their own, nothing is reported twice, and a
 * problem that is over is not reported. Events matter where the state does not show what happened: that an attempt failed
 * (a stage of urgency is reported after a failed attempt, or by time alone only for a token that is not rotated), and that
 * a Superseded token was used.
 *
 * While notices are switched off everything counts as reported, so that switching them on does not show old problems.
 */
// see decisions/notifications.md
export function decideNotices({ memory, shown }: NoticeState, input: NoticeInput): NoticeDecision {
  const { snapshot, nowMs, zone } = input;
  const noted = rememberTroubles(memory, input);
  const expiryMs = nextQuietExpiryMs(input);
  if (!snapshot.settings.notifications_enabled) {
    const told = rememberAllReported(noted, input);
    return { memory: told, shown: new Map(), show: [], withdraw: [...shown.keys()], nextMs: expiryMs };
  }
  const wrong = wrongSubjects(snapshot);
  const left = new Map([...shown].filter(([, about]) => about.some((subject) => wrong.has(subject))));
  const withdraw = [...shown.keys()].filter((id) => !left.has(id));

  const news = [
    ...findStoreNotice(noted, input),
    ...findMovedNotice(noted, input),
    ...findVaultNotice(noted, input),
    ...findReuseNotice(noted, input),
    ...findTroubleNotices(noted, input),
    ...findReminderNotices(noted, input),
    ...findDeliveryNotice(noted, input),
  ];
  if (news.length === 0) return { memory: noted, shown: left, show: [], withdraw, nextMs: expiryMs };
  const quietEndMs = quietUntil(snapshot.settings.quiet_hours, nowMs, zone);
  if (quietEndMs !== null) {
    const nextMs = quietEndMs === Infinity ? null : quietEndMs;
    return { memory: noted, shown: left, show: [], withdraw, nextMs };
  }
  return {
    memory: rememberAllReported(noted, input),
    shown: withNotices(left, news),
    show: news.map(({ notice }) => notice),
    withdraw,
    nextMs: expiryMs,
  };
}

/** What is shown, with more notices. Those about an event of the past are never withdrawn. */
function withNotices(
  shown: NoticeState['shown'],
  added: readonly SubjectNotice[],
): ReadonlyMap<string, readonly Subject[]> {
  return new Map([
    ...shown,
    ...added.filter(({ about }) => about.length > 0).map(({ notice, about }) => [notice.id, about] as const),
  ]);
}

/**
 * When a credential that is paused, suspended or not rotated expires or reaches the next stage: no attempt is made that could
 * fail, so nothing else would report it. While nothing is rotated at all, that is each of them.
 *
 * Null if there is none. One whose pause ends before it expires is rotated in time.
 */
function nextQuietExpiryMs({ snapshot, nowMs }: NoticeInput): number | null {
  const instants = snapshot.credentials
    .flatMap((one) => {
      const expiresAtMs = Date.parse(one.expires_at);
      if (one.state === 'reminder' || snapshot.movedFrom !== null) {
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

/** More reasons than this at once become one notice. */
const mostReasons = 3;

/**
 * A notice for each reason why credentials cannot be rotated, if it is news for at least one of them.
 *
 * It counts all affected credentials, reported before or not, and replaces the earlier notice about that reason.
 */
function findTroubleNotices(memory: NoticeMemory, { snapshot, nowMs }: NoticeInput): SubjectNotice[] {
  const groups = new Map<string, { kind: ServiceTrouble; members: CredentialOutline[]; isNews: boolean }>();
  for (const credential of snapshot.credentials) {
    const kind = troubleOf(credential);
    if (kind === null || kind === 'vault') continue;
    const id = reasonId(kind, credential);
    const group = groups.get(id) ?? { kind, members: [], isNews: false };
    group.members.push(credential);
    group.isNews ||= isNews(memory, credential);
    groups.set(id, group);
  }
  const news = [...groups].filter(([, group]) => group.isNews);
  if (news.length > mostReasons) {
    return [
      summary(
        news.flatMap(([, group]) => group.members),
        nowMs,
      ),
    ];
  }
  return news.map(([id, { kind, members }]) => troubleNotice(id, kind, members, nowMs));
}

/** A notice for each token that is not rotated and has reached the next stage before it expires. */
function findReminderNotices(memory: NoticeMemory, { snapshot, nowMs }: NoticeInput): SubjectNotice[] {
  return endingReminders(snapshot)
    .filter((one) => isNews(memory, one))
    .map((one) => ({
      notice: {
        id: `reminder ${one.id}`,
        ...reminderNoticeText(one, nowMs),
        action: null,
        open: { kind: 'credential', name: one.name },
        urgency: stageOf(one) >= 3 ? 'critical' : 'normal',
      },
      about: [subjectOf(one)],
    }));
}

/** A notice about some credentials and one trouble. */
function troubleNotice(
  id: string,
  kind: ServiceTrouble,
  members: readonly CredentialOutline[],
  nowMs: number,
): SubjectNotice {
  const [only] = members.length === 1 ? members : [];
  return {
    notice: {
      id,
      ...troubleNoticeText(kind, members, expiring(members), nowMs),
      // Only if another attempt may help.
      action: only === undefined || stageOf(only) === 4 ? null : { kind: 'rotate', name: only.name },
      open: only === undefined ? { kind: 'home' } : { kind: 'credential', name: only.name },
      urgency: members.some((one) => stageOf(one) >= 3) ? 'critical' : 'normal',
    },
    about: members.map(subjectOf),
  };
}

/** Those that still work. */
function expiring(members: readonly CredentialOutline[]): CredentialOutline[] {
  return members.filter((one) => stageOf(one) < 4);
}

function subjectOf({ id }: CredentialOutline): Subject {
  return `credential ${id}`;
}

/** Expired tokens and those missing from the vault are one reason, whatever their service. */
function reasonId(kind: ServiceTrouble, { service, base_url: baseUrl }: CredentialOutline): string {
  if (kind === 'expired' || kind === 'value_missing') return kind;
  return `${kind} ${service === 'embedded' ? service : baseUrl}`;
}

function summary(members: readonly CredentialOutline[], nowMs: number): SubjectNotice {
  return {
    notice: {
      id: 'many reasons',
      ...manyReasonsNoticeText(members, expiring(members), nowMs),
      action: null,
      open: { kind: 'home' },
      urgency: members.some((one) => stageOf(one) >= 3) ? 'critical' : 'normal',
    },
    about: members.map(subjectOf),
  };
}

/**
 * One notice that the vault does not work, however many credentials wait for it.
 *
 * Once until it works again, and again whenever one of those has reached another stage with a failed attempt.
 */
export function findVaultNotice(memory: NoticeMemory, { snapshot, nowMs }: NoticeInput): SubjectNotice[] {
  if (!isVaultMissed(snapshot)) return [];
  const waiting = snapshot.credentials.filter(({ trouble }) => trouble?.kind === 'vault');
  // One that has expired since is reported as expired.
  const isUrgent = waiting.some((one) => troubleOf(one) === 'vault' && isNews(memory, one));
  if (memory.vault && !isUrgent) return [];
  const { vault } = snapshot;
  const [only] = waiting.length === 1 ? waiting : [];
  return [
    {
      notice: {
        id: 'vault',
        ...vaultNoticeText(vault, waiting, expiring(waiting), nowMs),
        action: only === undefined ? null : { kind: 'rotate', name: only.name },
        open: only === undefined ? { kind: 'home' } : { kind: 'credential', name: only.name },
        urgency: waiting.some((one) => stageOf(one) >= 3) ? 'critical' : 'normal',
      },
      about: ['vault'],
    },
  ];
}

/** One notice about all targets that did not get the current token, if one of them is news. */
export function findDeliveryNotice(memory: NoticeMemory, { snapshot }: NoticeInput): SubjectNotice[] {
  const failed = failedDeliveries(snapshot);
  const [first] = failed;
  const isNews = failed.some(
    ({ credential, target }) => !memoryOf(memory, credential).targets.includes(target.id),
  );
  if (first === undefined || !isNews) return [];
  const others = failed
    .map(({ credential }) => credential.name)
    .filter((name) => name !== first.credential.name);
  const names = [first.credential.name, ...new Set(others)] as const;
  return [
    {
      notice: {
        id: 'delivery',
        ...deliveryNoticeText(
          names,
          failed.map(({ target }) => target),
        ),
        action: null,
        open: names.length === 1 ? { kind: 'credential', name: first.credential.name } : { kind: 'home' },
        urgency: 'critical',
      },
      about: failed.map(({ target }) => `target ${target.id}` as const),
    },
  ];
}

/** A notice that a Superseded token was used, and by whom: an app that was not updated, or an attacker. */
function findReuseNotice(memory: NoticeMemory, input: NoticeInput): SubjectNotice[] {
  const news = memory.reuses.filter(({ told_at: toldAt }) => toldAt === null);
  const [last] = news.slice(-1);
  if (last === undefined) return [];
  const others = news.map(({ family_id: familyId }) => familyId).filter((id) => id !== last.family_id);
  const families = [last.family_id, ...new Set(others)];
  const isOne = families.length === 1;
  const [name, ...names] = families.toReversed().map((id) => nameOf(id, input));
  return [
    {
      notice: {
        id: isOne ? `reuse ${last.family_id}` : 'reuse',
        ...reuseNoticeText([name ?? '', ...names], last, news.length - 1),
        action: isOne ? { kind: 'dismiss_use', familyId: last.family_id } : null,
        open: isOne ? { kind: 'family', id: last.family_id } : { kind: 'home' },
        urgency: 'critical',
      },
      about: [],
    },
  ];
}

/** The name of the credential that has the token, or of the token where none has it. */
function nameOf(familyId: string, { snapshot, familyName }: NoticeInput): string {
  const credential = snapshot.credentials.find(({ family_id: id }) => id === familyId);
  return credential?.name ?? familyName(familyId) ?? familyId;
}

/** A notice that changes cannot be saved: once until they can be saved again. */
function findStoreNotice(memory: NoticeMemory, { snapshot: { store } }: NoticeInput): SubjectNotice[] {
  if (store.status !== 'refusing' || memory.store) return [];
  return [
    {
      notice: {
        id: 'store',
        ...storeNoticeText(store.reason),
        action: null,
        open: { kind: 'home' },
        urgency: 'critical',
      },
      about: ['store'],
    },
  ];
}

/** A notice that nothing is rotated until somebody confirms: once, and again when a token has little time left. */
function findMovedNotice(memory: NoticeMemory, { snapshot, nowMs }: NoticeInput): SubjectNotice[] {
  const { movedFrom } = snapshot;
  const level = movedLevel(snapshot, nowMs);
  if (movedFrom === null || level <= memory.moved) return [];
  const waiting = waitingForMove(snapshot, nowMs);
  return [
    {
      notice: {
        id: 'moved',
        ...movedNoticeText(movedFrom, waiting, expiring(waiting), nowMs),
        action: null,
        open: { kind: 'home' },
        urgency: level >= 2 ? 'critical' : 'normal',
      },
      about: ['moved'],
    },
  ];
}
