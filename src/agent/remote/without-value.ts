/** Deeper than any answer of a service goes; what lies below is left out, for it could be made to have no end. */
const deepest = 50;

/** An answer of another program without the token that it was called with, wherever in it that stands. */
export function withoutValue(reply: unknown, value: string, depth = 0): unknown {
  if (typeof reply === 'string') return reply.replaceAll(value, '••••');
  if (typeof reply !== 'object' || reply === null) return reply;
  if (depth === deepest) return '…';
  if (Array.isArray(reply)) return reply.map((one: unknown) => withoutValue(one, value, depth + 1));
  return Object.fromEntries(
    Object.entries(reply).map(([key, one]) => [
      key.replaceAll(value, '••••'),
      withoutValue(one, value, depth + 1),
    ]),
  );
}
