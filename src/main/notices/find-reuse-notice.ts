import { namesOf, strangersWords, textOf, titleAbout } from './phrases.ts';
import type { Sight } from './sight.ts';
import type { SubjectNotice } from './subject.ts';
import type { ReuseMemory, TellMemory } from './tell-memory.ts';

/** An alarm that a Superseded token was used again, and by whom: by an app that was left behind, or by a thief. */
export function findReuseNotice(memory: TellMemory, sight: Sight): SubjectNotice[] {
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
          'Give that app the present token. If you do not know it, see what it may have read, and blacklist the family.',
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
function nameOf(familyId: string, { glance, familyName }: Sight): string {
  const kept = glance.credentials.find(({ family_id: id }) => id === familyId);
  return familyName(familyId) ?? kept?.name ?? familyId;
}

function callerOf({ address, user_agent: agent }: ReuseMemory): string {
  const words = agent === null ? '' : strangersWords(agent, 40);
  return words === '' ? `A caller at ${address}` : `${words} at ${address}`;
}
