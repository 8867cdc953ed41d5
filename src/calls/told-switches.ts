import type { Schedule, ScheduleId } from '../contract/menu/schedule.ts';
import { switchFunction, switchValue } from '../core/ivr/export/dialplan-hours.ts';

/** Sets a function or a global variable of a telephone system. */
export type SetGlobal = (name: string, value: string) => Promise<void>;

/**
 * What a telephone system has been told of the switches of schedules. Its exported menus read it, so that callers meet what a person set
 * by hand also while this program is not there.
 */
export class ToldSwitches {
  readonly #schedules: () => Iterable<Schedule>;
  readonly #told = new Map<ScheduleId, string>();
  #set: SetGlobal | null = null;
  #isBusy = false;

  constructor(schedules: () => Iterable<Schedule>) {
    this.#schedules = schedules;
  }

  /** A new connection: everything is told again, because the telephone system may be another one or may have lost it. Null: none. */
  connected(set: SetGlobal | null): void {
    this.#told.clear();
    this.#set = set;
  }

  /** Tells what differs, each once. Rejects with the first refusal; what was refused is told by the next call. */
  async tell(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    const failures = new Map<ScheduleId, unknown>();
    try {
      // What changes meanwhile is found by another turn.
      for (
        let next = this.#next(failures);
        next !== null && this.#set !== null;
        next = this.#next(failures)
      ) {
        const [id, value] = next;
        const set = this.#set;
        try {
          await set(switchFunction(id), value);
          if (set === this.#set) this.#told.set(id, value);
        } catch (error) {
          failures.set(id, error);
        }
      }
    } finally {
      this.#isBusy = false;
    }
    for (const error of failures.values()) throw error;
  }

  /** What differs from what was told, but for what was refused just now. Deleted schedules are taken back. */
  #next(refused: ReadonlyMap<ScheduleId, unknown>): readonly [ScheduleId, string] | null {
    const values = new Map(Array.from(this.#told.keys(), (id) => [id, '']));
    for (const one of this.#schedules()) values.set(one.id, switchValue(one.switch));
    const differs = ([id, value]: readonly [ScheduleId, string]): boolean =>
      this.#told.get(id) !== value && !refused.has(id);
    return [...values].find(differs) ?? null;
  }
}
