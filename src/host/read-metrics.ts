import type { HostFacts } from '../service/host-health.ts';
import { Metrics } from '../service/metrics.ts';
import type { HostProcess } from './host-process.ts';
import type { Term } from './host-term.ts';

interface Sources {
  readonly running: HostProcess;
  readonly facts: () => HostFacts;
  /** Null while this host follows. */
  readonly term: () => Term | null;
  readonly terms: () => number;
  readonly leaseMs: () => number | null;
  readonly callsPassedOn: () => number | null;
}

/** The metrics of a host, alone or in a team. */
export function hostMetrics({ running, facts, term, terms, leaseMs, callsPassedOn }: Sources): Metrics {
  return new Metrics(() => {
    const leading = term();
    return {
      ...facts(),
      leaseSeconds: secondsOf(leaseMs()),
      terms: terms(),
      openConnections: running.early.connections.size,
      callsPassedOn: callsPassedOn(),
      credentials: leading === null ? null : countByState(leading),
      certificateEnds: secondsOf(running.network?.certificateEndsMs() ?? null),
    };
  });
}

function countByState(term: Term): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { state } of term.shellPort.snapshot().credentials)
    counts.set(state, (counts.get(state) ?? 0) + 1);
  return counts;
}

function secondsOf(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}
