import { HandTimer } from '../fakes/hand-timer.ts';
import { noon } from '../fixtures/make-events.ts';
import { type LoopGround, makeLoopGround } from './loop-ground.ts';
import { RefusingLedger } from './refusing-ledger.ts';

/** A ground on which the agent's disk can be full, while the service's is not. */
export async function makeRefusingGround(): Promise<{ ground: LoopGround; ledger: RefusingLedger }> {
  const time = new HandTimer(noon);
  const made: RefusingLedger[] = [];
  const ground = await makeLoopGround({
    time,
    ledgerFor(store) {
      const ledger = new RefusingLedger(store, time.clock);
      made.push(ledger);
      return ledger;
    },
  });
  const [ledger] = made;
  if (ledger === undefined) throw new Error('The ground made no ledger');
  return { ground, ledger };
}
