import { HandTimer } from '../fakes/hand-timer.ts';
import { noon } from '../fixtures/make-events.ts';
import { type LoopSetup, setUpLoop } from './loop-setup.ts';
import { RefusingLedger } from './refusing-ledger.ts';

/** A ground on which the agent's disk can be full, while the service's is not. */
export async function setUpFullDisk(): Promise<{ ground: LoopSetup; ledger: RefusingLedger }> {
  const time = new HandTimer(noon);
  const made: RefusingLedger[] = [];
  const ground = await setUpLoop({
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
