import type { DraftId, IvrDocument, Publication } from '../../../contract/ivr-draft.ts';

/** A draft of the designer, in memory. */
export interface Draft {
  readonly id: DraftId;
  /** Counts the saves, from 1. */
  readonly revision: number;
  /** How often it was published whole, wherever that was. */
  readonly versions: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly document: IvrDocument;
  readonly publications: readonly DraftPublication[];
}

/** What is stored of a draft at one target. */
export interface DraftPublication extends PublishTarget {
  /** Which id each menu has there. */
  readonly menus: Readonly<Record<string, string>>;
  /**
   * In this service: the version of each menu that the draft was made on or has published, by the menu's id. Of a draft
   * that was last published before this was kept, nothing is known.
   */
  readonly versions: Readonly<Record<string, number>>;
  /** Menus that were sent and of which it is not known whether they arrived, with what was sent. */
  readonly sent: Readonly<Record<string, SentBody>>;
  /** The last version that got there whole. */
  readonly published: { readonly version: number; readonly atMs: number } | null;
}

export type SentBody = Readonly<Record<string, unknown>>;

/**
 * Where a draft is published: this service itself (`credential` null), or the service of a credential.
 *
 * `isHere` says that the menus are in this service's own table. Its address changes with its port, so there it does not tell
 * one target from another.
 */
export interface PublishTarget extends Pick<Publication, 'credential'> {
  readonly baseUrl: string;
  readonly isHere: boolean;
}

/** Whether two targets are the same place under the same credential: ids of the one mean the same at the other. */
export function isSameTarget(one: PublishTarget, other: PublishTarget): boolean {
  if (one.credential !== other.credential || one.isHere !== other.isHere) return false;
  return one.isHere || one.baseUrl === other.baseUrl;
}

/** What is stored of a draft at a target; nothing was, when nothing is known of it. */
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
