import type { CredentialView } from '../../../contract/credential-view.ts';
import { type CredentialUse, previousHolders } from '../../../contract/use.ts';
import { stillHeldText, usersCardText as text, type UseLine, linesOfUse } from '../../../text/use-text.ts';
import { Card } from '../../kit/card.tsx';
import { CodeText } from '../../kit/code-text.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { ExactMoment, Moment } from '../../kit/moment.tsx';
import { Notice } from '../../kit/notice.tsx';
import pageStyles from '../../kit/page.module.css';
import { RichText } from '../../kit/rich-text.tsx';
import { Text } from '../../kit/text.tsx';
import { whoUses } from './use-resource.ts';

/** Who uses a credential: apps of the proxy, programs that got its token, and targets that have it. */
export function UseCard({ one }: { one: CredentialView }) {
  const use = useLive(whoUses(one.name)).known?.value;
  if (use === undefined) return null;
  const lines = linesOfUse(use);
  const day = use.users.reduce((sum, user) => sum + user.last_24h, 0);
  return (
    <Card title={text.title} aside={lines.length === 0 ? undefined : text.aside(day)}>
      <div className={pageStyles['stack']}>
        {lines.length === 0 ? (
          <Text tone="soft">
            <CodeText text={text.empty} />
          </Text>
        ) : (
          <>
            <Stack as="ul" gap={3} aria-label={text.list}>
              {lines.map((line) => (
                <Line key={line.key} line={line} current={use.generation} />
              ))}
            </Stack>
            <Text tone="soft" size="medium">
              {text.limit}
            </Text>
          </>
        )}
      </div>
    </Card>
  );
}

function Line({ line, current }: { line: UseLine; current: number }) {
  const isOld = line.runsSince !== null && line.generation < current;
  return (
    <Row as="li" gap={2} wraps align="baseline" justify="between">
      <Stack gap={1}>
        <Text weight="strong" breaks>
          {line.who}
        </Text>
        <Text tone={isOld ? 'warn' : 'soft'} size="small" isTabular>
          <RichText text={text.line(line, current)} parts={{ at: <ExactMoment at={line.at} /> }} />
        </Text>
      </Stack>
      {line.counts === null ? null : (
        <Text tone="soft" size="small" isTabular>
          {text.counts(line.counts)}
        </Text>
      )}
    </Row>
  );
}

/** The warning that commands run with a token that was replaced; nothing while none does. */
export function StillHeldNotice({ one }: { one: CredentialView }) {
  const use = useLive(whoUses(one.name)).known?.value;
  const held = use === undefined ? [] : previousHolders(use).running;
  if (use === undefined || held.length === 0) return null;
  return (
    <Notice tone="warn" title={text.stillUsed.title(held.length)}>
      <ul aria-label={text.stillUsed.list}>
        {held.map((command, place) => (
          <Text as="li" key={`${command.since} ${place}`} breaks>
            <RichText
              text={stillHeldText(command, use.generation)}
              parts={{ since: <Moment at={command.since} /> }}
            />
          </Text>
        ))}
      </ul>
      <p>
        <CodeText text={text.stillUsed.restart} />
      </p>
    </Notice>
  );
}

/** The programs that got the current token, and the commands that run with it: they need the next one. Nothing without any. */
export function GotCurrent({ use }: { use: CredentialUse }) {
  const lines = linesOfUse(use).filter(
    (line) => line.way !== 'proxy' && line.generation === use.generation && isRecent(line),
  );
  return <Users lead={text.got} label={text.gotList} lines={lines} current={use.generation} />;
}

/** Who used a credential lately, or runs with its token. Nothing where nobody did. */
export function UsedLately({ use }: { use: CredentialUse }) {
  const lines = linesOfUse(use).filter(isRecent);
  return <Users lead={text.lately} label={text.latelyList} lines={lines} current={use.generation} />;
}

/** Not what was delivered: whether that is used is not known. */
function isRecent({ counts, runsSince }: UseLine): boolean {
  return runsSince !== null || (counts !== null && counts.week > 0);
}

/** An entry of a list of consequences. */
function Users({
  lead,
  label,
  lines,
  current,
}: {
  lead: string;
  label: string;
  lines: readonly UseLine[];
  current: number;
}) {
  if (lines.length === 0) return null;
  return (
    <li>
      {lead}
      <ul aria-label={label}>
        {lines.map((line) => (
          <li key={line.key}>
            <strong>{line.who}</strong>{' '}
            <Text as="span" tone="soft">
              (<RichText text={text.line(line, current)} parts={{ at: <Moment at={line.at} /> }} />)
            </Text>
          </li>
        ))}
      </ul>
    </li>
  );
}
