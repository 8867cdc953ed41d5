import type { Outgoing } from './outgoing.ts';

const connectLimitMs = 10_000;
/** What asks seldom keeps no connection open. */
const keepAliveMs = 1_000;

/** `fetch` for addresses on other machines, by the ways of `outgoing`. Its failures are those of `connectFailureOf`. */
export function fetchThrough(outgoing: Outgoing): typeof fetch {
  let loaded: ReturnType<typeof load> | null = null;
  const load = async () => {
    const { Agent, fetch: ofUndici } = await import('undici');
    const connect = outgoing.connector({ timeLimitMs: connectLimitMs });
    return { ofUndici, dispatcher: new Agent({ connect, keepAliveTimeout: keepAliveMs }) };
  };
  const through = async (input: unknown, init: unknown): Promise<unknown> => {
    // For the first call: loading undici takes a fifth of a start, and most starts make none.
    loaded ??= load();
    const { ofUndici, dispatcher } = await loaded;
    return ofUndici(input as string, { ...(init as object), dispatcher });
  };
  // The same functions as those of Node, with types of their own.
  return through as typeof fetch;
}
