import type { DraftId, IvrDocument } from '../contract/menu/ivr-draft.ts';
import type { ScheduleId } from '../contract/menu/schedule.ts';
import { instantMs, isoInstant } from '../core/iso-instant.ts';
import type { Draft, DraftPublication, SentBody } from '../core/ivr/draft/draft.ts';

/** A draft of the designer in the state file. */
interface DraftRecord {
  id: DraftId;
  revision: number;
  versions: number;
  created_at: string;
  updated_at: string;
  document: IvrDocument;
  publications: PublicationRecord[];
  /** Left out if there are none. */
  created_schedules?: readonly ScheduleId[];
}

interface PublicationRecord {
  credential: string | null;
  base_url: string;
  is_here: boolean;
  menus: Readonly<Record<string, string>>;
  /** Older records do not have it. */
  versions?: Readonly<Record<string, number>>;
  sent: Readonly<Record<string, SentBody>>;
  /** Records from before fingerprints were kept lack them. */
  published: { version: number; at: string; fingerprint?: string | null } | null;
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
        published: published === null ? null : publishedRecordOf(published),
      }),
    ),
    ...(draft.createdSchedules.length === 0 ? {} : { created_schedules: draft.createdSchedules }),
  };
}

function publishedRecordOf({ version, atMs, fingerprint }: NonNullable<DraftPublication['published']>) {
  return { version, at: isoInstant(atMs), fingerprint };
}

export function draftOfRecord(record: DraftRecord): Draft {
  return {
    id: record.id,
    revision: record.revision,
    versions: record.versions,
    createdAtMs: instantMs(record.created_at),
    updatedAtMs: instantMs(record.updated_at),
    document: record.document,
    createdSchedules: record.created_schedules ?? [],
    publications: record.publications.map(
      ({ credential, base_url, is_here, menus, versions = {}, sent, published }) => ({
        credential,
        baseUrl: base_url,
        isHere: is_here,
        menus,
        versions,
        sent,
        published:
          published === null
            ? null
            : {
                version: published.version,
                atMs: instantMs(published.at),
                fingerprint: published.fingerprint ?? null,
              },
      }),
    ),
  };
}
