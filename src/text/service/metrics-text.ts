/** What the metrics for Prometheus measure: the help of each. */
export const metricsText = {
  role: 'What this host does: 1 for its role.',
  ready: '1 while this host can answer calls or pass them on.',
  epoch: 'The epoch of the team, raised by each takeover.',
  lag: 'Events that this host has not replayed yet.',
  lease: 'How long this host may lead without another renewal.',
  terms: 'How many times this process has become the leader.',
  connections: 'Open connections of callers.',
  passedOn: 'Calls that are with the leader now.',
  certificateEnd: 'When the TLS certificate ends, in seconds since 1970.',
  credentials: 'Credentials by state.',
  requests: 'How long requests took, by route and status.',
  appends: 'How long it took to make a batch of events durable.',
  batches: 'Events of a batch.',
  rotations: 'Rotations of tokens that were issued here, and of credentials.',
} as const;
