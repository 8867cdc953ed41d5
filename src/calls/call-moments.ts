import type { CallMoment } from '../contract/calls/call.ts';
import type { CallHappening } from '../contract/menu/ivr-call.ts';
import { nodeLedTo } from '../core/ivr/flow.ts';
import { unreachable } from '../core/unreachable.ts';

type WithoutTime<M> = M extends CallMoment ? Omit<M, 'at_ms'> : never;
/** A moment without its time. */
export type MomentNow = WithoutTime<CallMoment>;

/** What the record of a call has of a happening; null: nothing yet. */
export function momentOf(happening: CallHappening): MomentNow | null {
  const { menu } = happening;
  switch (happening.kind) {
    case 'entered':
      return { kind: 'entered', menu };
    case 'playing': // noted when it is known whether it can be played
    case 'digits': // noted when the entry is complete
      return null;
    case 'hours':
      return { kind: 'hours', menu, state: happening.state, by: happening.reason.kind };
    case 'waiting':
      return { kind: 'waited', menu, seconds: happening.seconds };
    case 'key':
      return { kind: 'key', menu, key: happening.key, used: happening.used };
    case 'silence':
      return { kind: 'timeout', menu };
    case 'led': {
      const { port, to } = happening;
      const by = port.kind === 'silence' ? 'timeout' : port.kind;
      const where = to.kind === 'destination' ? { destination: to.destination } : { menu: nodeLedTo(to) };
      return { kind: 'led', menu, by, to: where };
    }
    case 'sms':
      return { kind: 'sms', menu, template: happening.template };
    default:
      return unreachable(happening);
  }
}
