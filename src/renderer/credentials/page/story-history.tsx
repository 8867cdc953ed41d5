import type { CredentialView } from '../../../contract/credential/credential-view.ts';
import type { TokenFamilyView } from '../../../contract/token/token-list.ts';
import { credentialPageText } from '../../../text/credential/credential-page.ts';
import { Card } from '../../kit/card.tsx';
import { Row } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { Disclosure } from '../../kit/page.tsx';
import pageStyles from '../../kit/page.module.css';
import { Text } from '../../kit/text.tsx';
import { historyPath } from '../../kit/window-paths.ts';
import { StoryEvents, useOlderEvents } from '../../tokens/family/family-history-card.tsx';
import { familyHistory } from '../../tokens/family/family-resources.ts';
import { verdictOf } from '../../tokens/family/inheritance-card.tsx';
import { TokenHistory, useHash } from '../../tokens/family/token-history.tsx';
import { historyOf } from '../read-credentials.ts';

const text = credentialPageText.history;

/** What happened to a credential and to its token, in one list by time, and the tokens that it had. */
export function StoryHistory({ one, family }: { one: CredentialView; family: TokenFamilyView | null }) {
  const { limit, button } = useOlderEvents();
  const own = useLive(historyOf(one.name, limit)).known?.value;
  const ofToken = useLive(one.family_id === null ? noEvents : familyHistory(one.family_id, limit)).known
    ?.value;
  const events =
    own === undefined || ofToken === undefined
      ? undefined
      : [...own.events, ...ofToken.events].toSorted((a, b) => b.seq - a.seq);
  const hasMore =
    events !== undefined &&
    (events.length > limit || own?.next_before !== null || ofToken?.next_before !== null);
  return (
    <Card
      title={text.title}
      aside={
        <Row as="span" gap={4} wraps>
          <Link to={historyPath(one.id)} className={pageStyles['link']}>
            {text.all}
          </Link>
          {one.family_id === null ? null : (
            <Link to={historyPath(one.family_id)} className={pageStyles['link']}>
              {text.allOfToken}
            </Link>
          )}
        </Row>
      }
    >
      <div className={pageStyles['stack']}>
        {events === undefined ? null : <StoryEvents events={events.slice(0, limit)} label={text.list} />}
        {button(hasMore)}
        {family === null || family.tokens.length === 0 ? null : <Tokens family={family} />}
      </div>
    </Card>
  );
}

const noEvents: ReturnType<typeof familyHistory> = {
  key: ['family', 'none', 'history'],
  about: [],
  read: () => Promise.resolve({ kind: 'ok', value: { events: [], next_before: null } }),
};

/** The tokens that it had. Shown at once where one of them differs or the address names one. */
function Tokens({ family }: { family: TokenFamilyView }) {
  const { tokens, issued, generations } = family;
  const named = useHash();
  const { isSame, sentences } = verdictOf(issued.configuration, tokens);
  const title = text.tokens(generations, isSame ? [] : sentences);
  return (
    <Disclosure
      title={
        <Text as="span" tone={isSame ? 'soft' : 'bad'} weight={isSame ? 'regular' : 'strong'}>
          {title}
        </Text>
      }
      isOpen={!isSame || tokens.some(({ id }) => id === named)}
    >
      <TokenHistory family={family} isPart />
    </Disclosure>
  );
}
