import type { CredentialOutline } from '../../contract/credential-view.ts';
import type { DeliveryTarget } from '../../contract/credential.ts';
import { vaultTitle } from '../../text/credentials.ts';
import { timeLeft } from '../../text/time.ts';
import type { Notice } from './notice.ts';
import type { Sight } from './tell-memory.ts';
import { type Subject, type SubjectNotice, wrongSubjects } from './troubles.ts';
import { namesOf, strangersWords, textOf, titleAbout } from './phrases.ts';
import { quietUntil } from './quiet-until.ts';
import { isNews, memoryOf, type ReuseMemory, type TellMemory } from './tell-memory.ts';
import { rememberAllTold } from './remember-sight.ts';
import { rememberSight } from './remember-sight.ts';
import { bringNew, type ServiceTrouble, troubleWords, whenFirstExpires } from './trouble-words.ts';
import { endingReminders, failedDeliveries, isVaultMissed, stageOf, troubleOf } from './troubles.ts';

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
// see decisions/notifications.md
export function decideNotices({ memory, shown }: Telling, sight: Sight): NoticeDecision {
  const { snapshot, nowMs, zone } = sight;
  const noted = rememberSight(memory, sight);
  const expiryMs = nextQuietExpiryMs(sight);
  if (!snapshot.settings.notifications_enabled) {
    const told = rememberAllTold(noted, sight);
    return { memory: told, shown: new Map(), show: [], withdraw: [...shown.keys()], nextMs: expiryMs };
  }
  const wrong = wrongSubjects(snapshot);
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
  const quietEndMs = quietUntil(snapshot.settings.quiet_hours, nowMs, zone);
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
function nextQuietExpiryMs({ snapshot, nowMs }: Sight): number | null {
  const instants = snapshot.credentials
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

/** More reasons than these at once are one notice: nobody reads a wall of them. */
const mostReasons = 3;

/**
 * A notice for each reason for which credentials cannot be rotated, where that is news of at least one of them.
 *
 * It counts all that suffer from the reason, told or not, and takes the place of the one that was shown about it before.
 */
function findTroubleNotices(memory: TellMemory, { snapshot, nowMs }: Sight): SubjectNotice[] {
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

/** A notice for each token that is not rotated and has come nearer to its end. */
function findReminderNotices(memory: TellMemory, { snapshot, nowMs }: Sight): SubjectNotice[] {
  return endingReminders(snapshot)
    .filter((one) => isNews(memory, one))
    .map((one) => ({
      notice: {
        id: `reminder ${one.id}`,
        title: titleAbout(one.name, 'expires soon'),
        body: textOf(
          `It expires in ${timeLeft(one.expires_at, nowMs)}. Rotavox cannot rotate it.`,
          bringNew([one]),
        ),
        action: null,
        open: { kind: 'credential', name: one.name },
        urgency: stageOf(one) >= 3 ? 'critical' : 'normal',
      },
      about: [subjectOf(one)],
    }));
}

/** A notice about some credentials and one trouble. */
export function troubleNotice(
  id: string,
  kind: ServiceTrouble,
  members: readonly CredentialOutline[],
  nowMs: number,
): SubjectNotice {
  const [only] = members.length === 1 ? members : [];
  return {
    notice: {
      id,
      ...troubleWords(kind, members, nowMs),
      // Rotating helps only where trying again may.
      action: only === undefined || stageOf(only) === 4 ? null : { kind: 'rotate', name: only.name },
      open: only === undefined ? { kind: 'home' } : { kind: 'credential', name: only.name },
      urgency: members.some((one) => stageOf(one) >= 3) ? 'critical' : 'normal',
    },
    about: members.map(subjectOf),
  };
}

export function subjectOf({ id }: CredentialOutline): Subject {
  return `credential ${id}`;
}

/** Those that expired are one reason wherever they are from, and so are those that the vault has lost. */
function reasonId(kind: ServiceTrouble, { service, base_url: baseUrl }: CredentialOutline): string {
  if (kind === 'expired' || kind === 'value_missing') return kind;
  return `${kind} ${service === 'embedded' ? service : baseUrl}`;
}

function summary(members: readonly CredentialOutline[], nowMs: number): SubjectNotice {
  return {
    notice: {
      id: 'many reasons',
      title: `${members.length} tokens need attention`,
      body: textOf(
        `${namesOf(members.map(({ name }) => name))} cannot be rotated, for several reasons.`,
        whenFirstExpires(members, nowMs),
        'Open Rotavox to see them.',
      ),
      action: null,
      open: { kind: 'home' },
      urgency: members.some((one) => stageOf(one) >= 3) ? 'critical' : 'normal',
    },
    about: members.map(subjectOf),
  };
}

/**
 * One notice that the vault does not work, whatever number of credentials wait for it.
 *
 * Once until it has worked again, and once more whenever one of those has come to another stage with a failed attempt.
 */
export function findVaultNotice(memory: TellMemory, { snapshot, nowMs }: Sight): SubjectNotice[] {
  if (!isVaultMissed(snapshot)) return [];
  const waiting = snapshot.credentials.filter(({ trouble }) => trouble?.kind === 'vault');
  // One that has expired meanwhile is told as that.
  const isUrgent = waiting.some((one) => troubleOf(one) === 'vault' && isNews(memory, one));
  if (memory.vault && !isUrgent) return [];
  const { vault } = snapshot;
  const [only] = waiting.length === 1 ? waiting : [];
  return [
    {
      notice: {
        id: 'vault',
        title: vaultTitle(vault),
        body: textOf(
          waiting.length === 0
            ? 'New tokens cannot be delivered.'
            : `${namesOf(waiting.map(({ name }) => name))} cannot be rotated until it works.`,
          whenFirstExpires(waiting, nowMs),
          vault.status === 'locked' ? 'Unlock it; Rotavox goes on by itself.' : vault.message,
        ),
        action: only === undefined ? null : { kind: 'rotate', name: only.name },
        open: only === undefined ? { kind: 'home' } : { kind: 'credential', name: only.name },
        urgency: waiting.some((one) => stageOf(one) >= 3) ? 'critical' : 'normal',
      },
      about: ['vault'],
    },
  ];
}

/** One notice about all the places that do not get the present value of a credential, where one of them is news. */
export function findDeliveryNotice(memory: TellMemory, { snapshot }: Sight): SubjectNotice[] {
  const failed = failedDeliveries(snapshot);
  const [first] = failed;
  const isNews = failed.some(
    ({ credential, target }) => !memoryOf(memory, credential).targets.includes(target.id),
  );
  if (first === undefined || !isNews) return [];
  const names = [...new Set(failed.map(({ credential }) => credential.name))];
  const ofOne = names.length === 1;
  return [
    {
      notice: {
        id: 'delivery',
        title: ofOne
          ? titleAbout(first.credential.name, 'was not delivered')
          : `Delivery of ${names.length} tokens failed`,
        body: textOf(
          failed.length === 1
            ? `${placeOf(first.target.target)} did not take the new token: ${strangersWords(first.target.message ?? '', 100)}`
            : `${failed.length} targets did not take the new tokens of ${namesOf(names)}.`,
          'Apps that read it there still use the old one.',
        ),
        action: null,
        open: ofOne ? { kind: 'credential', name: first.credential.name } : { kind: 'home' },
        urgency: 'critical',
      },
      about: failed.map(({ target }) => `target ${target.id}` as const),
    },
  ];
}

/** A place as its owner knows it; of a command the program only, for an argument may be a secret of somebody's. */
function placeOf(target: DeliveryTarget): string {
  switch (target.kind) {
    case 'keychain':
      return `The keychain entry of ${strangersWords(target.service)}`;
    case 'file':
    case 'dotenv':
      return strangersWords(lastPart(target.path));
    case 'hook':
      return `The command ${strangersWords(lastPart(target.command[0] ?? ''))}`;
  }
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** An alarm that a Superseded token was used again, and by whom: by an app that was left behind, or by a thief. */
function findReuseNotice(memory: TellMemory, sight: Sight): SubjectNotice[] {
  const news = memory.reuses.filter(({ told_at: toldAt }) => toldAt === null);
  const [last] = news.slice(-1);
  if (last === undefined) return [];
  const families = [...new Set(news.map(({ family_id: familyId }) => familyId))];
  const ofOne = families.length === 1;
  const names = families.map((id) => nameOf(id, sight));
  const others = news.length - 1;
  const callers = others === 0 ? callerOf(last) : `${callerOf(last)} and ${others} more`;
  return [
    {
      notice: {
        id: ofOne ? `reuse ${last.family_id}` : 'reuse',
        title: ofOne
          ? titleAbout(names[0] ?? '', 'was used', 'Superseded token of')
          : `Superseded tokens of ${families.length} families were used`,
        body: textOf(
          ofOne
            ? `${callers} used a token that was replaced, and was refused.`
            : `${callers} used replaced tokens of ${namesOf(names)}, and were refused.`,
          'Give that app the current token. If you do not know it, see what it may have read, and blacklist the family.',
        ),
        action: null,
        open: ofOne ? { kind: 'family', id: last.family_id } : { kind: 'home' },
        urgency: 'critical',
      },
      about: [],
    },
  ];
}

/** As the owner calls the family, or the credential that is kept fresh from it. */
function nameOf(familyId: string, { snapshot, familyName }: Sight): string {
  const kept = snapshot.credentials.find(({ family_id: id }) => id === familyId);
  return familyName(familyId) ?? kept?.name ?? familyId;
}

function callerOf({ address, user_agent: agent }: ReuseMemory): string {
  const words = agent === null ? '' : strangersWords(agent, 40);
  return words === '' ? `A caller at ${address}` : `${words} at ${address}`;
}

/** A notice that no change can be saved, such as with a full disk: once until one could be saved again. */
function findStoreNotice(memory: TellMemory, { snapshot: { store } }: Sight): SubjectNotice[] {
  if (store.status !== 'refusing' || memory.store) return [];
  return [
    {
      notice: {
        id: 'store',
        title: 'Rotavox cannot save anything',
        body: textOf('No token can be issued or rotated until it can.', store.reason),
        action: null,
        open: { kind: 'home' },
        urgency: 'critical',
      },
      about: ['store'],
    },
  ];
}
