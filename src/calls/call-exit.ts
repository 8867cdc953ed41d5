import type { CallEnd, CallFailure } from '../contract/calls/call.ts';
import type { NodeId } from '../contract/menu/ivr-draft.ts';
import type { DialplanPlace, NoRoute, Route } from '../core/ivr/destination-route.ts';
import { unreachable } from '../core/unreachable.ts';
import { AriError, type AriPort } from './ari-port.ts';

export interface ExitParts {
  readonly ari: () => AriPort;
  readonly channel: string;
  /** Whether the dialplan handed the call over. A phone that we rang has no dialplan to go back to. */
  readonly hasDialplan: boolean;
  /** By the rules of the telephone system and the settings, as they are now. */
  readonly routeTo: (destination: string) => Route;
  /** One more call to an outside number; false: no more are allowed in this hour. */
  readonly countOutside: (channel: string) => Promise<boolean>;
  readonly stopPlaying: () => Promise<void>;
  /** The dialplan gets the time limit of the channel back. */
  readonly takeBackLease: () => Promise<void>;
  readonly end: (end: CallEnd) => void;
}

/** How a call leaves the menus: to a destination, to the fallback of its dialplan, or by a hang-up. */
export class CallExit {
  readonly #parts: ExitParts;
  /** Whatever Asterisk tells after that is the end of it. Null: the call stays. */
  #leaving: CallEnd | null = null;

  constructor(parts: ExitParts) {
    this.#parts = parts;
  }

  get isLeaving(): boolean {
    return this.#leaving !== null;
  }

  /** A new connection: it leaves again, or goes on. */
  stay(): void {
    this.#leaving = null;
  }

  async to(destination: string): Promise<void> {
    const ari = this.#parts.ari();
    const { channel } = this.#parts;
    await this.#parts.stopPlaying();
    const to = this.#parts.routeTo(destination);
    const end: CallEnd = { kind: 'destination', destination };
    switch (to.kind) {
      case 'hang_up':
        this.#leaving = end;
        await ari.hangUp(channel);
        this.#parts.end(end);
        return;
      case 'dialplan':
      case 'outside': {
        const exists = await ari.readVariable(channel, `DIALPLAN_EXISTS(${to.context},${to.extension},1)`);
        // Null: this Asterisk cannot tell (no func_dialplan).
        if (exists === '0') {
          await this.toFallback('no_such_place');
          return;
        }
        if (to.kind === 'outside' && !(await this.#parts.countOutside(channel))) {
          await this.toFallback('outside_limit');
          return;
        }
        await this.#parts.takeBackLease();
        await this.#continue(to, end);
        return;
      }
      case 'other_menu':
        await this.toFallback('no_such_menu');
        return;
      case 'none':
        await this.toFallback(isForbidden(to.why) ? 'outside_not_allowed' : 'no_such_place');
        return;
      default:
        unreachable(to);
    }
  }

  async toFallback(reason: CallFailure): Promise<void> {
    const end: CallEnd = { kind: 'failed', reason };
    // Also when the way there is lost: no menu goes on after this.
    this.#leaving = end;
    if (this.#parts.hasDialplan) {
      await this.#parts.stopPlaying();
      await this.#parts.takeBackLease();
      await this.#continue(null, end);
      return;
    }
    await this.#parts.ari().hangUp(this.#parts.channel);
    this.#parts.end(end);
  }

  /** The channel has left: by our request, by the caller, or because the fallback took it. */
  async find(menu: NodeId, isHungUp: boolean): Promise<void> {
    if (this.#leaving !== null) {
      this.#parts.end(this.#leaving);
      return;
    }
    const isThere = !isHungUp && (await this.#isThere());
    this.#parts.end(isThere ? { kind: 'failed', reason: 'fallback' } : { kind: 'hung_up', menu });
  }

  async #isThere(): Promise<boolean> {
    try {
      return await this.#parts.ari().exists(this.#parts.channel);
    } catch (error) {
      if (error instanceof AriError) return false;
      throw error;
    }
  }

  async #continue(place: DialplanPlace | null, end: CallEnd): Promise<void> {
    this.#leaving = end;
    await this.#parts.ari().continueAt(this.#parts.channel, place);
    this.#parts.end(end);
  }
}

/** Whether a place is there, but may not be called. */
function isForbidden({ code }: NoRoute): boolean {
  return code === 'no_countries' || code === 'other_country' || code === 'costly_number';
}
