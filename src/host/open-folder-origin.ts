import { createHmac, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { MoveConfirmation, type MovedFrom } from '../contract/service/moved-from.ts';
import type { FolderOrigin } from '../core/folder-origin.ts';
import { isoInstant } from '../core/iso-instant.ts';
import type { Clock } from '../core/ledger.ts';
import { done, refused, type Result } from '../core/result.ts';
import { replaceFileSync } from '../store/durable-file.ts';
import { systemCodeOf } from '../store/store-error.ts';
import { confirmMoveText, machineFileText, movedDataText } from '../text/service/moved-data.ts';
import { type FolderLock, holderOf, lockFolder } from './folder-lock.ts';
import { HostError } from './host-error.ts';
import { type Machine, type MachineId, readMachine } from './machine-id.ts';

/** The name of the file in a data folder that says where it belongs. */
const machineFileName = 'machine.json';

const format = 1;

/** Format 1 of `machine.json`: which folder on which machine these data are. Nothing in it is secret. */
const MachineFile = z.strictObject({
  format: z.literal(format),
  /** Of the folder. A copy has the same until somebody confirms that it is used instead. */
  id: z.uuid(),
  /** The host name, for people. It decides nothing: a container has another one at each start. */
  name: z.string(),
  /** The machine, hashed so that nobody recognises it by this; null where it has no id. */
  machine: z.string().nullable(),
  folder: z.string(),
  /** What somebody has confirmed, until it is in the history. */
  confirmed: MoveConfirmation.optional(),
});
type MachineFile = z.infer<typeof MachineFile>;

export interface OriginParts {
  readonly machine: Machine;
  readonly lock: Pick<FolderLock, 'assertHeld'>;
  readonly say: (message: string) => void;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
}

/**
 * Reads where a locked data folder comes from.
 *
 * The record is made where there is none, and follows a folder that was moved. While the data may also be in use elsewhere it stays as
 * it is, so that each start asks again. It never throws: a file that cannot be read or written is said.
 */
// see decisions/moved-data.md
export function openFolderOrigin(dataDir: string, parts: OriginParts): FolderOrigin {
  return new RecordedOrigin(dataDir, parts);
}

/**
 * For what moves the tokens or the journal of a locked folder to another place: throws `HostError` while the data may also be in use
 * elsewhere. On the same machine a copy shares the keychain with the first folder.
 */
export async function assertUsedHere(
  dataDir: string,
  { lock, say }: Omit<OriginParts, 'machine'>,
): Promise<void> {
  const from = openFolderOrigin(dataDir, { machine: await readMachine(), lock, say }).movedFrom();
  if (from !== null) throw new HostError('DATA_DIR_UNUSABLE', movedDataText.line(from));
}

/**
 * The record of a backup, for the folder that is restored.
 *
 * Where it takes the place of the same data, they stay where they were. Otherwise one of a machine without an id fits no machine any
 * more: whether this is the same one cannot be told, so somebody is asked.
 */
export function restoredOrigin(content: string, dataDir: string): string {
  const found = parseMachineFile(content);
  if (found === 'unreadable') return content;
  const before = readMachineFile(join(dataDir, machineFileName));
  if (before !== null && before !== 'unreadable' && before.id === found.id)
    return `${JSON.stringify(before)}\n`;
  if (found.machine !== null) return content;
  return `${JSON.stringify({ ...found, machine: 'restored' } satisfies MachineFile)}\n`;
}

interface KeptOfFile {
  /** What to keep of a machine that cannot be read now. */
  readonly known?: string | null;
  readonly confirmed?: MoveConfirmation;
}

class RecordedOrigin implements FolderOrigin {
  readonly #path: string;
  readonly #folder: string;
  readonly #parts: OriginParts;
  readonly #listeners = new Set<() => void>();
  #movedFrom: MovedFrom | null;
  #unrecorded: MoveConfirmation | null = null;

  constructor(dataDir: string, parts: OriginParts) {
    this.#path = join(dataDir, machineFileName);
    this.#folder = realpathSync.native(dataDir);
    this.#parts = parts;
    this.#movedFrom = this.#look();
  }

  movedFrom(): MovedFrom | null {
    return this.#movedFrom;
  }

  confirm(): Result<MovedFrom | null, string> {
    const from = this.#movedFrom;
    if (from === null) return done(null);
    // On the same machine it can be seen whether that is true.
    const pid = from.reason === 'copy' && from.folder !== null ? holderOf(from.folder) : null;
    if (pid !== null) return refused(machineFileText.runsThere(from.folder ?? '', pid));
    const now = (this.#parts.clock ?? Date.now)();
    const confirmed = { from, confirmed_at: isoInstant(now) };
    const refusal = this.#write(randomUUID(), { confirmed });
    // Only what is on disk counts: after a power loss the next start must not ask again, nor rotate before it was confirmed.
    if (refusal !== null) return refused(refusal);
    this.#movedFrom = null;
    this.#unrecorded = confirmed;
    for (const listener of [...this.#listeners]) listener();
    return done(from);
  }

  unrecorded(): MoveConfirmation | null {
    return this.#unrecorded;
  }

  noteRecorded(): void {
    const found = readMachineFile(this.#path);
    if (found === null || found === 'unreadable' || this.#unrecorded === null) return;
    this.#unrecorded = null;
    this.#writeOrSay(found.id, { known: found.machine });
  }

  onConfirmed(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #look(): MovedFrom | null {
    const found = readMachineFile(this.#path);
    if (found === 'unreadable') {
      this.#parts.say(machineFileText.unreadable(this.#path));
      return { reason: 'unreadable', name: null, folder: null };
    }
    if (found === null) {
      // A new folder, or one of a version without this file.
      this.#writeOrSay(randomUUID());
      return null;
    }
    const { machine } = this.#parts;
    const { id, name, folder } = found;
    if (isOther(found, machine.id)) return { reason: 'other_machine', name, folder };
    if (folder !== this.#folder && isStillThere(found, this.#folder))
      return { reason: 'copy', name: null, folder };
    const isUpToDate =
      folder === this.#folder &&
      (machine.id.kind !== 'known' || (found.machine !== null && name === machine.name));
    const { confirmed } = found;
    if (!isUpToDate)
      this.#writeOrSay(id, { known: found.machine, ...(confirmed === undefined ? {} : { confirmed }) });
    this.#unrecorded = confirmed ?? null;
    return null;
  }

  #writeOrSay(id: string, more: KeptOfFile = {}): void {
    const refusal = this.#write(id, more);
    if (refusal !== null) this.#parts.say(refusal);
  }

  /** Why it could not be written; null when it is on disk. */
  #write(id: string, { known = null, confirmed }: KeptOfFile = {}): string | null {
    const { machine, lock } = this.#parts;
    const file: MachineFile = {
      format,
      id,
      name: machine.name,
      machine: machine.id.kind === 'unknown' ? known : hashOf(machine.id, id),
      folder: this.#folder,
      ...(confirmed === undefined ? {} : { confirmed }),
    };
    lock.assertHeld();
    try {
      replaceFileSync(this.#path, `${JSON.stringify(file)}\n`);
      return null;
    } catch (error) {
      return machineFileText.refused(this.#path, systemCodeOf(error));
    }
  }
}

function readMachineFile(path: string): MachineFile | 'unreadable' | null {
  try {
    return parseMachineFile(readFileSync(path, 'utf8'));
  } catch (error) {
    return systemCodeOf(error) === 'ENOENT' || systemCodeOf(error) === 'ENOTDIR' ? null : 'unreadable';
  }
}

function parseMachineFile(content: string): MachineFile | 'unreadable' {
  try {
    const found = MachineFile.safeParse(JSON.parse(content));
    return found.success ? found.data : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

/** Whether it was on another machine. Where its machine had no id, or this one cannot tell its own now, that is not known. */
function isOther({ machine, id }: MachineFile, here: MachineId): boolean {
  return machine !== null && here.kind !== 'unknown' && hashOf(here, id) !== machine;
}

/** Not the id itself, so that a reader of the file cannot recognise the machine elsewhere (machine-id(5)). */
function hashOf(machine: MachineId, folderId: string): string | null {
  if (machine.kind !== 'known') return null;
  return createHmac('sha256', machine.id).update(`rotavox ${folderId}`).digest('hex');
}

/** Whether the folder that is recorded is there as well: then this one is its copy. One that cannot be looked into may be. */
function isStillThere({ id, folder }: MachineFile, here: string): boolean {
  try {
    const [there, mine] = [statSync(folder, { bigint: true }), statSync(here, { bigint: true })];
    // Another name of the same folder: a link, or a second mount.
    if (there.dev === mine.dev && there.ino === mine.ino) return false;
  } catch (error) {
    return systemCodeOf(error) !== 'ENOENT' && systemCodeOf(error) !== 'ENOTDIR';
  }
  const found = readMachineFile(join(folder, machineFileName));
  return found === 'unreadable' || found?.id === id;
}

export interface FolderConfirmation {
  readonly dataDir: string;
  /** Called with what waits; throws where the person does not agree. */
  readonly agree: (from: MovedFrom) => Promise<void>;
  readonly say: (message: string) => void;
  /** Default: as the system says. */
  readonly machine?: Machine;
}

/**
 * Confirms that the data of a folder that no host uses are used here, and holds its lock until that is done. It returns what was confirmed, null
 * where nothing waited. Throws `HostError`.
 */
export async function confirmInFolder({
  dataDir,
  agree,
  say,
  machine,
}: FolderConfirmation): Promise<MovedFrom | null> {
  if (!existsSync(dataDir)) throw new HostError('DATA_DIR_UNUSABLE', confirmMoveText.noFolder(dataDir));
  const lock = lockFolder(dataDir);
  try {
    const origin = openFolderOrigin(dataDir, { machine: machine ?? (await readMachine()), lock, say });
    const from = origin.movedFrom();
    if (from === null) return null;
    await agree(from);
    const confirmed = origin.confirm();
    if (!confirmed.ok) throw new HostError('DATA_DIR_UNUSABLE', confirmed.refusal);
    return confirmed.value;
  } finally {
    lock.release();
  }
}
