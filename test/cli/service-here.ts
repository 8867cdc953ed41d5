import { Writable } from 'node:stream';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Host, startHost } from '../../src/host/start-host.ts';
import { builtFile } from '../../src/launcher/ensure-built.ts';
import { cheapLogN, cheapScrypt } from '../fixtures/cheap-scrypt.ts';
import { CalledService, freshDataDir, removeDataDir } from './rotavox.ts';

/** Tokens in an encrypted file, as on a machine where a person chose it. Default of a service: what this machine has. */
export const fileVault = {
  kind: 'file',
  passphrase: 'correct horse battery staple',
  cost: cheapScrypt,
} as const;

type Vault = typeof fileVault | undefined;

/** The host of `rotavox serve` in this process, for commands to call: it starts in a tenth of the time of the process. */
export class ServiceHere extends CalledService {
  /** What it has told the person and written to its log. */
  readonly said: readonly string[];
  readonly #host: Host;

  private constructor(host: Host, said: readonly string[]) {
    super(host.dataDir);
    this.#host = host;
    this.said = said;
  }

  static async start(dataDir: string, vault?: Vault): Promise<ServiceHere> {
    const said: string[] = [];
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        said.push(chunk.toString());
        done();
      },
    });
    const say = (message: string): void => void said.push(message);
    return new ServiceHere(
      await startHost({
        dataDir,
        port: 0,
        vault,
        say,
        log: { level: 'warn', stream },
        backupLogN: cheapLogN,
        program: [process.execPath, builtFile('cli/index.js')],
      }),
      said,
    );
  }

  get baseUrl(): string {
    return this.#host.baseUrl;
  }

  async stop(): Promise<void> {
    await this.#host.close();
  }
}

/** A service for all tests of a file. `use` gets it before the first one. */
export function serviceOfFile(use: (service: ServiceHere) => void, vault?: Vault): void {
  let service: ServiceHere;
  beforeAll(async () => {
    service = await ServiceHere.start(await freshDataDir(), vault);
    use(service);
  });
  afterAll(async () => {
    await service.stop();
    await removeDataDir(service.dataDir);
  });
}

/** A service for one test, ended with it. */
export async function serviceHere(vault?: Vault): Promise<ServiceHere> {
  const dataDir = await freshDataDir();
  onTestFinished(() => removeDataDir(dataDir));
  return serviceHereOn(dataDir, vault);
}

/** A service on an existing folder, ended with the test. */
export async function serviceHereOn(dataDir: string, vault?: Vault): Promise<ServiceHere> {
  const service = await ServiceHere.start(dataDir, vault);
  onTestFinished(() => service.stop());
  return service;
}
