import type { ScenarioInput } from '../../../../src/contract/menu/ivr-draft.ts';

/** What a caller does, and when: while the next prompt plays, or once a menu waits. */
export interface Deed {
  readonly input: ScenarioInput;
  readonly during: 'prompt' | 'wait';
}

/** A caller who acts step by step. A timeout happens only while a menu waits. */
export class Caller {
  readonly #deeds: Deed[];

  constructor(deeds: readonly Deed[]) {
    this.#deeds = [...deeds];
  }

  /** The key that is pressed while a prompt plays, or null when it is heard to its end. */
  hears(): string | null {
    const next = this.#deeds[0];
    if (next === undefined || next.during === 'wait' || next.input === '-') return null;
    this.#deeds.shift();
    return next.input;
  }

  /** What is done while a menu waits; null: nothing more, the caller is left waiting. */
  waits(): string | null {
    return this.#deeds.shift()?.input ?? null;
  }
}

/** What a call was like, in the words of a telephone system: files and names, not recordings and menus. */
export interface CallReport {
  readonly heard: readonly Heard[];
  readonly end:
    | { readonly kind: 'waiting'; readonly menu: string }
    /** Where the call was led, and the application that took it. */
    | { readonly kind: 'left'; readonly place: string; readonly application: string };
}

export type Heard = { readonly plays: string } | { readonly waitsMs: number };
