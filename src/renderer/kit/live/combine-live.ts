import type { LiveView } from './resource.ts';

type Values<L extends Readonly<Record<string, LiveView<unknown>>>> = {
  readonly [K in keyof L]: L[K] extends LiveView<infer T> ? T : never;
};

/**
 * Several things that a view shows, as one: known when all of them are, as live as the least live of them.
 *
 * The instant is that of the oldest.
 */
export function combineLive<L extends Readonly<Record<string, LiveView<unknown>>>>(
  lives: L,
): LiveView<Values<L>> {
  const parts = Object.entries(lives);
  const views = parts.map(([, view]) => view);
  const connection = views.find(({ connection: { kind } }) => kind !== 'live' && kind !== 'asking')
    ?.connection ??
    views.find(({ connection: { kind } }) => kind === 'asking')?.connection ?? { kind: 'live' };
  const instants = views.flatMap(({ known }) => known?.at ?? []).sort();
  const isKnown = instants.length === views.length;
  return {
    connection,
    known:
      isKnown && instants[0] !== undefined
        ? {
            value: Object.fromEntries(parts.map(([name, view]) => [name, view.known?.value])) as Values<L>,
            at: instants[0],
          }
        : undefined,
    retry: () => {
      for (const view of views) view.retry();
    },
  };
}
