import type { DraftId, IvrDocument } from '../contract/ivr-draft.ts';
import type { Draft, SentBody } from '../core/ivr/draft/draft.ts';
import { instantMs, isoInstant } from '../core/iso-instant.ts';

/** A draft of the designer as the state file has it. */
export interface DraftRecord {
  id: DraftId;
  revision: number;
  versions: number;
  created_at: string;
  updated_at: string;
  document: IvrDocument;
  publications: PublicationRecord[];
}

interface PublicationRecord {
  credential: string | null;
  base_url: string;
  is_here: boolean;
  menus: Readonly<Record<string, string>>;
  /** Records from before it was kept lack it. */
  versions?: Readonly<Record<string, number>>;
  sent: Readonly<Record<string, SentBody>>;
  published: { version: number; at: string } | null;
}

export function draftRecordOf(draft: Draft): DraftRecord {
  return {
    id: draft.id,
    revision: draft.revision,
    versions: draft.versions,
    created_at: isoInstant(draft.createdAtMs),
    updated_at: isoInstant(draft.updatedAtMs),
    document: draft.document,
    publications: draft.publications.map(
      ({ credential, baseUrl, isHere, menus, versions, sent, published }) => ({
        credential,
        base_url: baseUrl,
        is_here: isHere,
        menus,
        versions,
        sent,
        published: published === null ? null : { version: published.version, at: isoInstant(published.atMs) },
      }),
    ),
  };
}

export function draftOfRecord(record: DraftRecord): Draft {
  return {
    id: record.id,
    revision: record.revision,
    versions: record.versions,
    createdAtMs: instantMs(record.created_at),
    updatedAtMs: instantMs(record.updated_at),
    document: record.document,
    publications: record.publications.map(
      ({ credential, base_url, is_here, menus, versions = {}, sent, published }) => ({
        credential,
        baseUrl: base_url,
        isHere: is_here,
        menus,
        versions,
        sent,
        published: published === null ? null : { version: published.version, atMs: instantMs(published.at) },
      }),
    ),
  };
}
