import type { CredentialOutline } from '../../contract/credential-view.ts';
import type { Subject, SubjectNotice } from './subject.ts';
import type { Sight } from './sight.ts';
import { namesOf, textOf, timeLeft, titleAbout } from './phrases.ts';
import { isNews, type TellMemory } from './tell-memory.ts';
import { bringNew, type ServiceTrouble, troubleWords, whenFirstExpires } from './trouble-words.ts';
import { endingReminders, stageOf, troubleOf } from './troubles.ts';

/** More reasons than these at once are one notice: nobody reads a wall of them. */
const mostReasons = 3;

/**
 * A notice for each reason for which credentials cannot be kept fresh, where that is news of at least one of them.
 *
 * It counts all that suffer from the reason, told or not, and takes the place of the one that was shown about it before.
 */
export function findTroubleNotices(memory: TellMemory, { glance, nowMs }: Sight): SubjectNotice[] {
  const groups = new Map<string, { kind: ServiceTrouble; members: CredentialOutline[]; isNews: boolean }>();
  for (const credential of glance.credentials) {
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
export function findReminderNotices(memory: TellMemory, { glance, nowMs }: Sight): SubjectNotice[] {
  return endingReminders(glance)
    .filter((one) => isNews(memory, one))
    .map((one) => ({
      notice: {
        id: `reminder ${one.id}`,
        title: titleAbout(one.name, 'expires soon'),
        body: textOf(
          `It expires in ${timeLeft(Date.parse(one.expires_at) - nowMs)}. Rotavox cannot rotate it.`,
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
      title: `${members.length} tokens need you`,
      body: textOf(
        `${namesOf(members.map(({ name }) => name))} cannot be kept fresh, for several reasons.`,
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
