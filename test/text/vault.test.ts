import { describe, expect, it } from 'vitest';
import type { VaultProblem } from '../../src/contract/credential/vault-problem.ts';
import {
  passphraseFaultText,
  vaultDescription,
  vaultProblemText,
  whereTokensAre,
} from '../../src/text/credential/vault-text.ts';
import { expectSentences, type OneEach } from './problems.ts';

const path = '/data/vault.json';
const keyFile = '/data/vault.key';
const entry = { service: 'billing', account: 'crm' };

const problems: OneEach<VaultProblem> = {
  keychain_locked: { code: 'keychain_locked', platform: 'linux' },
  keychain_not_answering: { code: 'keychain_not_answering' },
  keychain_restarted: { code: 'keychain_restarted' },
  no_secret_service: { code: 'no_secret_service' },
  no_default_keyring: { code: 'no_default_keyring' },
  no_session_bus: { code: 'no_session_bus' },
  no_default_keychain: { code: 'no_default_keychain' },
  no_signed_in_user: { code: 'no_signed_in_user' },
  keychain_library_missing: { code: 'keychain_library_missing' },
  keychain_not_loaded: { code: 'keychain_not_loaded' },
  keychain_failed: { code: 'keychain_failed', said: 'Something new' },
  entry_not_kept: { code: 'entry_not_kept', ...entry },
  token_too_long: { code: 'token_too_long', limitBytes: 2560 },
  wrong_passphrase: { code: 'wrong_passphrase', path },
  key_file_missing: { code: 'key_file_missing', path, keyFile },
  key_file_wrong: { code: 'key_file_wrong', path, keyFile },
  key_file_damaged: { code: 'key_file_damaged', path, keyFile },
  vault_file_missing: { code: 'vault_file_missing', path },
  vault_file_damaged: { code: 'vault_file_damaged', path },
  vault_file_too_new: { code: 'vault_file_too_new', path, format: 2, newestFormat: 1 },
  vault_entry_damaged: { code: 'vault_entry_damaged', path, ...entry },
  shared_entry_damaged: { code: 'shared_entry_damaged', path, place: 'replay_key', name: '488123' },
  vault_file_unusable: { code: 'vault_file_unusable', path, systemCode: 'ENOSPC' },
  vault_database_unusable: { code: 'vault_database_unusable', path, systemCode: 'ECONNREFUSED' },
  vault_not_leading: { code: 'vault_not_leading', path },
  vault_key_missing: { code: 'vault_key_missing', path },
  vault_key_damaged: { code: 'vault_key_damaged', path },
  passphrase_file_unreadable: { code: 'passphrase_file_unreadable', path, systemCode: 'ENOENT' },
  passphrase_file_shared: { code: 'passphrase_file_shared', path },
  passphrase_file_not_text: { code: 'passphrase_file_not_text', path },
  passphrase_unsuitable: { code: 'passphrase_unsuitable', path, fault: 'too_short' },
};

describe('a problem of the vault', () => {
  it.each(Object.values(problems))('is said in whole sentences: $code', (problem) => {
    const text = vaultProblemText(problem);
    expectSentences(text);
    for (const [name, value] of Object.entries(problem)) {
      if (['path', 'keyFile', 'said', 'account', 'systemCode', 'limitBytes', 'format'].includes(name)) {
        expect(text).toContain(String(value));
      }
    }
  });

  it.each<[VaultProblem, string]>([
    [{ code: 'keychain_locked', platform: 'linux' }, 'Unlock it by signing in'],
    [{ code: 'keychain_locked', platform: 'darwin' }, 'Keychain Access'],
    [problems.no_secret_service, 'gnome-keyring'],
    [problems.no_session_bus, 'There is no D-Bus session'],
    [problems.keychain_library_missing, 'libsecret-1-0'],
    [problems.keychain_not_answering, 'prompt'],
    [problems.key_file_missing, `Restore ${keyFile} from the backup`],
    [problems.passphrase_file_shared, `chmod 600 ${path}`],
    [problems.passphrase_unsuitable, 'has fewer than 8 characters'],
    [problems.shared_entry_damaged, 'replies of that hour'],
    [{ ...problems.shared_entry_damaged, place: 'browser', name: 'browsers' }, 'sign in again'],
    [{ ...problems.shared_entry_damaged, place: 'of a newer version' }, 'the entry “488123” is damaged'],
    [problems.vault_file_too_new, 'format 2; this one reads up to 1'],
  ])('says what to do: %j', (problem, words) => {
    expect(vaultProblemText(problem)).toContain(words);
  });
});

it('a passphrase is empty or too short', () => {
  expect([passphraseFaultText('empty'), passphraseFaultText('too_short')]).toEqual([
    'is empty',
    'has fewer than 8 characters',
  ]);
});

it('an encrypted file is never taken for the keychain', () => {
  expect(vaultDescription({ kind: 'keychain' })).toBe('the OS keychain');
  expect(vaultDescription({ kind: 'file', key: 'file' })).toContain('an encrypted file, with its key');
  expect(vaultDescription({ kind: 'file', key: 'passphrase' })).toContain('a passphrase opens');
  expect(vaultDescription({ kind: 'postgres' })).toContain('encrypted with a passphrase');
  expect(vaultDescription({ kind: 'memory' })).toContain('memory only');
});

it('says what protects tokens, and promises no more than that', () => {
  expect(whereTokensAre({ kind: 'file', key: 'file' })).toBe(
    "Tokens are stored in an encrypted file, with its key in a file beside it: anyone who can read your account's files can use them. For more, set a passphrase or move them to the keychain.",
  );
  expect(whereTokensAre({ kind: 'file', key: 'passphrase' })).toContain('as safe as the passphrase is good');
  expect(whereTokensAre({ kind: 'keychain' })).toContain('programs of your account may be able to use them');
  for (const kind of ['keychain', 'postgres', 'memory'] as const) expectSentences(whereTokensAre({ kind }));
});
