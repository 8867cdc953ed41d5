import { useLayoutEffect, useState } from 'react';

type Handlers = Readonly<Record<string, (...given: never[]) => unknown>>;

/**
 * Functions that stay the very same and do what the newest of their names do.
 *
 * The canvas library hands what it is told of to every card and line: one new function has all of them drawn again, in every
 * frame of a drag.
 */
export function useSteady<T extends Handlers>(handlers: T): T {
  const [steady] = useState(() => steadyOnes(handlers));
  useLayoutEffect(() => steady.follow(handlers));
  return steady.handlers;
}

function steadyOnes<T extends Handlers>(first: T): { handlers: T; follow: (handlers: T) => void } {
  let newest: Handlers = first;
  const handlers = Object.fromEntries(
    Object.keys(first).map((name) => [name, (...given: never[]) => newest[name]?.(...given)]),
  ) as T;
  return {
    handlers,
    follow: (next) => {
      newest = next;
    },
  };
}
