import pLimit, { type LimitFunction } from 'p-limit';

/** A service that hangs can hold this many of its own rotations up, and nobody else's. */
const atOncePerService = 8;
/** To all other services together. The embedded one is apart: it works while there is no network and they all hang. */
const remoteAtOnce = 64;

/** How many rotations run at the same time; the others wait for their turn. */
export class RotationLimits {
  readonly #limitOfService = new Map<string, LimitFunction>();
  readonly #limitRemote = pLimit(remoteAtOnce);

  /** Runs a rotation at a service when it is its turn. Null: the embedded service. */
  run(baseUrl: string | null, rotate: () => Promise<void>): Promise<void> {
    const limitService = this.#limitOf(baseUrl);
    return limitService(() => (baseUrl === null ? rotate() : this.#limitRemote(rotate)));
  }

  #limitOf(baseUrl: string | null): LimitFunction {
    const service = baseUrl === null ? '' : new URL(baseUrl).origin;
    const known = this.#limitOfService.get(service);
    if (known !== undefined) return known;
    const limit = pLimit(atOncePerService);
    this.#limitOfService.set(service, limit);
    return limit;
  }
}
