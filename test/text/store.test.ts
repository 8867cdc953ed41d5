import { describe, expect, it } from 'vitest';
import type { DatabaseFault, JournalDamage, StoreProblem } from '../../src/contract/service/store-problem.ts';
import {
  folderRefusedText,
  historyProblemText,
  repairText,
  storeProblemText,
  storeRefusalText,
  writtenCheck,
  writtenHealth,
} from '../../src/text/service/store-text.ts';

function damaged(damage: JournalDamage): StoreProblem {
  return { code: 'JOURNAL_DAMAGED', file: '/data/journal/00000001.jsonl', line: 4, damage };
}

describe('a store that cannot be opened', () => {
  it('is described with the place of the damage and what to do', () => {
    expect(storeProblemText(damaged({ kind: 'hash_differs' }))).toBe(
      'The journal is damaged: /data/journal/00000001.jsonl, line 4: the line does not have the hash that it was written with. ' +
        'Nothing was changed. Put that file back from a backup of the data folder; a copy from any later day works.',
    );
  });

  it('names the files to delete where its end is missing and there is no backup', () => {
    const known_by = ['/data/state.json', '/data/journal/end.json'];
    expect(storeProblemText(damaged({ kind: 'end_missing', from_seq: 4, to_seq: 6, known_by }))).toMatch(
      /events 4 to 6 are missing; \/data\/state\.json and \/data\/journal\/end\.json record them\..* delete \/data\/state\.json and \/data\/journal\/end\.json\.$/,
    );
  });

  it('has a command that can be pasted, whatever the folder is called', () => {
    const folder = "/data of 'us'";
    const text = storeProblemText({
      code: 'FOLDER_UNUSABLE',
      folder,
      fault: { kind: 'writable', path: folder },
    });
    expect(text).toContain(`write in the data folder ${folder}, so`);
    expect(text.endsWith(`Run: chmod go-w '/data of '\\''us'\\'''`)).toBe(true);
  });

  it('does not call a folder in the data folder the data folder', () => {
    const fault = { kind: 'writable', path: '/data/journal' } as const;
    expect(storeProblemText({ code: 'FOLDER_UNUSABLE', folder: '/data', fault })).toContain(
      'write in /data/journal, so',
    );
  });
});

describe('a database that cannot be used', () => {
  const place = 'postgres://rotavox@db.example/team';
  const textOf = (fault: DatabaseFault) => storeProblemText({ code: 'DATABASE_UNUSABLE', place, fault });

  it('is described with the statements that make one with the least rights', () => {
    const statements =
      "create role rotavox login password '…'; " +
      "create database rotavox owner rotavox encoding 'UTF8' template template0;";
    expect(textOf({ kind: 'unreachable', system_code: '3D000' })).toContain(statements);
    expect(textOf({ kind: 'encoding', encoding: 'SQL_ASCII' })).toContain(statements);
    const text = textOf({ kind: 'rights', role: 'team"s', database: 'team' });
    expect(text).toContain('grant create on database "team" to "team""s";');
    expect(text).toContain(statements);
  });

  it('is told apart from a wrong password and from one that cannot be reached', () => {
    expect(textOf({ kind: 'unreachable', system_code: '28P01' })).toContain('does not accept the role');
    expect(textOf({ kind: 'unreachable', system_code: 'NO_PASSWORD' })).toContain('Set PGPASSWORD');
    expect(textOf({ kind: 'unreachable', system_code: 'NO_TLS' })).toContain('does not offer TLS');
    expect(textOf({ kind: 'unreachable', system_code: 'ECONNREFUSED' })).toContain(
      'cannot be reached (ECONNREFUSED)',
    );
  });

  it('has the number of the damaged event instead of a file and a line', () => {
    const text = storeProblemText({
      code: 'JOURNAL_DAMAGED',
      file: place,
      line: 7,
      damage: { kind: 'hash_differs' },
    });
    expect(text).toContain(`${place}, event 7: the line does not have the hash`);
    expect(text).toContain('Restore the database from a backup');
    expect(text).not.toContain('folder');
  });

  it.each([
    ['53100', 'is on a full disk'],
    ['25006', 'is read-only'],
    ['23505', 'refused a change (SQLSTATE 23505)'],
    ['57P01', 'cannot be reached (57P01)'],
    ['EPIPE', 'cannot be reached (EPIPE)'],
    ['TIMEOUT', 'cannot be reached (TIMEOUT)'],
  ])('explains a change that was refused with %s', (code, expected) => {
    const text = storeRefusalText({ code, path: place });
    expect(text).toContain(expected);
    expect(text).not.toContain('folder');
  });
});

it('a refused change is explained by the code of the system', () => {
  const textOf = (code: string) => storeRefusalText({ code, path: '/data' });
  expect(textOf('ENOSPC')).toBe(
    'The data folder (/data) is on a full disk. Free some space; the next change tries again.',
  );
  expect(textOf('EDQUOT')).toBe(textOf('ENOSPC'));
  expect(textOf('EIO')).toBe(
    'The data folder (/data) could not be written to (EIO). The next change tries again.',
  );
  expect(textOf('DATA_FOLDER_MOVED')).toContain('/data was moved, deleted or replaced');
  expect(
    writtenHealth({ status: 'refusing', last_seq: 3, since: 'then', code: 'EIO', path: '/data' }),
  ).toEqual({ status: 'refusing', last_seq: 3, since: 'then', code: 'EIO', reason: textOf('EIO') });
});

it('a history that cannot be read says why only where the folder itself is the reason', () => {
  const textOf = (code: string) =>
    historyProblemText({ kind: 'unreadable', folder: '/data/journal', refusal: { code, path: '/data' } });
  expect(textOf('EIO')).toBe('The history in /data/journal could not be read (EIO).');
  expect(textOf('LOCK_LOST')).toMatch(/could not be read \(LOCK_LOST\)\. \/data was removed or replaced/);
});

it('says what a host has seen in a database that went back', () => {
  expect(
    storeProblemText({
      code: 'JOURNAL_DAMAGED',
      file: 'postgres://db/rotavox',
      line: 101,
      damage: { kind: 'went_back', seen_seq: 120, found_seq: 100 },
    }),
  ).toBe(
    'The journal is damaged: postgres://db/rotavox, event 101: this host has seen events up to 120 here, and the journal ends ' +
      'with 100. Nothing was changed. Restore the database from a backup, then start Rotavox again.',
  );
});

it('a damaged history is reported with its place, also where a newer program wrote it', () => {
  expect(
    writtenCheck({
      status: 'damaged',
      verified_to: 2,
      problem: {
        code: 'JOURNAL_DAMAGED',
        file: 'a',
        line: 4,
        damage: { kind: 'event_missing', seq: 3, found_seq: 5 },
      },
    }),
  ).toEqual({
    status: 'damaged',
    verified_to: 2,
    file: 'a',
    line: 4,
    reason: 'event 3 is missing; this is 5',
  });
  expect(
    writtenCheck({
      status: 'damaged',
      verified_to: 2,
      problem: { code: 'FORMAT_TOO_NEW', file: 'a', format: 9, newest: 4 },
    }),
  ).toMatchObject({ line: 1, reason: 'it has format 9; this version of Rotavox reads formats 1 to 4' });
});

it('a repair names the file that was kept', () => {
  expect(repairText({ kind: 'torn_write', file: '1.jsonl', bytes_cut: 1, kept_as: '1.torn' })).toBe(
    'The last write to 1.jsonl was interrupted, for example by a power failure. 1 byte that was never reported as saved was removed and kept as 1.torn.',
  );
  expect(
    repairText({ kind: 'state_rebuilt', fault: 'not_json', last_seq: 3, kept_as: 'state.json.old' }),
  ).toContain(
    'state.json could not be read (its first line is not JSON). It was rebuilt from the journal, event 1 to 3;',
  );
});

it('a folder that the system refuses says what to do: free space, make it writable, or another folder', () => {
  for (const code of ['ENOSPC', 'EDQUOT'])
    expect(folderRefusedText('/data', code)).toBe(
      'The data folder /data is on a full disk. Free some space, then start Rotavox again.',
    );
  expect(folderRefusedText('/data', 'EROFS')).toBe(
    'The data folder /data is on a read-only disk. Make it writable, or choose another folder with --data-dir or ROTAVOX_DATA_DIR.',
  );
  expect(folderRefusedText('/data', 'EACCES', '/data/lock')).toContain('EACCES at /data/lock');
});
