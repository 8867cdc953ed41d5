import type { StoreHealth, Verification } from '../contract/portal.ts';
import type {
  CallRecordsNotice,
  FolderFault,
  HistoryProblem,
  JournalCheck,
  JournalDamage,
  StateFileFault,
  StoreProblem,
  StoreRefusal,
  StoreRepair,
  StoreState,
  TornWrite,
} from '../contract/store-problem.ts';
import { countWords } from './count.ts';
import { quotedShellWord } from '../contract/shell-word.ts';

/** The data folder and the files in it: what is wrong with them, and what to do. */

/** Why the store cannot be opened. */
export function storeProblemText(problem: StoreProblem): string {
  switch (problem.code) {
    case 'JOURNAL_DAMAGED': {
      const { file, line, damage } = problem;
      return (
        `The journal is damaged: ${file}, line ${line}: ${damageText(damage)}. Nothing was changed. ` +
        `Put that file back from a backup of the data folder; a copy from any later day works.${acceptLoss(damage)}`
      );
    }
    case 'FORMAT_TOO_NEW':
      return `${problem.file} has ${formatText(problem)}. Nothing was changed. Install the newer version that wrote it.`;
    case 'FOLDER_UNUSABLE':
      return folderText(problem.folder, problem.fault);
  }
}

function formatText({ format, newest }: { readonly format: number; readonly newest: number }): string {
  return `format ${format}; this version of Rotavox reads formats 1 to ${newest}`;
}

/** How to continue where there is no backup. */
function acceptLoss(damage: JournalDamage): string {
  return damage.kind === 'end_missing'
    ? ` If there is none, and you accept that these events are lost, delete ${damage.known_by.join(' and ')}.`
    : '';
}

const lineDamage = {
  file_missing: 'the file is missing',
  file_empty: 'the file is empty',
  file_replaced: 'the file is not the one that was written',
  no_header: 'the first line is not a segment header',
  not_an_event: 'this is not an event',
  line_end_changed: 'the end of the line was changed',
  line_not_ended: 'the line has no end',
  hash_differs: 'the line does not have the hash that it was written with',
  link_differs: 'the line does not follow the one before it: a line is missing or was inserted',
  segment_differs: 'it does not follow the segment before it',
  state_differs: 'the event is not the one that the state was made from',
} as const;

/** What is wrong at a place of the journal, without a period. */
function damageText(damage: JournalDamage): string {
  if (damage.kind === 'segment_missing')
    return `it does not continue after event ${damage.after_seq}: a segment is missing or was inserted`;
  if (damage.kind === 'file_cut')
    return `the file ends here and is ${countWords(damage.missing_bytes, 'byte')} too short`;
  if (damage.kind === 'event_missing') return `event ${damage.seq} is missing; this is ${damage.found_seq}`;
  if (damage.kind === 'end_missing') {
    const { from_seq: from, to_seq: to, known_by: files } = damage;
    return `events ${from} to ${to} are missing; ${files.join(' and ')} ${files.length === 1 ? 'records' : 'record'} them`;
  }
  return lineDamage[damage.kind];
}

function folderText(folder: string, fault: FolderFault): string {
  switch (fault.kind) {
    case 'refused':
      return folderRefusedText(folder, fault.system_code, fault.path);
    case 'replaceable':
      return (
        `Other accounts on this machine can replace the data folder ${folder}, because they may write in ${fault.parent}. ` +
        `Choose a folder elsewhere with --data-dir, or run: chmod go-w ${quotedShellWord(fault.parent)}`
      );
    case 'foreign':
      return (
        `The data folder ${folder} belongs to another account (user ${fault.uid}), who could change what is in it. ` +
        'Choose a folder of your own with --data-dir.'
      );
    case 'writable': {
      const what = fault.path === folder ? 'the data folder ' : '';
      return (
        `Other accounts on this machine can write in ${what}${fault.path}, so nothing in it ` +
        `could be trusted. Run: chmod go-w ${quotedShellWord(fault.path)}`
      );
    }
  }
}

/** Why the system does not let us use the data folder, by its code, and what to do. */
export function folderRefusedText(folder: string, code: string, path = folder): string {
  const anotherFolder = 'choose another folder with --data-dir or ROTAVOX_DATA_DIR';
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `The data folder ${folder} is on a full disk. Free some space, then start Rotavox again.`;
    case 'EROFS':
      return `The data folder ${folder} is on a read-only disk. Make it writable, or ${anotherFolder}.`;
    default:
      return (
        `The data folder ${folder} cannot be used: ${code} at ${path}. ` +
        `Make sure that you can read and write everything in it, or ${anotherFolder}.`
      );
  }
}

/** Why a change was refused, and what to do. */
export function storeRefusalText({ code, path }: StoreRefusal): string {
  switch (code) {
    case 'CLOSED':
      return 'The service is stopping.';
    case 'DATA_FOLDER_MOVED':
      return (
        `${path} was moved, deleted or replaced while Rotavox was running, so nothing can be saved. Move it back and Rotavox ` +
        'continues. If there is only a copy of it, quit Rotavox, put the copy there and start it again.'
      );
    case 'LOCK_LOST':
      return (
        `${path} was removed or replaced while Rotavox was running, so another Rotavox may use the data folder. ` +
        'Quit Rotavox and start it again.'
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return `The data folder (${path}) is on a full disk. Free some space; the next change tries again.`;
    case 'EFBIG':
      return `The data folder (${path}) is at its file size limit. Raise the limit; the next change tries again.`;
    case 'EROFS':
      return `The data folder (${path}) has become read-only. Make it writable; the next change tries again.`;
    default:
      return `The data folder (${path}) could not be written to (${code}). The next change tries again.`;
  }
}

/** Whether changes are saved, as `/portal` and the tray have it. */
export function writtenHealth(state: StoreState): StoreHealth {
  if (state.status === 'ok') return state;
  const { status, last_seq, code, since } = state;
  return { status, last_seq, code, reason: storeRefusalText(state), since };
}

/** What checking the history found, as `/portal` has it. */
export function writtenCheck(check: JournalCheck): Verification {
  if (check.status === 'intact') return check;
  const { status, verified_to, problem } = check;
  return problem.code === 'FORMAT_TOO_NEW'
    ? { status, verified_to, file: problem.file, line: 1, reason: `it has ${formatText(problem)}` }
    : { status, verified_to, file: problem.file, line: problem.line, reason: damageText(problem.damage) };
}

export function historyProblemText(problem: HistoryProblem): string {
  if (problem.kind === 'file_cut')
    return `${problem.file} has become shorter: byte ${problem.byte} is missing.`;
  const { folder, refusal } = problem;
  const isOurs = refusal.code === 'DATA_FOLDER_MOVED' || refusal.code === 'LOCK_LOST';
  return `The history in ${folder} could not be read (${refusal.code}).${isOurs ? ` ${storeRefusalText(refusal)}` : ''}`;
}

const stateFileFaults: Readonly<Record<StateFileFault, string>> = {
  not_json: 'its first line is not JSON',
  no_format: 'its first line does not name a format',
  end_missing: 'its end is missing',
  checksum_differs: 'its content does not have the checksum that it was written with',
};

/** What the store repaired when it opened. */
export function repairText(repair: StoreRepair): string {
  switch (repair.kind) {
    case 'journal_end_rewritten':
      return 'journal/end.json could not be read. It was written again.';
    case 'state_rebuilt':
      return (
        `state.json could not be read (${stateFileFaults[repair.fault]}). It was rebuilt from the journal, event 1 to ` +
        `${repair.last_seq}; the old file is kept as ${repair.kept_as}.`
      );
    case 'torn_write':
      return tornWriteText(repair);
  }
}

export function tornWriteText({ file, bytes_cut: bytes, kept_as: keptAs }: TornWrite): string {
  const verb = bytes === 1 ? 'was' : 'were';
  return (
    `The last write to ${file} was interrupted, for example by a power failure. ${countWords(bytes, 'byte')} that ` +
    `${verb} never reported as saved ${verb} removed and kept as ${keptAs}.`
  );
}

/** A failure of the disk that costs nothing yet. */
export const checkpointFailedText =
  'The state could not be written. Nothing is lost: the journal has everything, and it is tried again later.';

/** What happened to the records of calls. */
export function callRecordsText(notice: CallRecordsNotice): string {
  switch (notice.kind) {
    case 'damaged':
      return (
        `The records of calls in ${notice.file} could not be read. The file was kept as ${notice.kept_as}, and new records ` +
        'are written to a new file. To have the old ones back, put the file back from a backup while Rotavox is stopped.'
      );
    case 'not_written':
      return `Records of calls cannot be written (${storeRefusalText(notice)}). They are kept in memory and written when it works again.`;
  }
}
