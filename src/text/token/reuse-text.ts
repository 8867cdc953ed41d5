import type { AttentionOf } from '../../contract/window/attention.ts';
import type { TokenUse } from '../../contract/token/token.ts';
import { countWords } from '../count.ts';
import { callerText } from '../window/events.ts';
import { quotedName } from '../names.ts';
import { type Instant, nearText } from '../time.ts';

/** Programs that still use tokens that were replaced: on the pages of the token and of its credential. */
export const reuseText = {
  title: (callers: readonly Parameters<typeof callerText>[0][]) => {
    const [first] = callers;
    return first !== undefined && callers.length === 1
      ? `A superseded token is still used by ${callerText(first)}.`
      : `Superseded tokens are still used by ${countWords(callers.length, 'program')}.`;
  },
  refused: 'Each call was refused.',
  give: 'Give the program the current token, which the app that rotated it has.',
  deliver: 'Add a delivery target for the program, or let it read the token each time.',
  unknown: 'If you do not know the program, blacklist the token and issue a new one.',
  use: (generation: string, successor: string | null, count: number) =>
    (successor === null
      ? `{caller}: token ${generation}, ${useCount(count)}`
      : `{caller}: token ${generation}, which token ${successor} has replaced, ${useCount(count)}`) as `{caller}${string}`,
  once: 'at {last}',
  between: 'first {first}, last {last}',
  list: 'Programs that still use superseded tokens',
  all: 'All uses of superseded tokens',
  dismiss: 'Dismiss',
  dismissing: 'Dismissing…',
  dismissed: (name: string) =>
    `Dismissed the use of superseded tokens of ${quotedName(name)}. A later use is reported again.`,
} as const;

function useCount(count: number): string {
  return countWords(count, 'use');
}

/** Who used it, how often and when, in one line. */
export function useText(use: TokenUse, nowMs: number, writeInstant = nearText): string {
  return `${callerText(use)}: ${useCount(use.count)}, ${spanText(use, (at) => writeInstant(at, nowMs))}`;
}

function spanText(
  { count, first_at: first, last_at: last }: TokenUse,
  write: (at: Instant) => string,
): string {
  return count === 1 ? write(last) : `first ${write(first)}, last ${write(last)}`;
}

export function reuseSummary(item: AttentionOf<'reuse'>, nowMs: number): string {
  const { uses } = item;
  const [use] = uses;
  if (uses.length > 1) {
    return `${countWords(uses.length, 'program')} used tokens that were replaced and were refused. Give them the current token.`;
  }
  const when =
    use === undefined || use.count === 1
      ? nearText(item.at, nowMs)
      : `${use.count} times, first ${nearText(use.first_at, nowMs)}, last ${nearText(use.last_at, nowMs)},`;
  return `${callerText(item)} used it ${when} and was refused. Give that app the current token.`;
}
