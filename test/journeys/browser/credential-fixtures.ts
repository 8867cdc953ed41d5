import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CredentialView } from '../../../src/contract/credential/credential-view.ts';
import { problems } from '../../../src/contract/problems.ts';
import { cheapScrypt } from '../../fixtures/cheap-scrypt.ts';
import type { Owner } from '../owner.ts';
import { test as base } from './serve-host.ts';

/** A service that is not ours. */
export interface OtherService {
  readonly baseUrl: string;
  /**
   * What it says to a call such as `POST /v1/auth/rotate`; without one, 404. Whether it has that endpoint is answered with yes,
   * unless there is something to say to `endpoint?`.
   */
  readonly says: Map<string, { readonly status: number; readonly body: unknown }>;
}

interface Fixtures {
  /** A folder of this journey's own. */
  scratch: string;
  other: OtherService;
}

// Before anything is served. A passphrase that is a secret of nobody's.
const vaultFolder = mkdtempSync(join(tmpdir(), 'rotavox-vault-'));
const passphraseFile = join(vaultFolder, 'passphrase');
writeFileSync(passphraseFile, 'a passphrase for journeys\n', { mode: 0o600 });
process.on('exit', () => rmSync(vaultFolder, { recursive: true, force: true }));

/** A vault in the data folder: its names are those of one service, and no desktop has to be there. */
export const fileVault = { kind: 'file', passphraseFile, cost: cheapScrypt } as const;

/** A browser beside a service with a vault of its own, and another service elsewhere. */
export const test = base.extend<Fixtures>({
  vault: fileVault,
  // Playwright reads from the pattern which fixtures are needed: none.
  scratch: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'rotavox-credentials-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  other: async ({}, use) => {
    const says: OtherService['says'] = new Map([
      ['endpoint?', { status: 401, body: { success: false, message: problems.token_invalid.message } }],
    ]);
    const server = createServer((request, response) => {
      request.resume();
      const call = asksForEndpoint(request) ? 'endpoint?' : `${request.method ?? ''} ${request.url ?? ''}`;
      const said = says.get(call) ?? { status: 404, body: {} };
      response.writeHead(said.status, { 'content-type': 'application/json' }).end(JSON.stringify(said.body));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    await use({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, says });
    server.closeAllConnections();
    server.close();
  },
});

/** The question whether there is a rotate endpoint: a rotation that carries no key. */
function asksForEndpoint({ method, url, headers }: IncomingMessage): boolean {
  return method === 'POST' && url === '/v1/auth/rotate' && headers['idempotency-key'] === undefined;
}

/** A token of 7 days that is kept fresh under a name. */
export async function keep(owner: Owner, name: string): Promise<{ value: string; view: CredentialView }> {
  const { access_token: value } = await owner.issueToken({ name: `${name} token`, validity_days: 7 });
  return { value, view: await owner.ask('addCredential', { body: { name, value } }) };
}

/** The value that is kept under a name now. */
export async function valueOf(owner: Owner, name: string): Promise<string> {
  return (await owner.ask('readCredentialValue', { params: { name } })).value;
}
