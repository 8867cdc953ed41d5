import type { Certificate, Request, Session } from 'electron';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { trustExtraCertificates } from '../../../src/main/team/trust-certificates.ts';

const folder = join(import.meta.dirname, '..', '..', 'fixtures', 'tls');
const [own, other] = ['certificate.pem', 'other-certificate.pem'].map((name) => join(folder, name)) as [
  string,
  string,
];
const trusted = 0;
const useChromiums = -3;
/** ERR_CERT_AUTHORITY_INVALID */
const unknownToChromium = -202;

let server: Server;

beforeEach(async () => {
  server = createServer({ cert: readFileSync(own), key: readFileSync(join(folder, 'key.pem')) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  server.close();
  await once(server, 'close');
});

type Verify = (request: Request, answer: (verdict: number) => void) => void;

/** How the verdict of a session is asked for that was made for the server; none: it is Chromium's alone. */
function verifierOf(extra: string | undefined, scheme = 'https:'): Verify | undefined {
  let verify: Verify | undefined;
  const session = { setCertificateVerifyProc: (given: Verify) => (verify = given) };
  const { port } = server.address() as AddressInfo;
  trustExtraCertificates(session as unknown as Session, `${scheme}//127.0.0.1:${port}`, extra);
  return verify;
}

/** The verdict about a certificate that Chromium does not know, unless `request` says otherwise. */
function verdictOn(file: string, extra: string, request: Partial<Request> = {}): Promise<number> {
  const certificate = { data: readFileSync(file, 'utf8') } as Certificate;
  return new Promise((resolve) => {
    const asked = { hostname: '127.0.0.1', errorCode: unknownToChromium, certificate, ...request };
    verifierOf(extra)?.(asked as Request, resolve);
  });
}

describe('the certificate of a host for a team', () => {
  it('is trusted where NODE_EXTRA_CA_CERTS names it', async () => {
    expect(await verdictOn(own, own)).toBe(trusted);
  });

  it('is not trusted where that file names another', async () => {
    expect(await verdictOn(own, other)).toBe(useChromiums);
  });

  it('is not trusted where that file cannot be read', async () => {
    expect(await verdictOn(own, join(folder, 'there-is-none.pem'))).toBe(useChromiums);
  });

  it('is trusted only as the one that the host shows, and only for the host', async () => {
    expect(await verdictOn(other, own)).toBe(useChromiums);
    expect(await verdictOn(own, own, { hostname: 'localhost' })).toBe(useChromiums);
  });

  it('is left to Chromium where it knows it, without such a file, and without TLS', async () => {
    expect(await verdictOn(own, own, { errorCode: 0 })).toBe(useChromiums);
    expect(verifierOf(undefined)).toBeUndefined();
    expect(verifierOf('')).toBeUndefined();
    expect(verifierOf(own, 'http:')).toBeUndefined();
  });
});
