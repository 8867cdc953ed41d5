import { dayMs, type Token } from '../token/token.ts';

/** An app that rotates its token by itself does so well before this share of the life is left. */
const lateShare = 0.1;
/** A token that nobody has rotated yet is told of a day before its end, or in the second half of a life that is shorter. */
const noticeMs = dayMs;
const noticeShare = 0.5;

/**
 * Whether a token that nobody keeps fresh is near enough to its end to be told of.
 *
 * With a tenth of its life left, or a day before the end. Where it was rotated before, an app evidently looks after it, and
 * is late only in that last tenth.
 */
export function endsSoon({ generation, createdAtMs, expiresAtMs }: Token, nowMs: number): boolean {
  const lifeMs = expiresAtMs - createdAtMs;
  const leftMs = expiresAtMs - nowMs;
  const lateMs = lifeMs * lateShare;
  return leftMs <= (generation > 1 ? lateMs : Math.max(lateMs, Math.min(noticeMs, lifeMs * noticeShare)));
}
