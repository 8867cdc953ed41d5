/** What an entry is for. */
export type SharedPlace = 'vault' | 'replay_key' | 'browser';

export interface SharedEntry {
  readonly place: SharedPlace;
  readonly name: string;
  readonly value: string;
}

/**
 * The port to small values that the hosts of a team share. `store` implements it over PostgreSQL.
 *
 * Only the leader writes: `write` and `remove` reject with `StoreUnavailable` once this host does not lead, and when the database
 * refuses or cannot be reached. A `write` that resolved is durable; one that rejected may have been carried out. Of the writes
 * and removals of an entry, the one that was called last counts, in whatever order they arrive. Values that are secret are
 * sealed before they get here.
 */
export interface SharedEntries {
  /** The address of the database without a password. For messages. */
  readonly place: string;
  /** Null when there is no such entry. */
  read(place: SharedPlace, name: string): Promise<string | null>;
  list(place: SharedPlace): Promise<{ readonly name: string; readonly value: string }[]>;
  /** Those of all places, also of places that a newer version of the program has. */
  all(): Promise<SharedEntry[]>;
  /** Stores a value where there is none yet, and returns the one that is there. Every host may, also while none leads. */
  create(place: SharedPlace, name: string, value: string): Promise<string>;
  write(place: SharedPlace, name: string, value: string): Promise<void>;
  remove(place: SharedPlace, name: string): Promise<void>;
  /** Gives entries other values, all of them or none. As the leader, like `write`. */
  replace(entries: readonly SharedEntry[]): Promise<void>;
}

/** The last event of a team's journal that has no mark of a host, and the hash of its line; 0 where all have one. */
export interface SealedFrom {
  readonly seq: number;
  readonly head: string;
}

/** Seals texts with a key that only the hosts have. A text opens only for the name that it was sealed for. */
export interface Sealer {
  seal(text: string, name: string): string;
  /** Null when it was sealed with another key, for another name, or was changed since. */
  open(sealed: string, name: string): string | null;
}

/** The name that the value of an entry outside of the vault is sealed for. */
export function sealedNameOf(place: Exclude<SharedPlace, 'vault'>, name: string): string {
  return place === 'replay_key' ? `replay key ${name}` : name;
}
