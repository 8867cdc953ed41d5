import { ManualTimer } from '../fakes/manual-timer.ts';
import { noon } from '../fixtures/make-events.ts';
import { type LoopSetup, setUpLoop } from './loop/loop-setup.ts';
import { RefusingLedger } from './refusing-ledger.ts';

/** A setup in which the agent's disk can be full while the service's is not. */
export async function setUpFullDisk(): Promise<{ setup: LoopSetup; ledger: RefusingLedger }> {
  const time = new ManualTimer(noon);
  const made: RefusingLedger[] = [];
  const setup = await setUpLoop({
    time,
    ledgerFor(store) {
      const ledger = new RefusingLedger(store, time.clock);
      made.push(ledger);
      return ledger;
    },
  });
  const [ledger] = made;
  if (ledger === undefined) throw new Error('The setup made no ledger');
  return { setup, ledger };
}
