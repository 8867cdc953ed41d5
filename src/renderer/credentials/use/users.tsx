import type { CredentialView } from '../../../contract/credential/credential-view.ts';
import { type CredentialUse, previousHolders } from '../../../contract/credential/use.ts';
import { whoCardText } from '../../../text/credential/credential-page.ts';
import {
  linesOfUse,
  stillHeldText,
  type UseLine,
  usersText as text,
} from '../../../text/credential/use-text.ts';
import { CodeText } from '../../kit/command-line.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { ExactMoment, Moment } from '../../kit/moment.tsx';
import { Notice } from '../../kit/notice.tsx';
import { RichText } from '../../kit/rich-text.tsx';
import { Text } from '../../kit/text.tsx';
import { whoUses } from '../read-credentials.ts';
import type { Actor } from '../../../contract/history/audit-event.ts';
import { isOwnCall } from '../../../contract/service/own-call.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import type { Resource } from '../../kit/live/resource.ts';
import type { ReactNode } from 'react';
import { Row, Stack } from '../../kit/layout.tsx';
import styles from './use.module.css';

/** A program that got the token, or an app that used it through the proxy. */
export function ProgramRow({ line, current }: { line: UseLine; current: number }) {
  const isOld = line.runsSince !== null && line.generation < current;
  const { kinds } = whoCardText;
  return (
    <WhoRow sign={<Icon name="key" />} kind={line.way === 'proxy' ? kinds.app : kinds.program} who={line.who}>
      <Text tone={isOld ? 'warn' : 'soft'} size="medium" isTabular>
        <RichText text={text.line(line, current)} parts={{ at: <ExactMoment at={line.at} /> }} />
      </Text>
      <Counts line={line} />
    </WhoRow>
  );
}

/** How often it used the token; nothing where that is not known or never. */
export function Counts({ line }: { line: UseLine | undefined }) {
  const counts = line?.counts ?? null;
  const words = counts === null ? null : text.counts(counts);
  if (words === null) return null;
  return (
    <Text tone="soft" size="medium" isTabular>
      {words}
    </Text>
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

/** A program that used a token. */
export interface TokenUser {
  readonly address: string;
  readonly user_agent: string | null;
  /** When that was recorded last. */
  readonly at: string;
}

/** The events in which a program shows its current token. */
const kinds = 'token.first_used,token.refreshed';
/** More events of one token than these name no further programs that a person would read. */
const read = '100';

/** The programs that are known to use the current token of a credential, the latest first; null where another service issued it. */
export function usersOfCurrent({
  family_id: family,
  token_id: token,
}: Pick<CredentialView, 'family_id' | 'token_id'>): Resource<readonly TokenUser[] | null> {
  return {
    key: ['credentials', 'users', token ?? ''],
    about: ['token.'],
    async read(signal) {
      if (family === null || token === null) return { kind: 'ok', value: null };
      const query = { subject: family, kind: kinds, limit: read };
      const reply = await askPortal('readHistory', { query, signal });
      return reply.kind === 'ok' ? { kind: 'ok', value: usersIn(reply.value.events, token) } : reply;
    },
  };
}

/** Who used a token in these events, each program once. Rotavox's own calls are no use by a program. */
export function usersIn(
  events: readonly { readonly at: string; readonly actor: Actor }[],
  token: string,
): readonly TokenUser[] {
  const users = new Map<string, TokenUser>();
  for (const { at, actor } of events) {
    if (actor.kind !== 'bearer' || actor.token_id !== token || isOwnCall(actor)) continue;
    const { address, user_agent } = actor;
    const key = JSON.stringify([address, user_agent]);
    if (!users.has(key)) users.set(key, { address, user_agent, at });
  }
  return [...users.values()];
}

/** One that has the token: a sign, of what kind it is, which one, what is known of it, and what can be done about it. */
export function WhoRow({
  sign,
  kind,
  who,
  actions,
  children,
}: {
  sign?: ReactNode;
  kind: string;
  who: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <li className={styles['row']}>
      <Text as="span" tone="soft">
        {sign}
      </Text>
      <Stack gap={1}>
        <Text tone="soft" size="small">
          {kind}
        </Text>
        <Text weight="strong" breaks>
          {who}
        </Text>
        {children}
      </Stack>
      {actions === undefined ? null : (
        <Row gap={2} wraps className={styles['actions']}>
          {actions}
        </Row>
      )}
    </li>
  );
}
