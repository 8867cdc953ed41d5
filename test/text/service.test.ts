import { describe, expect, it } from 'vitest';
import {
  logText,
  refusalText,
  uncertainTokenNote,
  windowsNotBuilt,
} from '../../src/text/service/service-text.ts';
import { expectSentences, type OneEach } from './problems.ts';
import type { PortalStatus } from '../../src/contract/service/portal.ts';
import type { TeamHost } from '../../src/contract/service/team.ts';
import { serveText, statusRows } from '../../src/text/cli/cli-service.ts';
import { follower, leader } from '../fixtures/team-hosts.ts';
import type { ProxyProblem } from '../../src/contract/service/network.ts';
import type { CallFailure } from '../../src/contract/credential/rotation-trouble.ts';
import { callFailureText } from '../../src/text/credential/rotation-trouble-text.ts';
import { takenWayText } from '../../src/text/service/network-text.ts';
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

const refusals: Record<keyof typeof refusalText, string> = {
  noSuchIvr: refusalText.noSuchIvr,
  noSuchCall: refusalText.noSuchCall,
  cannotMove: refusalText.cannotMove('Blacklisted', ['Active', 'Suspended'], 'blacklist'),
  noSuchToken: refusalText.noSuchToken,
  noSession: refusalText.noSession,
  notStopped: refusalText.notStopped,
  notStoppedByOwner: refusalText.notStoppedByOwner,
  noHost: refusalText.noHost,
  hostRuns: refusalText.hostRuns('https://10.0.0.5:7682'),
  browserNotRemembered: refusalText.browserNotRemembered,
  tooManyRunning: refusalText.tooManyRunning(256),
  tooManyWindows: refusalText.tooManyWindows(64),
  audioGone: refusalText.audioGone('Welcome'),
  bodyTooLarge: refusalText.bodyTooLarge('20 MB'),
};

describe('a refusal of the service', () => {
  it.each(Object.entries(refusals))('is whole sentences: %s', (_, text) => {
    expectSentences(text);
  });

  it.each([
    [
      refusalText.cannotMove('Superseded', ['Active'], 'suspend'),
      'The token is Superseded; only an Active token can be suspended.',
    ],
    [
      refusalText.cannotMove('Active', ['Suspended'], 'resume'),
      'The token is Active; only a Suspended token can be resumed.',
    ],
    [
      refusalText.cannotMove('Expired', ['Active', 'Suspended'], 'blacklist'),
      'The token is Expired; only an Active or Suspended token can be blacklisted.',
    ],
  ])('says which tokens can be changed: %s', (text, expected) => {
    expect(text).toBe(expected);
  });

  it.each([
    [refusals.audioGone, '“Welcome”'],
    [refusals.tooManyWindows, '64'],
    [refusals.bodyTooLarge, '20 MB'],
  ])('names what it is about: %s', (text, name) => {
    expect(text).toContain(name);
  });
});

it('a token that may not work is returned with the reason', () => {
  const note = uncertainTokenNote('The service has suspended it.');
  expectSentences(note);
  expect(note).toContain('The service has suspended it.');
});

it('without the built windows, the page says how to build them and where the API is described', () => {
  expect(windowsNotBuilt).toContain('npm run build');
  expect(windowsNotBuilt).toContain('/docs');
});

it.each(Object.values(logText))('a line of the log has no period, because parameters follow: %s', (line) => {
  expect(line).toMatch(/^[A-Z].*[a-z]$/);
});

/** What `rotavox status` prints of a team. */
function rowsOf(...hosts: TeamHost[]): string[][] {
  const status: PortalStatus = {
    version: '0.1.0',
    base_url: leader.address,
    data_dir: '/srv/rotavox',
    command_line: null,
    pid: 1,
    started_at: new Date(0).toISOString(),
    tokens: { Active: 0, Superseded: 0, Expired: 0, Suspended: 0, Blacklisted: 0 },
    ivrs: 0,
    store: { status: 'ok', last_seq: 7 },
    repairs: [],
    moved_from: null,
    team: { epoch: 3, hosts },
  };
  const rows = statusRows(status);
  return rows.slice(rows.findIndex(([label]) => label === 'Team'));
}

describe('the hosts of a team', () => {
  it('are listed with what each does and how far it is', () => {
    expect(rowsOf(leader, follower, { ...follower, last_seq: 6 }, { ...follower, last_seq: 5 })).toEqual([
      ['Team', '4 hosts, epoch 3'],
      ['Leads', 'https://10.0.0.5:7682 (alpha, 0.1.0), up to date'],
      ['Follows', 'https://10.0.0.6:7682 (beta, 0.1.0), up to date'],
      ['Follows', 'https://10.0.0.6:7682 (beta, 0.1.0), 1 event behind'],
      ['Follows', 'https://10.0.0.6:7682 (beta, 0.1.0), 2 events behind'],
    ]);
  });

  it('are missing after ten seconds without a report, and then cannot take over', () => {
    const missing = (seconds: number) => rowsOf(leader, { ...follower, seen_seconds_ago: seconds }).slice(2);
    expect(missing(9)).toHaveLength(1);
    const [row, note] = missing(30);
    expect(row).toEqual(['Missing', 'https://10.0.0.6:7682 (beta, 0.1.0), not seen for 30 seconds']);
    expect(note?.join(' ')).toContain('There is no second host that could take over');
    expect(missing(7_500)[0]?.[1]).toContain('not seen for 2 h 5 min');
  });

  it('are told from each other when they start', () => {
    const told = (role: 'leader' | 'follower', leaderUrl: string | null) =>
      serveText.runningInTeam('https://10.0.0.6:7682', { role, leaderUrl });
    expect(told('leader', null)).toContain(' and leads its team. ');
    expect(told('follower', leader.address)).toContain(` the host that leads, ${leader.address}. `);
    expect(told('follower', null)).toContain(' the host that leads. ');
  });
});

const service = 'https://api.corp.test';

const problems: OneEach<ProxyProblem> = {
  unreachable: { code: 'unreachable', systemCode: 'ECONNREFUSED' },
  not_trusted: { code: 'not_trusted', systemCode: 'SELF-SIGNED', issuer: 'Corp Root' },
  login_needed: { code: 'login_needed', schemes: ['basic'] },
  login_refused: { code: 'login_refused', schemes: [] },
  login_unreadable: { code: 'login_unreadable' },
  refused: { code: 'refused', status: 403 },
  no_proxy: { code: 'no_proxy' },
  closed: { code: 'closed' },
  too_slow: { code: 'too_slow', limitMs: 10_000 },
};

describe('a proxy that gives no connection', () => {
  it.each(Object.values(problems))('$code is said with what to do', (problem) => {
    const text = callFailureText(service, {
      code: 'proxy_failed',
      proxy: 'proxy.corp.test:8080',
      source: 'setting',
      problem,
    });
    expectSentences(text);
    expect(text).toContain('proxy.corp.test:8080 (the setting “proxy”)');
  });
});

it.each<[CallFailure, string]>([
  [
    { code: 'not_trusted', systemCode: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', issuer: 'Corp Root' },
    'ask for the certificate of “Corp Root” as a file and name it in the setting “certificates” or in NODE_EXTRA_CA_CERTS.',
  ],
  [
    {
      code: 'not_trusted',
      systemCode: 'SELF_SIGNED_CERT_IN_CHAIN',
      file: { file: '/etc/root.pem', code: 'missing' },
    },
    'The file in the setting “certificates” (/etc/root.pem) does not exist.',
  ],
  [{ code: 'not_trusted', systemCode: 'CERT_HAS_EXPIRED', issuer: 'Corp Root' }, 'has expired'],
  [{ code: 'not_trusted', systemCode: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'is for another name'],
  [{ code: 'proxy_invalid', source: 'ALL_PROXY', problem: 'socks' }, 'SOCKS is not supported'],
  [
    { code: 'proxy_invalid', source: 'HTTPS_PROXY', problem: 'path' },
    'A PAC file is read by the desktop app',
  ],
  [{ code: 'client_certificate', problem: 'needed', systemCode: 'X' }, 'asks for a client certificate'],
  [
    {
      code: 'proxy_failed',
      proxy: 'p:1',
      source: 'HTTPS_PROXY',
      problem: { code: 'login_needed', schemes: ['negotiate', 'ntlm'] },
    },
    'refuses (407): it wants a user name and a password. It accepts only negotiate and ntlm, which Rotavox does not speak',
  ],
])('%j names the remedy', (failure, words) => {
  expect(callFailureText(service, failure)).toContain(words);
});

it('says which way a call took', () => {
  const way = {
    proxy: null,
    source: null,
    issuer: null,
    asks_for_certificate: false,
    has_client_certificate: false,
  };
  expect(takenWayText(way)).toBe('Asked directly.');
  expect(takenWayText({ ...way, proxy: 'p:1', source: 'HTTPS_PROXY', issuer: 'Corp Root' })).toBe(
    'Asked through the proxy p:1 (HTTPS_PROXY), certificate issued by “Corp Root”.',
  );
  expect(takenWayText({ ...way, asks_for_certificate: true })).toBe(
    'Asked directly. The service asked for a client certificate, and the credential has none.',
  );
});

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
