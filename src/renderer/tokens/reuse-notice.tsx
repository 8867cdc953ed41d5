import type { TokenUse } from '../../contract/token/token.ts';
import { callerText, generationOf } from '../../text/window/events.ts';
import { reuseText as text } from '../../text/token/reuse-text.ts';
import { historyPath } from '../kit/window-paths.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton } from '../kit/button.tsx';
import { Row } from '../kit/layout.tsx';
import { Link } from '../kit/link.tsx';
import { Moment } from '../kit/moment.tsx';
import { Notice } from '../kit/notice.tsx';
import { RichText } from '../kit/rich-text.tsx';
import { Text } from '../kit/text.tsx';
import { isBusyWith, useAct } from '../kit/use-act.ts';

/** The warning that replaced tokens are still used: by whom, what it means and what to do. Nothing while nobody does. */
export function ReuseNotice({
  familyId,
  uses,
  credential,
}: {
  familyId: string;
  uses: readonly TokenUse[];
  /** The credential that rotates the token. */
  credential: string | null;
}) {
  const act = useAct();
  const isBusy = isBusyWith(act, 'dismiss');
  if (uses.length === 0) return null;
  return (
    <Notice tone="warn" title={text.title(uses)}>
      <ul aria-label={text.list}>
        {uses.map((use) => (
          <Text as="li" key={`${use.address} ${use.user_agent ?? ''}`} breaks>
            <RichText
              text={text.use(
                generationOf(use.token_id),
                use.successor_id === null ? null : generationOf(use.successor_id),
                use.count,
              )}
              parts={{ caller: <bdi>{callerText(use)}</bdi> }}
            />
            ,{' '}
            <RichText
              text={use.count === 1 ? text.once : text.between}
              parts={{ first: <Moment at={use.first_at} />, last: <Moment at={use.last_at} /> }}
            />
            .
          </Text>
        ))}
      </ul>
      <p>
        {text.refused} {credential === null ? text.give : text.deliver} {text.unknown}
      </p>
      <Row gap={4} wraps align="baseline">
        <ActionButton
          isBusy={isBusy}
          onPress={() =>
            void act.run('dismiss', () => askPortal('dismissReuse', { params: { id: familyId } }))
          }
        >
          {isBusy ? text.dismissing : text.dismiss}
        </ActionButton>
        <Link to={`${historyPath(familyId)}&kind=token.reused`}>{text.all}</Link>
      </Row>
      <Text tone="bad" size="small" role="status">
        {act.state.kind === 'refused' ? act.state.reason : null}
      </Text>
    </Notice>
  );
}
