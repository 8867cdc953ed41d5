import type { CredentialId, TargetId } from '../../contract/credential/credential.ts';
import type { RotationStep } from '../../contract/credential/credential-checks.ts';
import { isoInstant } from '../../core/iso-instant.ts';
import { type Clock, StoreUnavailable } from '../../core/ledger.ts';
import type { AgentText } from '../agent-text.ts';

/** The subject of a step: a rotation, or with a target the delivery to it. */
export interface StepOf {
  readonly id: CredentialId;
  readonly name: string;
  readonly targetId?: TargetId;
}

/**
 * Reports the steps of rotations and deliveries to its listeners, while they happen.
 *
 * Nothing is stored. An exception of a listener is reported and does not stop the work.
 */
export class RotationProgress {
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  readonly #text: Pick<AgentText, 'rotationTrouble'>;
  readonly #listeners = new Set<(step: RotationStep) => void>();

  constructor(clock: Clock, onFailure: (error: unknown) => void, text: Pick<AgentText, 'rotationTrouble'>) {
    this.#text = text;
    this.#clock = clock;
    this.#onFailure = onFailure;
  }

  /** Returns how to unsubscribe. */
  listen(listener: (step: RotationStep) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  tell({ id, name, targetId }: StepOf, step: RotationStep['step'], message: string | null = null): void {
    if (this.#listeners.size === 0) return;
    const told: RotationStep = {
      credential_id: id,
      name,
      step,
      target_id: targetId ?? null,
      message,
      at: isoInstant(this.#clock()),
    };
    for (const listener of this.#listeners) {
      try {
        listener(told);
      } catch (error) {
        this.#onFailure(error);
      }
    }
  }

  /** Reports the end of a piece of work, which returns why it failed, or null; also after an exception. */
  async tellEnd(of: StepOf, work: () => Promise<string | null>): Promise<void> {
    let message: string | null = this.#text.rotationTrouble({ code: 'internal' });
    try {
      message = await work();
    } catch (error) {
      if (error instanceof StoreUnavailable) message = error.message;
      throw error;
    } finally {
      this.tell(of, message === null ? 'done' : 'failed', message);
    }
  }
}
