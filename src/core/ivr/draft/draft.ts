import type { DraftId, IvrDocument, Publication } from '../../../contract/menu/ivr-draft.ts';
import type { ScheduleId } from '../../../contract/menu/schedule.ts';

/** A draft of the designer, in memory. */
export interface Draft {
  readonly id: DraftId;
  /** Counts the saves, from 1. */
  readonly revision: number;
  /** How often it was published completely, at any target. */
  readonly versions: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly document: IvrDocument;
  readonly publications: readonly DraftPublication[];
  /** Opening hours that were created with it. */
  readonly createdSchedules: readonly ScheduleId[];
}

/** What is stored of a draft at one target. */
export interface DraftPublication extends PublishTarget {
  /** The id of each menu there. */
  readonly menus: Readonly<Record<string, string>>;
  /**
   * Only for this service: the version of each menu, by its id, that the draft was made from or has published. Unknown
   * for a draft that was last published before this field existed.
   */
  readonly versions: Readonly<Record<string, number>>;
  /** Menus that were sent and may have arrived, with what was sent. */
  readonly sent: Readonly<Record<string, SentBody>>;
  /** The last version that was published there completely. */
  readonly published: {
    readonly version: number;
    readonly atMs: number;
    /** Of the published document; null for one that was published before it was kept. */
    readonly fingerprint: string | null;
  } | null;
}

export type SentBody = Readonly<Record<string, unknown>>;

/**
 * Where a draft is published: this service itself (`credential` null), or the service of a credential.
 *
 * `isHere`: the menus are in this service's own table. Its address changes with its port, so it is not compared by
 * address.
 */
export interface PublishTarget extends Pick<Publication, 'credential'> {
  readonly baseUrl: string;
  readonly isHere: boolean;
}

/** Whether two targets are the same place with the same credential, so that ids of one are valid for the other. */
export function isSameTarget(one: PublishTarget, other: PublishTarget): boolean {
  if (one.credential !== other.credential || one.isHere !== other.isHere) return false;
  return one.isHere || one.baseUrl === other.baseUrl;
}

/** What is stored of a draft at a target; empty if nothing is known. */
export function publicationAt({ publications }: Draft, target: PublishTarget): DraftPublication {
  return (
    publications.find((one) => isSameTarget(one, target)) ?? {
      ...target,
      menus: {},
      versions: {},
      sent: {},
      published: null,
    }
  );
}
