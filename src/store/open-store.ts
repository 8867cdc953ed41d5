/**
 * Durable state. lowdb holds the state (`state.json`); every change is first written as a line in the journal
 * (`journal/*.jsonl`), synced before any reply.
 *
 * Nothing here knows HTTP or decides anything: `core` decides. Start reading here, then `store.ts` (the running store),
 * `segment.ts` (bytes on disk), `journal-line.ts` (one event).
 */
import { accessSync, constants, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Low } from 'lowdb';
import type { StoreRepair, TornWrite } from '../contract/service/store-problem.ts';
import { applyEvent } from '../core/apply-event.ts';
import type { Clock } from '../core/ledger.ts';
import { type Checkpoint, CheckpointFile, CheckpointUnreadable, emptyCheckpoint } from './checkpoint-file.ts';
import { privateFolder } from './durable-file.ts';
import { makePrivateFolder } from './private-folder.ts';
import {
  FileJournal,
  JournalEnd,
  journalEndFile,
  type JournalExtent,
  readJournalEnd,
} from './file-journal.ts';
import { currentFormat } from './formats.ts';
import { HistoryIndex } from './history-index.ts';
import { genesis } from './journal-line.ts';
import {
  assertSealedIntact,
  cutTornTail,
  forEachSubject,
  lastHashOf,
  readEvents,
  readSegment,
  type SegmentContent,
} from './journal-reader.ts';
import { listSegments, OpenSegment, type SealedSegment, segmentFile } from './segment.ts';
import { type CheckpointPolicy, defaultCheckpointPolicy, Store, type StoreTrouble } from './store.ts';
import { damaged, StoreError, systemCodeOf, unusable } from './store-error.ts';
import { replacePathSync } from '../system/replace-path.ts';

/** When the state is written, and how large a segment of the journal becomes. */
export interface FilePolicy extends CheckpointPolicy {
  /** A segment is sealed at this size at the latest, in bytes. */
  readonly maxSegmentBytes: number;
}

const defaultMaxSegmentBytes = 64 * 1024 * 1024;

export interface StoreOptions {
  /** The data folder; created if it does not exist. */
  readonly folder: string;
  readonly clock?: Clock;
  readonly policy?: Partial<FilePolicy>;
  /** Called when the disk starts to refuse changes. */
  readonly onTrouble?: (trouble: StoreTrouble) => void;
  /** The message of the event that records an interrupted write, for programs that read the journal. Default: none. */
  readonly explain?: (torn: TornWrite) => string;
  /** Throws `StoreUnavailable` once this process no longer holds the folder. Default: the folder is not shared. */
  readonly assertHeld?: () => void;
}

export interface OpenedStore {
  readonly store: Store;
  /** The files of its journal as they are now. */
  readonly journalExtent: () => JournalExtent;
  /** What was repaired. */
  readonly repairs: readonly StoreRepair[];
}

/**
 * Opens the store of a data folder, or creates one.
 *
 * A torn last write is cut off and reported; an unreadable state file is rebuilt from the journal and reported; a
 * damaged journal or a newer format throws `StoreError` and leaves the folder as it was.
 */
export async function openStore(options: StoreOptions): Promise<OpenedStore> {
  try {
    return await openFolder(options);
  } catch (error) {
    const code = systemCodeOf(error);
    if (error instanceof StoreError || code === 'UNKNOWN') throw error;
    throw unusable(options.folder, error);
  }
}

async function openFolder(options: StoreOptions): Promise<OpenedStore> {
  const clock = options.clock ?? Date.now;
  const journalFolder = join(options.folder, 'journal');
  prepareFolders(options.folder, journalFolder);
  const repairs: StoreRepair[] = [];

  const statePath = join(options.folder, 'state.json');
  const db = new Low<Checkpoint>(new CheckpointFile(statePath), emptyCheckpoint());
  let unreadable: CheckpointUnreadable | null = null;
  try {
    await db.read();
  } catch (error) {
    if (!(error instanceof CheckpointUnreadable)) throw error;
    unreadable = error;
    db.data = emptyCheckpoint();
  }

  const recordedSeq = readJournalEnd(journalFolder);
  const replay = replayJournal(journalFolder, db.data, { statePath, recordedSeq: recordedSeq ?? 0 });
  const end = new JournalEnd(journalFolder, recordedSeq ?? 0);
  end.record(replay.index.lastSeq);
  if (recordedSeq === null) repairs.push({ kind: 'journal_end_rewritten' });
  if (unreadable !== null) {
    const kept = `${statePath}.unreadable-${new Date(clock()).toISOString().replaceAll(':', '')}`;
    replacePathSync(statePath, kept);
    repairs.push({
      kind: 'state_rebuilt',
      fault: unreadable.fault,
      last_seq: replay.index.lastSeq,
      kept_as: basename(kept),
    });
  }

  const { maxSegmentBytes = defaultMaxSegmentBytes, ...policy } = options.policy ?? {};
  const { segment, index, head } = replay;
  const assertHeld = options.assertHeld ?? (() => undefined);
  const journal = new FileJournal({ segment, end, index, clock, maxSegmentBytes, assertHeld });
  const store = new Store(
    { journal, db, head },
    {
      clock,
      policy: { ...defaultCheckpointPolicy, ...policy },
      onTrouble: options.onTrouble ?? (() => undefined),
    },
  );
  if (replay.tornTail !== null) {
    await recordTornTail(store, replay.tornTail, options.explain?.(replay.tornTail) ?? '');
    repairs.push({ kind: 'torn_write', ...replay.tornTail });
  }
  return { store, journalExtent: () => journal.extent, repairs };
}

function prepareFolders(folder: string, journalFolder: string): void {
  try {
    makePrivateFolder(folder);
    mkdirSync(journalFolder, { recursive: true, mode: privateFolder });
    accessSync(journalFolder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw unusable(folder, cause);
  }
}

interface Replay {
  readonly index: HistoryIndex;
  readonly segment: OpenSegment;
  readonly head: string;
  readonly tornTail: TornWrite | null;
}

/** The segment to continue, with the length of its intact part. */
interface LastSegment {
  readonly content: SegmentContent;
  readonly wholeBytes: number;
}

/** What shows how far it went, apart from the journal. */
interface Witnesses {
  readonly statePath: string;
  readonly recordedSeq: number;
}

/** Replays the journal from the checkpoint to its end, checking all of it on the way. */
function replayJournal(folder: string, checkpoint: Checkpoint, witnesses: Witnesses): Replay {
  const index = new HistoryIndex();
  const names = namesInOrder(folder, checkpoint);
  const known = new Map(checkpoint.segments.map((sealed) => [sealed.file, sealed]));
  const sealedNow: SealedSegment[] = [];
  let head = genesis;
  let last: LastSegment | null = null;
  for (const name of names) {
    const isLast = name === names.at(-1);
    const content = readSegment(join(folder, name));
    if (content === null) {
      if (!isLast) throw damaged(join(folder, name), 1, { kind: 'file_empty' });
      rmSync(join(folder, name));
      break;
    }
    const { header, path, bytes } = content;
    if (header.first_seq !== index.lastSeq + 1 || header.prev !== head) {
      throw damaged(path, 1, { kind: 'segment_missing', after_seq: index.lastSeq });
    }
    index.beginSegment(path, header.first_seq, content.firstEventOffset);
    const sealed = known.get(name);
    if (sealed !== undefined) {
      assertSealedIntact(content, sealed);
      forEachSubject(content, (subject, length) => {
        index.add(subject, length);
      });
      head = lastHashOf(content);
      last = { content, wholeBytes: bytes.length };
      sealedNow.push(sealed);
      continue;
    }
    const read = readEvents(
      content,
      { prev: head, seq: index.lastSeq, isLast },
      (event, eventHead, length) => {
        if (event.seq > checkpoint.seq) {
          applyEvent(checkpoint.state, event);
          checkpoint.state.undo.forget();
        } else if (event.seq === checkpoint.seq && eventHead !== checkpoint.head) {
          throw damaged(path, event.seq - header.first_seq + 2, { kind: 'state_differs' });
        }
        index.add(event.subject, length);
      },
    );
    head = read.head;
    last = { content, wholeBytes: read.wholeBytes };
    if (!isLast) {
      sealedNow.push({
        file: name,
        first_seq: header.first_seq,
        last_seq: read.seq,
        bytes: bytes.length,
        crc32: crc32(bytes),
      });
    }
  }
  assertReachesEnd(folder, { lastSeq: index.lastSeq, last, checkpoint, witnesses });
  checkpoint.segments = sealedNow;
  const tornTail =
    last !== null && last.wholeBytes < last.content.bytes.length
      ? cutTornTail(last.content, last.wholeBytes)
      : null;
  return { index, segment: openLast(folder, { index, last, head, checkpoint }), head, tornTail };
}

/** A journal that was cut at the end of a line looks complete; only other files show that it went on. */
function assertReachesEnd(
  folder: string,
  found: {
    readonly lastSeq: number;
    readonly last: LastSegment | null;
    readonly checkpoint: Checkpoint;
    readonly witnesses: Witnesses;
  },
): void {
  const { lastSeq, last, checkpoint, witnesses } = found;
  const known = [
    { file: witnesses.statePath, seq: checkpoint.seq },
    { file: journalEndFile(folder), seq: witnesses.recordedSeq },
  ].filter(({ seq }) => seq > lastSeq);
  if (known.length === 0) return;
  const { path = join(folder, segmentFile(1)), header } = last?.content ?? {};
  throw damaged(path, header === undefined ? 1 : lastSeq - header.first_seq + 3, {
    kind: 'end_missing',
    from_seq: lastSeq + 1,
    to_seq: Math.max(...known.map(({ seq }) => seq)),
    known_by: known.map(({ file }) => file),
  });
}

/** The journal's files, oldest first: none may be missing between them, and everything in the checkpoint must exist. */
function namesInOrder(folder: string, checkpoint: Checkpoint): string[] {
  const names = listSegments(folder);
  const expected = Math.max(names.length, checkpoint.segments.length);
  for (let place = 0; place < expected; place += 1) {
    const name = segmentFile(place + 1);
    if (names[place] !== name) throw damaged(join(folder, name), 1, { kind: 'file_missing' });
  }
  return names;
}

/** Continues the last segment, or begins the first; a segment of an older format is left unchanged and a new one begun. */
function openLast(
  folder: string,
  replayed: {
    readonly index: HistoryIndex;
    readonly last: LastSegment | null;
    readonly head: string;
    readonly checkpoint: Checkpoint;
  },
): OpenSegment {
  const { index, last, head, checkpoint } = replayed;
  let number = 1;
  if (last !== null) {
    const { content, wholeBytes } = last;
    const segment = OpenSegment.reopen(content.path, {
      firstSeq: content.header.first_seq,
      bytes: wholeBytes,
      crc: crc32(content.bytes.subarray(0, wholeBytes)),
    });
    if (content.header.format === currentFormat) return segment;
    const sealed = segment.seal(index.lastSeq);
    checkpoint.segments = [
      ...checkpoint.segments.filter(({ file }) => file !== sealed.file),
      ...(sealed.last_seq < sealed.first_seq ? [] : [sealed]),
    ];
    number = segment.number + 1;
  }
  const segment = OpenSegment.create(folder, {
    format: currentFormat,
    segment: number,
    first_seq: index.lastSeq + 1,
    prev: head,
  });
  index.beginSegment(segment.path, segment.firstSeq, segment.bytes);
  return segment;
}

async function recordTornTail(store: Store, torn: TornWrite, explanation: string): Promise<void> {
  await store.transact(() => ({
    events: [
      {
        kind: 'journal.repaired',
        subject: 'journal',
        actor: { kind: 'system' },
        data: { ...torn, explanation },
      },
    ],
    value: undefined,
  }));
}
