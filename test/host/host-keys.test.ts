import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { VaultUnavailable } from '../../src/core/vault.ts';
import { HostError } from '../../src/host/host-error.ts';
import { HostKeys } from '../../src/host/host-keys.ts';
import { MemoryVault } from '../fakes/memory-vault.ts';
import { makeFolder } from '../fixtures/make-folder.ts';

const team = 'https://team.example.com';
const other = 'https://other.example.com:8443';

function makeKeys(environment: Record<string, string> = {}) {
  const vault = new MemoryVault();
  const dataDir = join(makeFolder(), 'not there yet');
  return { vault, dataDir, keys: new HostKeys(dataDir, { environment, vault }) };
}

it('keeps each key in the vault and the addresses in a file, and forgets both', async () => {
  const { vault, dataDir, keys } = makeKeys();
  expect(await keys.list()).toEqual([]);
  expect(await keys.read(team)).toBeNull();
  await keys.write(team, 'rvx_first_key');
  await keys.write(other, 'rvx_other_key');
  await keys.write(team, 'rvx_second_key');
  expect(await keys.list()).toEqual([team, other]);
  expect(await keys.read(team)).toBe('rvx_second_key');
  expect(await vault.read({ service: 'rotavox', account: `host ${team}` })).toBe('rvx_second_key');
  expect(await readFile(join(dataDir, 'hosts.json'), 'utf8')).not.toContain('rvx_');
  expect(await keys.remove(team)).toBe(true);
  expect(await keys.remove(team)).toBe(false);
  expect(await keys.list()).toEqual([other]);
  expect(await keys.read(team)).toBeNull();
});

it('a list that was damaged is written again with the next host', async () => {
  const { dataDir, keys } = makeKeys();
  await keys.write(team, 'rvx_first_key');
  writeFileSync(join(dataDir, 'hosts.json'), '{"hosts":');
  expect(await keys.list()).toEqual([]);
  await keys.write(team, 'rvx_first_key');
  expect(await keys.list()).toEqual([team]);
});

it('a key file counts instead of the vault, for every host', async () => {
  const file = join(makeFolder(), 'key');
  writeFileSync(file, 'rvx_of_the_file\nmore\n', { mode: 0o600 });
  const { keys } = makeKeys({ ROTAVOX_HOST_KEY_FILE: file });
  expect(await keys.read(team)).toBe('rvx_of_the_file');
  const { keys: missing } = makeKeys({ ROTAVOX_HOST_KEY_FILE: `${file}-elsewhere` });
  await expect(missing.read(team)).rejects.toThrow('ENOENT');
});

it('says how to go on without a keychain', async () => {
  const { vault, keys } = makeKeys();
  vault.read = () => Promise.reject(new VaultUnavailable({ code: 'no_secret_service' }));
  const failure = await keys.read(team).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(HostError);
  expect((failure as HostError).message).toContain('ROTAVOX_HOST_KEY_FILE');
});
