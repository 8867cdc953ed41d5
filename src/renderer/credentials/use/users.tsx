import type { CredentialView } from '../../../contract/credential/credential-view.ts';
import { type CredentialUse, previousHolders } from '../../../contract/credential/use.ts';
import { whoCardText } from '../../../text/credential/credential-page.ts';
import {
  stillHeldText,
  usersText as text,
  type UseLine,
  linesOfUse,
} from '../../../text/credential/use-text.ts';
import { CodeText } from '../../kit/code-text.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { ExactMoment, Moment } from '../../kit/moment.tsx';
import { Notice } from '../../kit/notice.tsx';
import { RichText } from '../../kit/rich-text.tsx';
import { Text } from '../../kit/text.tsx';
import { whoUses } from './use-resource.ts';
import { WhoRow } from './who-row.tsx';

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
