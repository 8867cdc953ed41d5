import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { recordFileName } from '../calls/call-log.ts';
import type { StoreProblem } from '../contract/service/store-problem.ts';
import { type Clock, StoreUnavailable } from '../core/ledger.ts';
import { BrowserFile } from '../store/browser-file.ts';
import type { JournalExtent } from '../store/file-journal.ts';
import { openStore } from '../store/open-store.ts';
import { type AudioFolder, openRecordingFiles } from '../store/open-recording-files.ts';
import { closeDataFolder } from '../store/private-folder.ts';
import { ReplayKeys } from '../store/replay-keys.ts';
import type { Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import {
  callRecordsText,
  checkpointFailedText,
  folderOpenText,
  repairText,
  storeProblemText,
  storeRefusalText,
  tornWriteText,
} from '../text/service/store-text.ts';
import { HostCallRecords } from './host-call-records.ts';
import type { FolderLock } from './folder-lock.ts';
import { closeAll } from './close-all.ts';
import { HostError, type HostErrorCode, messageOf } from './host-error.ts';
import type { TermStorage } from './host-term.ts';

export interface OpenedFolder extends Omit<TermStorage, 'vault'> {
  readonly ledger: Store;
  readonly recordingFiles: AudioFolder;
  readonly journalExtent: () => JournalExtent;
  /** What the store repaired, a sentence each. */
  readonly repairs: readonly string[];
}

interface FolderParts {
  readonly clock: Clock;
  readonly lock: FolderLock;
  readonly say: (message: string) => void;
}

/** Opens what a host that is alone stores, all of it in its data folder. Throws `HostError`; then nothing is left open. */
export async function openFolder(dataDir: string, { clock, lock, say }: FolderParts): Promise<OpenedFolder> {
  const assertHeld = (): void => lock.assertHeld();
  const closing = closeDataFolder(dataDir);
  if (closing.kind === 'failed') say(folderOpenText(closing));
  const { store, journalExtent, repairs } = await openJournal(dataDir, { clock, lock, say });
  const callRecords = new HostCallRecords({
    ledger: store,
    clock,
    load: async () => {
      const { RecordFile } = await import('../calls/record-file.ts');
      return new RecordFile(dataDir, (notice) => say(callRecordsText(notice)));
    },
  });
  const close = (): Promise<void> =>
    closeAll(
      () => callRecords.close(),
      () => store.close(),
    );
  try {
    const recordingFiles = openRecordingFiles(dataDir, store.state, assertHeld);
    if (existsSync(join(dataDir, recordFileName))) await openRecords(callRecords);
    return {
      ledger: store,
      journalExtent,
      repairs: repairs.map(repairText),
      recordingFiles,
      replayKeys: new ReplayKeys(dataDir, clock, assertHeld),
      browsers: new BrowserFile(dataDir, assertHeld),
      openCallRecords: callRecords.open,
      close,
    };
  } catch (error) {
    await close();
    throw asHostError(error);
  }
}

async function openJournal(folder: string, { clock, lock, say }: FolderParts) {
  try {
    return await openStore({
      folder,
      clock,
      assertHeld: () => lock.assertHeld(),
      explain: tornWriteText,
      onTrouble: ({ refusal, cause }) => {
        const message = refusal === null ? checkpointFailedText : storeRefusalText(refusal);
        // Later reports of the store are no longer of interest.
        say(cause instanceof StoreUnavailable ? message : `${message} (${messageOf(cause)})`);
      },
    });
  } catch (error) {
    throw asHostError(error);
  }
}

/** A problem of the store as a sentence for the person; any other error as it is. */
/** Throws `HostError` when they are from a newer version of the program. */
async function openRecords(callRecords: HostCallRecords): Promise<void> {
  const { RecordsTooNew } = await import('../calls/record-file.ts');
  try {
    await callRecords.open();
  } catch (cause) {
    if (!(cause instanceof RecordsTooNew)) throw cause;
    const { file, format, newest } = cause;
    const problem = storeProblemText({ code: 'FORMAT_TOO_NEW', file, format, newest });
    throw new HostError('FORMAT_TOO_NEW', problem, { cause });
  }
}

export function asHostError(cause: unknown): unknown {
  if (!(cause instanceof StoreError)) return cause;
  const { problem } = cause;
  return new HostError(hostCodeOf(problem), storeProblemText(problem), { cause });
}

function hostCodeOf({ code }: StoreProblem): HostErrorCode {
  if (code === 'FOLDER_UNUSABLE') return 'DATA_DIR_UNUSABLE';
  return code === 'PASSPHRASE_CHANGED' ? 'VAULT_UNUSABLE' : code;
}
