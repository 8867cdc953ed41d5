import type { CredentialOutline } from '../../contract/credential/credential-view.ts';
import type { Concern, ConcernOf } from '../../contract/window/attention.ts';
import { concernLevel, concernsChangeMs, listConcerns } from '../../core/attention/list-concerns.ts';
import {
  deliveryNoticeText,
  manyReasonsNoticeText,
  movedNoticeText,
  reminderNoticeText,
  reuseNoticeText,
  storeNoticeText,
  troubleNoticeText,
  vaultNoticeText,
} from '../../text/window/notices-text.ts';
import type { ServiceTrouble } from '../../text/credential/trouble-text.ts';
import type { Notice, Opening } from './notice.ts';
import {
  isNews,
  type NoticeInput,
  type NoticeMemory,
  rememberAllReported,
  rememberConcerns,
} from './notice-memory.ts';
import type { HoursOfDay } from '../../contract/shapes.ts';
import type { ZoneOffset } from '../../host/host-port.ts';

/** What is kept between two decisions: what was reported, and what is on the screen. */
export interface NoticeState {
  readonly memory: NoticeMemory;
  /** The notices on the screen that may become outdated, each with its subjects. */
  readonly shown: ReadonlyMap<string, readonly string[]>;
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
 * (a level of urgency is reported after a failed attempt, or by time alone only for a token that is not rotated), and that
 * a Superseded token was used.
 *
 * While notices are switched off everything counts as reported, so that switching them on does not show old problems.
 */
// see decisions/notifications.md
export function decideNotices({ memory, shown }: NoticeState, input: NoticeInput): NoticeDecision {
  const { snapshot, nowMs, zone } = input;
  const concerns = listConcerns(snapshot, nowMs);
  const noted = rememberConcerns(memory, concerns, input);
  const told = rememberAllReported(noted, nowMs);
  const changeMs = concernsChangeMs(snapshot, nowMs);
  if (!snapshot.settings.notifications_enabled) {
    return { memory: told, shown: new Map(), show: [], withdraw: [...shown.keys()], nextMs: changeMs };
  }
  const wrong = new Set(concerns.map(({ subject }) => subject));
  const left = new Map([...shown].filter(([, about]) => about.some((subject) => wrong.has(subject))));
  const withdraw = [...shown.keys()].filter((id) => !left.has(id));

  const news = findNews(noted, concerns, input);
  if (news.length === 0) return { memory: noted, shown: left, show: [], withdraw, nextMs: changeMs };
  const quietEndMs = quietUntil(snapshot.settings.quiet_hours, nowMs, zone);
  if (quietEndMs !== null) {
    const nextMs = quietEndMs === Infinity ? null : quietEndMs;
    return { memory: noted, shown: left, show: [], withdraw, nextMs };
  }
  const show = news.map(({ notice }) => notice);
  return { memory: told, shown: withNotices(left, news), show, withdraw, nextMs: changeMs };
}

/** What is shown, with more notices. Those about an event of the past are never withdrawn. */
function withNotices(
  shown: NoticeState['shown'],
  added: readonly ConcernNotice[],
): ReadonlyMap<string, readonly string[]> {
  return new Map([
    ...shown,
    ...added.filter(({ about }) => about.length > 0).map(({ notice, about }) => [notice.id, about] as const),
  ]);
}

interface ConcernNotice {
  readonly notice: Notice;
  /** It is withdrawn when none of these subjects has a concern any more. Empty: it reports an event, and stays. */
  readonly about: readonly string[];
}

/** The concerns of which something is news, the most general first. */
function findNews(memory: NoticeMemory, concerns: readonly Concern[], input: NoticeInput): ConcernNotice[] {
  const { nowMs } = input;
  const of = <K extends Concern['kind']>(kind: K) =>
    concerns.filter((one): one is ConcernOf<K> => one.kind === kind);
  const news = <T extends Concern>(list: readonly T[]): T[] => list.filter((one) => isNews(memory, one));
  const rotations = of('rotation');
  // One that has expired since is reported as expired.
  const isVaultUrgent = news(rotations).some(({ reason }) => reason === 'vault');
  const deliveries = of('delivery');
  return [
    ...news(of('store')).map(storeNotice),
    ...news(of('moved')).map((one) => movedNotice(one, nowMs)),
    ...of('vault')
      .filter((one) => isVaultUrgent || isNews(memory, one))
      .map((one) => vaultNotice(one, nowMs)),
    ...findReuseNotice(memory, input),
    ...rotationNotices(rotations, news(rotations), nowMs),
    ...news(of('reminder')).map((one) => reminderNotice(one, nowMs)),
    ...(news(deliveries).length > 0 ? deliveryNotice(deliveries) : []),
  ];
}

/** More reasons than this at once become one notice. */
const mostReasons = 3;

/**
 * A notice for each reason why credentials cannot be rotated, if it is news for at least one of them.
 *
 * It counts all affected credentials, reported before or not, and replaces the earlier notice about that reason.
 */
function rotationNotices(
  all: readonly ConcernOf<'rotation'>[],
  news: readonly ConcernOf<'rotation'>[],
  nowMs: number,
): ConcernNotice[] {
  const newReasons = new Set(news.map(reasonId));
  const groups = new Map<string, { reason: ServiceTrouble; members: CredentialOutline[] }>();
  for (const one of all) {
    const { reason, credential } = one;
    const id = reasonId(one);
    if (reason === 'vault' || !newReasons.has(id)) continue;
    const group = groups.get(id) ?? { reason, members: [] };
    group.members.push(credential);
    groups.set(id, group);
  }
  if (groups.size > mostReasons) {
    const members = [...groups.values()].flatMap((group) => group.members);
    const text = manyReasonsNoticeText(members, expiring(members), nowMs);
    return [aboutCredentials({ id: 'many reasons', ...text, action: null, open: { kind: 'home' } }, members)];
  }
  return [...groups].map(([id, { reason, members }]) => {
    const [only] = members.length === 1 ? members : [];
    // Only if another attempt may help.
    const mayHelp = only !== undefined && concernLevel(only) < 4;
    const text = troubleNoticeText(reason, members, expiring(members), nowMs);
    const action = mayHelp ? ({ kind: 'rotate', name: only.name } as const) : null;
    return aboutCredentials({ id, ...text, action, open: placeOf(members) }, members);
  });
}

/** Expired tokens and those missing from the vault are one reason, whatever their service. */
function reasonId({ reason, credential: { service, base_url: baseUrl } }: ConcernOf<'rotation'>): string {
  if (reason === 'expired' || reason === 'value_missing') return reason;
  return `${reason} ${service === 'embedded' ? service : baseUrl}`;
}

function aboutCredentials(
  notice: Omit<Notice, 'urgency'>,
  members: readonly CredentialOutline[],
): ConcernNotice {
  return {
    notice: { ...notice, urgency: urgencyOf(members) },
    about: members.map(({ id }) => `credential ${id}`),
  };
}

function reminderNotice({ credential }: ConcernOf<'reminder'>, nowMs: number): ConcernNotice {
  const text = reminderNoticeText(credential, nowMs);
  const open = placeOf([credential]);
  return aboutCredentials({ id: `reminder ${credential.id}`, ...text, action: null, open }, [credential]);
}

/** Those that still work. */
function expiring(members: readonly CredentialOutline[]): CredentialOutline[] {
  return members.filter((one) => concernLevel(one) < 4);
}

function urgencyOf(members: readonly CredentialOutline[]): Notice['urgency'] {
  return members.some((one) => concernLevel(one) >= 3) ? 'critical' : 'normal';
}

function placeOf(members: readonly CredentialOutline[]): Opening {
  const [only] = members.length === 1 ? members : [];
  return only === undefined ? { kind: 'home' } : { kind: 'credential', name: only.name };
}

/**
 * One notice that the vault does not work, however many credentials wait for it.
 *
 * Once until it works again, and again whenever one of those has reached another level with a failed attempt.
 */
function vaultNotice({ vault, waiting, subject }: ConcernOf<'vault'>, nowMs: number): ConcernNotice {
  const [only] = waiting.length === 1 ? waiting : [];
  return {
    notice: {
      id: 'vault',
      ...vaultNoticeText(vault, waiting, expiring(waiting), nowMs),
      action: only === undefined ? null : { kind: 'rotate', name: only.name },
      open: placeOf(waiting),
      urgency: urgencyOf(waiting),
    },
    about: [subject],
  };
}

/** One notice about all targets that did not get the current token. */
function deliveryNotice(failed: readonly ConcernOf<'delivery'>[]): ConcernNotice[] {
  const [name, ...others] = new Set(failed.map(({ credential }) => credential.name));
  if (name === undefined) return [];
  return [
    {
      notice: {
        id: 'delivery',
        ...deliveryNoticeText(
          [name, ...others],
          failed.map(({ target }) => target),
        ),
        action: null,
        open: others.length === 0 ? { kind: 'credential', name } : { kind: 'home' },
        urgency: 'critical',
      },
      about: failed.map(({ subject }) => subject),
    },
  ];
}

/** A notice that a Superseded token was used, and by whom: an app that was not updated, or an attacker. */
function findReuseNotice(memory: NoticeMemory, input: NoticeInput): ConcernNotice[] {
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

/** Changes cannot be saved: once until they can be saved again. */
function storeNotice({ reason, subject }: ConcernOf<'store'>): ConcernNotice {
  const text = storeNoticeText(reason);
  return {
    notice: { id: 'store', ...text, action: null, open: { kind: 'home' }, urgency: 'critical' },
    about: [subject],
  };
}

/** Nothing is rotated until somebody confirms: once, and again when a token has little time left. */
function movedNotice({ from, waiting, level, subject }: ConcernOf<'moved'>, nowMs: number): ConcernNotice {
  return {
    notice: {
      id: 'moved',
      ...movedNoticeText(from, waiting, expiring(waiting), nowMs),
      action: null,
      open: { kind: 'home' },
      urgency: level >= 2 ? 'critical' : 'normal',
    },
    about: [subject],
  };
}

const minuteMs = 60_000;
const minutesADay = 24 * 60;

/**
 * When the current quiet hours end; null if it is not quiet. `Infinity`: never, because hours that begin and end at the same
 * time of day are the whole day, as for rotations.
 *
 * Local time decides. Every minute is checked until one is not quiet: at most a day and an hour of minutes, only while a
 * notice is delayed, and correct when summer time begins or ends.
 */
export function quietUntil(hours: HoursOfDay | null, nowMs: number, zone: ZoneOffset): number | null {
  if (hours === null || !isQuiet(hours, nowMs, zone)) return null;
  if (hours.from === hours.to) return Infinity;
  let minute = Math.floor(nowMs / minuteMs) + 1;
  while (isQuiet(hours, minute * minuteMs, zone)) minute += 1;
  return minute * minuteMs;
}

function isQuiet({ from, to }: HoursOfDay, atMs: number, zone: ZoneOffset): boolean {
  const local = Math.floor(atMs / minuteMs) + zone(atMs);
  const minute = ((local % minutesADay) + minutesADay) % minutesADay;
  const begin = minuteOf(from);
  const end = minuteOf(to);
  // From evening to morning they reach over midnight.
  return begin < end ? minute >= begin && minute < end : minute >= begin || minute < end;
}

function minuteOf(clockTime: string): number {
  const [hour, minute] = clockTime.split(':').map(Number);
  return (hour ?? 0) * 60 + (minute ?? 0);
}
