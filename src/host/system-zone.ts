import type { ZoneOffset } from '../core/rotation/zone-offset.ts';

export type { ZoneOffset };

/** The zone of this machine, also across changes of it. */
export const systemZone: ZoneOffset = (atMs) => -new Date(atMs).getTimezoneOffset();
