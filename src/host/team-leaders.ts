import type { KeyObject } from 'node:crypto';
import { type KnownLeader, type LeaderWatch, readAddress } from '../service/follower/known-leader.ts';
import type { MemberStatus } from '../store/team/member.ts';

interface TeamLeadersParts {
  /** The id of this process. */
  readonly host: string;
  readonly key: KeyObject;
  /** Called when the database names a leader with an address that no host of the cluster has signed. */
  readonly onForeign: (host: string) => void;
}

/** Who leads, from what the database says, as far as a host of the cluster has signed it. */
export class TeamLeaders implements LeaderWatch {
  readonly #parts: TeamLeadersParts;
  readonly #listeners = new Set<() => void>();
  #leader: KnownLeader | null = null;
  #foreign = '';

  constructor(parts: TeamLeadersParts) {
    this.#parts = parts;
  }

  get leader(): KnownLeader | null {
    return this.#leader;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** `isServing`: whether this host answers calls, in case that it leads. */
  look({ leader, epoch }: MemberStatus, isServing: boolean): void {
    const found = leader === null || (leader.host === this.#parts.host && !isServing) ? null : leader;
    const next = found === null ? null : this.#read(found.host, found.address, epoch);
    if (isSame(next, this.#leader)) return;
    this.#leader = next;
    for (const listener of [...this.#listeners]) listener();
  }

  #read(host: string, address: string, epoch: number): KnownLeader | null {
    const place = readAddress(this.#parts.key, host, address);
    if (place !== null) return { ...place, epoch };
    if (this.#foreign !== host) this.#parts.onForeign(host);
    this.#foreign = host;
    return null;
  }
}

function isSame(one: KnownLeader | null, other: KnownLeader | null): boolean {
  return (
    one?.host === other?.host &&
    one?.epoch === other?.epoch &&
    one?.url === other?.url &&
    one?.fingerprint === other?.fingerprint
  );
}
