import { Row, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import type { TokenView } from '../../../contract/token/token.ts';
import { statusMeanings } from '../../../text/credential/credentials.ts';
import { currentTokenText as text } from '../../../text/token/token-page.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import { Link } from '../../kit/link.tsx';
import { Countdown, Moment } from '../../kit/moment.tsx';
import { goTo } from '../../kit/navigation.ts';
import { Fact, Facts } from '../../kit/page.tsx';
import { RichText } from '../../kit/rich-text.tsx';
import { isLive, StatusShape } from '../status-shape.tsx';
import { TokenMoves } from '../move-dialog.tsx';

/** The newest token: its status, and everything that its owner can do with it. */
export function CurrentCard({ token }: { token: TokenView }) {
  const { status, expires_at, ended_at, reason, id, generation } = token;

  return (
    <Card title={text.title} aside={text.generation(generation)}>
      <Stack gap={4}>
        <Stack gap={2}>
          <Row as="p" gap={2} wraps align="center">
            <StatusShape status={status} />
            <Text as="strong" size="large">
              {status}
            </Text>
            <Text as="span" tone="soft" size="medium">
              {statusMeanings[status]}
            </Text>
          </Row>
          {reason === null ? null : <Text breaks>“{reason}”</Text>}
        </Stack>
        <Facts>
          {isLive(status) ? (
            <Fact name={text.facts.expires}>
              <RichText
                text={text.expiresIn}
                parts={{ countdown: <Countdown to={expires_at} />, at: <Moment at={expires_at} /> }}
              />
            </Fact>
          ) : (
            <Fact name={text.facts.ended}>
              <Moment at={ended_at ?? expires_at} />
            </Fact>
          )}
          <Fact name={text.facts.firstUsed}>
            <FirstUse token={token} />
          </Fact>
          <Fact name={text.facts.token}>
            <code aria-hidden="true">rvx_••••••••</code> {text.shownOnce}
          </Fact>
          <Fact name={text.facts.id}>
            <Row as="span" gap={2} align="center" justify="between">
              <code>{id}</code>
              <CopyButton text={id} what={text.copyId} />
            </Row>
          </Fact>
          <Fact name={text.facts.rotatedBy}>
            <RotatedBy token={token} />
          </Fact>
        </Facts>
        {isLive(status) ? null : (
          <Stack gap={2} align="start">
            <p>{text.ended}</p>
            <Button onPress={() => goTo('/tokens/issue')}>{text.issue}</Button>
          </Stack>
        )}
        <TokenMoves token={token} credential={null} />
      </Stack>
    </Card>
  );
}

/** When a program first used it; Rotavox's own checks are said apart. */
export function FirstUse({ token: { first_used_at: used, checked_at: checked } }: { token: TokenView }) {
  if (used !== null) return <Moment at={used} />;
  if (checked === null) return text.notUsed;
  return <RichText text={text.checked} parts={{ at: <Moment at={checked} /> }} />;
}

function RotatedBy({ token }: { token: TokenView }) {
  if (!isLive(token.status)) return text.nobody;
  const link = <Link to="/add-credential">{text.add}</Link>;
  return (
    <>
      {text.notRotated(token.validity_days)}{' '}
      <div>
        <RichText text={text.addCredential} parts={{ link }} />
      </div>
    </>
  );
}
