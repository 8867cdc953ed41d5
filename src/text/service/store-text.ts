import type { StoreHealth, Verification } from '../../contract/service/portal.ts';
import type {
  CallRecordsNotice,
  DatabaseFault,
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
} from '../../contract/service/store-problem.ts';
import { countWords } from '../count.ts';
import { quotedShellWord } from '../../contract/shell-word.ts';

/** The data folder and the files in it: what is wrong with them, and what to do. */

export const storeRefusingTitle = 'Changes cannot be saved';

/** Why the store cannot be opened. */
export function storeProblemText(problem: StoreProblem): string {
  switch (problem.code) {
    case 'JOURNAL_DAMAGED': {
      const { file, line, damage } = problem;
      if (isDatabase(file))
        return (
          `The journal is damaged: ${file}, event ${line}: ${damageText(damage)}. Nothing was changed. ` +
          'Restore the database from a backup, then start Rotavox again.'
        );
      return (
        `The journal is damaged: ${file}, line ${line}: ${damageText(damage)}. Nothing was changed. ` +
        `Put that file back from a backup of the data folder; a copy from any later day works.${acceptLoss(damage)}`
      );
    }
    case 'FORMAT_TOO_NEW':
      return `${problem.file} has ${formatText(problem)}. Nothing was changed. Install the newer version that wrote it.`;
    case 'FOLDER_UNUSABLE':
      return folderText(problem.folder, problem.fault);
    case 'DATABASE_UNUSABLE':
      return databaseText(problem.place, problem.fault);
    case 'PASSPHRASE_CHANGED':
      return `The vault passphrase of ${problem.place} was changed while this host ran, so it answers no more calls. Start it again with the new passphrase.`;
  }
}

/** Whether a journal is in a database, by its place. */
function isDatabase(place: string): boolean {
  return place.includes('://');
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
  line_missing: 'it is missing',
  subject_differs: 'it is stored under the subject of another event',
  not_by_host:
    'no host with the passphrase of the team wrote it, so somebody else has written to the database',
} as const;

/** What is wrong at a place of the journal, without a period. */
function damageText(damage: JournalDamage): string {
  if (damage.kind === 'segment_missing')
    return `it does not continue after event ${damage.after_seq}: a segment is missing or was inserted`;
  if (damage.kind === 'file_cut')
    return `the file ends here and is ${countWords(damage.missing_bytes, 'byte')} too short`;
  if (damage.kind === 'event_missing') return `event ${damage.seq} is missing; this is ${damage.found_seq}`;
  if (damage.kind === 'went_back')
    return `this host has seen events up to ${damage.seen_seq} here, and the journal ends with ${damage.found_seq}`;
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

/**
 * Of Windows: the access rights of the data folder could not be changed. `program`: what failed, with an exit code or another reason. `sid`: the
 * number of the account, where it is known.
 */
export function folderOpenText({
  folder,
  program,
  reason,
  sid,
}: {
  readonly folder: string;
  readonly program: string;
  readonly reason: string;
  readonly sid: string | null;
}): string {
  const run = sid === null ? '' : `, or run: icacls "${folder}" /inheritance:r /grant:r "*${sid}:(OI)(CI)F"`;
  return (
    `Other accounts on this machine may be able to read the data folder ${folder}: its access rights could not be changed or read ` +
    `(${program} failed with ${reason}). Choose a folder in your personal folders with --data-dir${run}`
  );
}

/** Why a database cannot be used as the journal, and what to do. */
function databaseText(place: string, fault: DatabaseFault): string {
  switch (fault.kind) {
    case 'unreachable':
      return unreachableText(place, fault.system_code);
    case 'refused':
      return `The database ${place} refused a statement (SQLSTATE ${fault.sql_state}). Its log says more.`;
    case 'rights': {
      const [role, database] = [quotedSqlName(fault.role), quotedSqlName(fault.database)];
      return (
        `The role ${fault.role} cannot create or use the tables of Rotavox in ${place}. Connect as the owner of these tables. ` +
        `If there are none yet, run as an administrator of the database: grant create on database ${database} to ${role}; ` +
        `Or create a role and a database of its own: ${createDatabaseText}`
      );
    }
    case 'encoding':
      return (
        `The database ${place} has the encoding ${fault.encoding}, and Rotavox needs UTF8. Run as an administrator of the ` +
        `database: ${createDatabaseText}`
      );
    case 'too_old':
      return `The database ${place} is PostgreSQL ${fault.version}. Rotavox needs version ${fault.oldest} or later.`;
    case 'schema_too_new':
      return (
        `The tables in ${place} have version ${fault.version}; this version of Rotavox knows versions up to ${fault.newest}. ` +
        'Nothing was changed. Install the newer version that made them.'
      );
  }
}

/** The least rights: a role that may do nothing but use a database that belongs to it. */
const createDatabaseText =
  "create role rotavox login password '…'; " +
  "create database rotavox owner rotavox encoding 'UTF8' template template0;";

function quotedSqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function unreachableText(place: string, code: string): string {
  switch (code) {
    case '28P01':
    case '28000':
      return `The database ${place} does not accept the role or its password (SQLSTATE ${code}).`;
    case 'NO_PASSWORD':
      return `The database ${place} asks for a password, and there is none. Set PGPASSWORD or PGPASSFILE.`;
    case 'NO_TLS':
      return `The database ${place} does not offer TLS, which sslmode asks for.`;
    case '3D000':
      return (
        `The database ${place} does not exist (SQLSTATE ${code}). Run as an administrator of the database: ` +
        createDatabaseText
      );
    case 'SHARED_CONNECTION':
      return (
        `The database ${place} is behind a connection pooler that gives each statement another connection. ` +
        'Connect to the database itself, or set the pooler to one connection for each client (pool_mode = session).'
      );
    case 'UNREADABLE_FILE':
      return `A file that the address ${place} names (sslrootcert, sslcert or sslkey) cannot be read.`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `The certificate of the database ${place} is for another name. Use the name in its certificate as the address.`;
    case 'CERT_HAS_EXPIRED':
      return `The certificate of the database ${place} has expired.`;
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return (
        `This machine does not trust the certificate of the database ${place} (${code}). ` +
        'Name the certificate of its authority with sslrootcert in the address.'
      );
    case '53300':
      return `The database ${place} has too many connections (SQLSTATE ${code}). A host of Rotavox needs up to 10.`;
    default:
      return (
        `The database ${place} cannot be reached (${code}). Make sure that it is running and that this machine may ` +
        'connect to it.'
      );
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

/** A code of the SQL standard or of PostgreSQL, of those with which a server that can be reached refuses a statement. */
const refusingState = /^(?!08|57P)(?:\d\d|F0|HV|P0|XX)[0-9A-Z]{3}$/;

function databaseRefusalText({ code, path }: StoreRefusal): string {
  if (code === '53100')
    return `The database (${path}) is on a full disk. Free some space; the next change tries again.`;
  if (code === '25006')
    return `The database (${path}) is read-only, as a standby server is. Make it writable; the next change tries again.`;
  return refusingState.test(code)
    ? `The database (${path}) refused a change (SQLSTATE ${code}). The next change tries again.`
    : `The database (${path}) cannot be reached (${code}). The next change tries again.`;
}

/** Why a change was refused, and what to do. */
export function storeRefusalText(refusal: StoreRefusal): string {
  const { code, path } = refusal;
  switch (code) {
    case 'NOT_LEADING':
      return 'This host no longer leads. Nothing was changed; the host that leads accepts the change.';
    case 'NO_REPLAY_KEY':
      return `No key for repeated replies could be stored in ${path}, so a call with an Idempotency-Key cannot be answered. Rotavox tries again with the next call.`;
    case 'REMOVED_MEANWHILE':
    case 'OVERTAKEN':
      return 'Another change was made at the same time. Nothing was changed; try again.';
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
      return isDatabase(path)
        ? databaseRefusalText(refusal)
        : `The data folder (${path}) could not be written to (${code}). The next change tries again.`;
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
