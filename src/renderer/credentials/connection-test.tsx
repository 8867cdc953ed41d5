import { Box } from '../kit/box.tsx';
import { Text } from '../kit/text.tsx';
import type { ConnectionTest } from '../../contract/credential/credential-checks.ts';
import { connectionTestText as text } from '../../text/credential/add-credential.ts';
import { takenWayText } from '../../text/service/network-text.ts';
import { Icon } from '../kit/icon.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import { RichText } from '../kit/rich-text.tsx';
import styles from './credentials.module.css';

function toneOf({ outcome, rotation }: ConnectionTest): 'good' | 'warn' | 'bad' | 'calm' {
  if (outcome === 'refused') return 'bad';
  if (outcome !== 'works') return 'calm';
  return rotation?.outcome === 'cannot_rotate' ? 'warn' : 'good';
}

function iconOf({ outcome, rotation }: ConnectionTest): 'tick' | 'cross' | 'alert' {
  if (outcome === 'refused') return 'cross';
  return outcome === 'works' && rotation?.outcome !== 'cannot_rotate' ? 'tick' : 'alert';
}

function hasAnswer({ outcome }: ConnectionTest): boolean {
  return outcome !== 'unreachable' && outcome !== 'busy';
}

/** What came of testing a token with its service; read out when it comes. */
export function ConnectionResult({ test }: { test: ConnectionTest | null }) {
  return (
    <div role="status">
      {test === null ? null : (
        <Box tone={toneOf(test)} sign={<Icon name={iconOf(test)} />}>
          <Text weight="bold">
            {text.titles[test.outcome]}
            {test.rotation?.outcome === 'cannot_rotate' ? ` ${text.cannotRotate}` : null}
            {test.rotation?.outcome === 'can_rotate' ? ` ${text.canRotate}` : null}
          </Text>
          {/* The facts below say the same, in the person's own zone. */}
          {test.outcome === 'works' && test.token !== null ? null : <p>{test.message}</p>}
          {test.token === null ? null : <TokenFacts token={test.token} />}
          {test.rotation === undefined || test.rotation.outcome === 'can_rotate' ? null : (
            <p>{test.rotation.message}</p>
          )}
          {test.way === undefined ? null : (
            <Text tone="soft" breaks>
              {takenWayText(test.way)}
            </Text>
          )}
          <Text tone="soft" isTabular>
            <ExactMoment at={test.checked_at} />
            {hasAnswer(test) ? `, ${text.took(test.took_ms)}` : null}
          </Text>
        </Box>
      )}
    </div>
  );
}

function TokenFacts({
  token: { name, status, expires_at },
}: {
  token: NonNullable<ConnectionTest['token']>;
}) {
  const facts = [name, status].filter((fact) => fact !== null).join(', ');
  const at = <ExactMoment at={expires_at} />;
  return (
    <Text tone="soft" isTabular>
      {facts === '' ? (
        <RichText text={text.expires} parts={{ at }} />
      ) : (
        <RichText text={text.facts} parts={{ facts, at }} />
      )}
    </Text>
  );
}

/** What came of a press, said beside the button and read out. Its place is always there, or it could not be heard. */
export function AnswerLine({
  tone = 'calm',
  words,
}: {
  tone?: 'calm' | 'good' | 'bad';
  words: string | null;
}) {
  return (
    <Text
      tone={tone === 'bad' ? 'bad' : 'soft'}
      size="small"
      breaks
      className={styles['answer']}
      data-tone={tone}
      role="status"
    >
      {words === null ? null : (
        <>
          {tone === 'calm' ? null : <Icon name={tone === 'good' ? 'tick' : 'alert'} />}
          <span>{words}</span>
        </>
      )}
    </Text>
  );
}
