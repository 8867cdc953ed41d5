import { dayMs } from '../token/token.ts';
import type { Credential } from './credential.ts';
import type { PastLife } from './past-life.ts';

/** As far back as anybody is shown: the journal has the rest. */
const keptMs = 90 * dayMs;
const maxKept = 200;

/** When and how the present value ended by itself, as far as is known at an instant; null while it is good. */
export function endOfPresent(
  { life, trouble }: Pick<Credential, 'life' | 'trouble'>,
  nowMs: number,
): Pick<PastLife, 'endedAtMs' | 'end'> | null {
  const kind = trouble?.kind;
  if (
    trouble !== null &&
    (kind === 'blacklisted' || kind === 'superseded') &&
    trouble.sinceMs < life.expiresAtMs
  )
    return { endedAtMs: trouble.sinceMs, end: kind };
  return nowMs < life.expiresAtMs ? null : { endedAtMs: life.expiresAtMs, end: 'expired' };
}

/** The past lives of a credential once another value has taken the place of its present one. */
export function withPresentEnded(
  before: Pick<Credential, 'life' | 'trouble' | 'pastLives'>,
  how: 'superseded' | 'replaced',
  atMs: number,
): readonly PastLife[] {
  const ended = endOfPresent(before, atMs) ?? { endedAtMs: atMs, end: how };
  return [...before.pastLives, { ...before.life, ...ended }]
    .filter(({ endedAtMs }) => endedAtMs > atMs - keptMs)
    .slice(-maxKept);
}
