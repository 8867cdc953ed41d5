import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { openVault } from '../agent/vault/open-vault.ts';
import { vaultService } from '../contract/credential/credential.ts';
import { readHostKey } from '../contract/service/team-host.ts';
import { type Vault, VaultUnavailable } from '../core/vault.ts';
import { hostKeyText } from '../text/service/team-host-text.ts';
import { vaultProblemText } from '../text/credential/vault-text.ts';
import { HostError } from './host-error.ts';
import { replacePath } from '../system/replace-path.ts';

/** `<data>/hosts.json`: the hosts that have a key in the keychain. Nothing in it is secret. */
const KnownHosts = z.object({ hosts: z.array(z.object({ url: z.string() })) });

export interface HostKeysOptions {
  /** Names a file with the key, for a machine without a keychain: `ROTAVOX_HOST_KEY_FILE`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Default: the OS keychain. */
  readonly vault?: Vault;
}

/**
 * The keys with which this person calls hosts of teams: in the OS keychain, one entry for each address.
 *
 * Which addresses have one is in a file, because a keychain that is searched asks for permission for everything it finds.
 * Every method throws `HostError` with a sentence when the keychain or a file cannot be used.
 */
export class HostKeys {
  readonly #file: string;
  readonly #folder: string;
  readonly #keyFile: string;
  readonly #given: Vault | undefined;
  #vault: Promise<Vault> | undefined;

  constructor(dataDir: string, { environment, vault }: HostKeysOptions) {
    this.#folder = dataDir;
    this.#file = join(dataDir, 'hosts.json');
    this.#keyFile = environment['ROTAVOX_HOST_KEY_FILE'] ?? '';
    this.#given = vault;
  }

  /** The addresses that have a key in the keychain, in the order in which they were added. */
  async list(): Promise<string[]> {
    try {
      const stored = KnownHosts.safeParse(JSON.parse(await readFile(this.#file, 'utf8')));
      return stored.success ? stored.data.hosts.map(({ url }) => url) : [];
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A list that was damaged is written again with the next host; the keys themselves are not in it.
      if (code === 'ENOENT' || code === 'ENOTDIR' || error instanceof SyntaxError) return [];
      throw unusable(this.#file, error);
    }
  }

  /** The key for a host, or null. */
  async read(url: string): Promise<string | null> {
    if (this.#keyFile !== '') return readKeyFile(this.#keyFile);
    return this.#use((vault) => vault.read(entryOf(url)));
  }

  /** Stores a key, in place of another one for the same host. The key first: an address in the list always has one. */
  async write(url: string, key: string): Promise<void> {
    await this.#use((vault) => vault.write(entryOf(url), key));
    const known = await this.list();
    if (!known.includes(url)) await this.#save([...known, url]);
  }

  /** Removes a key; returns whether there was one. A key file, and the keychain beside it, stay as they are. */
  async remove(url: string): Promise<boolean> {
    if (this.#keyFile !== '') return false;
    const known = await this.list();
    const had = await this.#use(async (vault) => {
      const stored = await vault.read(entryOf(url));
      if (stored !== null) await vault.remove(entryOf(url));
      return stored !== null;
    });
    if (known.includes(url)) await this.#save(known.filter((one) => one !== url));
    return had;
  }

  async #use<T>(act: (vault: Vault) => Promise<T>): Promise<T> {
    try {
      return await act(this.#given ?? (await (this.#vault ??= openVault({ kind: 'keychain' }))));
    } catch (cause) {
      if (!(cause instanceof VaultUnavailable)) throw cause;
      throw new HostError('VAULT_UNUSABLE', hostKeyText.keychain(vaultProblemText(cause.problem)), { cause });
    }
  }

  async #save(urls: readonly string[]): Promise<void> {
    const written = `${this.#file}.new`;
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(written, `${JSON.stringify({ hosts: urls.map((url) => ({ url })) }, null, 2)}\n`, {
        mode: 0o600,
      });
      await replacePath(written, this.#file);
    } catch (cause) {
      throw unusable(this.#file, cause);
    }
  }
}

function entryOf(url: string) {
  return { service: vaultService, account: `host ${url}` };
}

/** The first line of a file that nobody else may read. */
async function readKeyFile(path: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const isShared = process.platform !== 'win32' && ((await file.stat()).mode & 0o077) !== 0;
      if (isShared) throw new HostError('VAULT_UNUSABLE', hostKeyText.fileShared(path));
      const [line = ''] = (await file.readFile('utf8')).split('\n', 1);
      const key = readHostKey(line);
      if (key === null) throw new HostError('VAULT_UNUSABLE', hostKeyText.fileWithoutKey(path));
      return key;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof HostError ? error : unusable(path, error);
  }
}

function unusable(path: string, cause: unknown): HostError {
  const { code = 'unknown' } = cause as NodeJS.ErrnoException;
  return new HostError('VAULT_UNUSABLE', hostKeyText.fileUnusable(path, code), { cause });
}
