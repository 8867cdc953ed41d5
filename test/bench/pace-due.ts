/**
 * `pace-due.ts FOLDER`: rotates a thousand credentials of six services that are due at once, each within the limit of its
 * service, and prints for each service how long that took and how often the limit was met.
 *
 * Time is simulated, so that minutes of waiting take seconds; the calls, the store and the agent are real.
 */
import { type Kind, mixed, openThousandDue } from '../fixtures/thousand-due.ts';

const [folder = ''] = process.argv.slice(2);
const due = await openThousandDue(folder, 20_000);
const startedAt = performance.now();
due.agent.start();
await due.untilRotated(30 * 60_000);
const realMs = performance.now() - startedAt;
const kinds = Object.keys(mixed) as Kind[];
const rows = kinds.map((kind) => {
  const { calls, breaches, limit } = due.services[kind];
  // What its limit needs for the calls after the first window.
  const leastMs =
    limit === null ? null : ((calls.length - breaches.length) / limit.calls - 1) * limit.perSeconds * 1000;
  const { count } = mixed[kind];
  return { kind, count, calls: calls.length, breaches: breaches.length, tookMs: due.tookMs(kind), leastMs };
});
await due.close();
console.log(JSON.stringify({ realMs, rows }));
