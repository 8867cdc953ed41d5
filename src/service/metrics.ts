import type { FastifyInstance } from 'fastify';
import type { Counter, Histogram, Registry } from 'prom-client';
import { metricsPath } from '../contract/address.ts';
import { metricsText as text } from '../text/service/service-text.ts';
import type { PortalSessions } from './guard/portal-sessions.ts';
import type { HostFacts } from './host-health.ts';

/** What is true when the metrics are read. Null where it does not apply. */
export interface Readings extends HostFacts {
  /** How long this host may lead without another renewal, in seconds. */
  readonly leaseSeconds: number | null;
  /** The terms of this process. */
  readonly terms: number;
  readonly openConnections: number;
  /** Of a host that follows: the calls that are with the leader. */
  readonly callsPassedOn: number | null;
  /** By state; null on a host that follows. */
  readonly credentials: ReadonlyMap<string, number> | null;
  /** When the certificate ends, in seconds since the epoch. */
  readonly certificateEnds: number | null;
}

export interface RequestFacts {
  readonly method: string;
  /** The pattern of its route, never its path. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

interface Recorders {
  readonly registry: Registry;
  readonly requests: Histogram;
  readonly appends: Histogram;
  readonly batches: Histogram;
  readonly rotations: Counter;
}

/**
 * The metrics of a process for Prometheus.
 *
 * The library is loaded when they are read first, and what happens is counted from then on: a host that nobody watches spends
 * nothing on it.
 */
export class Metrics {
  readonly #readings: () => Readings;
  #opening: Promise<Recorders> | null = null;
  #recorders: Recorders | null = null;

  constructor(readings: () => Readings) {
    this.#readings = readings;
  }

  /** Whether somebody reads them. */
  get isOn(): boolean {
    return this.#recorders !== null;
  }

  tellRequest({ method, route, status, seconds }: RequestFacts): void {
    this.#recorders?.requests.observe({ method, route, status }, seconds);
  }

  /** A batch of so many events became durable. */
  tellAppend(seconds: number, events: number): void {
    this.#recorders?.appends.observe(seconds);
    this.#recorders?.batches.observe(events);
  }

  tellRotation(of: 'token' | 'credential'): void {
    this.#recorders?.rotations.inc({ of });
  }

  /** All of them, as Prometheus reads them. */
  async read(): Promise<{ readonly contentType: string; readonly body: string }> {
    this.#opening ??= open(this.#readings);
    this.#recorders = await this.#opening;
    const { registry } = this.#recorders;
    return { contentType: registry.contentType, body: await registry.metrics() };
  }
}

const requestSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const appendSeconds = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
];
const batchEvents = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

async function open(read: () => Readings): Promise<Recorders> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, valueOf: (readings: Readings) => number | null): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const value = valueOf(read());
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  };
  new Gauge({
    name: 'rotavox_host_role',
    help: text.role,
    labelNames: ['role'],
    registers,
    collect() {
      this.reset();
      this.set({ role: read().role }, 1);
    },
  });
  gauge('rotavox_ready', text.ready, ({ isReady }) => (isReady ? 1 : 0));
  gauge('rotavox_epoch', text.epoch, ({ epoch }) => epoch ?? null);
  gauge('rotavox_lag_events', text.lag, ({ lag }) => lag ?? null);
  gauge('rotavox_lease_seconds', text.lease, ({ leaseSeconds }) => leaseSeconds);
  gauge('rotavox_terms_total', text.terms, ({ terms }) => terms);
  gauge('rotavox_open_connections', text.connections, ({ openConnections }) => openConnections);
  gauge('rotavox_calls_passed_on', text.passedOn, ({ callsPassedOn }) => callsPassedOn);
  gauge('rotavox_certificate_end_seconds', text.certificateEnd, ({ certificateEnds }) => certificateEnds);
  new Gauge({
    name: 'rotavox_credentials',
    help: text.credentials,
    labelNames: ['state'],
    registers,
    collect() {
      this.reset();
      for (const [state, count] of read().credentials ?? []) this.set({ state }, count);
    },
  });
  return {
    registry,
    requests: new Histogram({
      name: 'rotavox_request_duration_seconds',
      help: text.requests,
      labelNames: ['method', 'route', 'status'],
      buckets: requestSeconds,
      registers,
    }),
    appends: new Histogram({
      name: 'rotavox_append_duration_seconds',
      help: text.appends,
      buckets: appendSeconds,
      registers,
    }),
    batches: new Histogram({
      name: 'rotavox_append_events',
      help: text.batches,
      buckets: batchEvents,
      registers,
    }),
    rotations: new Counter({
      name: 'rotavox_rotations_total',
      help: text.rotations,
      labelNames: ['of'],
      registers,
    }),
  };
}

/** `GET /metrics`, for owners. */
export function addMetricsRoute(app: FastifyInstance, sessions: PortalSessions, metrics: Metrics): void {
  app.route({
    method: 'GET',
    url: metricsPath,
    config: { family: 'portal' },
    onRequest: sessions.guard,
    handler: async (_request, reply) => {
      const { contentType, body } = await metrics.read();
      return reply.header('cache-control', 'no-store').type(contentType).send(body);
    },
  });
}
