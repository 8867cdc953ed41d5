import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openVault } from '../../../src/agent/vault/open-vault.ts';
import { cheapScrypt } from '../../fixtures/cheap-scrypt.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';

it('opens the keychain without asking it anything', async () => {
  expect((await openVault({ kind: 'keychain' })).kind).toBe('keychain');
});

it('opens an encrypted file only when that was chosen', async () => {
  const path = makeFolder();
  const vault = await openVault({ kind: 'file', path, passphrase: 'correct horse', cost: cheapScrypt });
  expect(vault.kind).toBe('file');
  expect(existsSync(join(path, 'vault.json'))).toBe(true);
  const opening = openVault({ kind: 'file', path, passphrase: 'wrong horse', cost: cheapScrypt });
  await expect(opening).rejects.toMatchObject({ code: 'locked' });
});
