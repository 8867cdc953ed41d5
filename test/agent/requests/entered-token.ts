import { expect } from 'vitest';
import { Services } from '../../../src/agent/services.ts';
import { ClientCertificates } from '../../../src/agent/vault/client-certificates.ts';
import { TokenFingerprints } from '../../../src/agent/vault/token-fingerprints.ts';
import { openProviders } from '../../../src/providers/open-providers.ts';
import { defaultProvider } from '../../../src/contract/credential/provider.ts';
import { digestOf } from '../../../src/service/secrets/token-value.ts';
import { State } from '../../../src/core/state.ts';
import { MemoryVault } from '../../fakes/memory-vault.ts';
import { noon } from '../../fixtures/make-events.ts';
import { makeCaller, startAnsweringService } from '../../providers/http/answering-service.ts';

export const dayMs = 86_400_000;
export const instant = (ms: number) => new Date(ms).toISOString();
export const value = 'rvx_brought';
/** How it is recognised from now on, and what it may be recorded as. */
export const recognised = {
  fingerprint: expect.stringMatching(/^h1\.[\w-]{51}$/) as string,
  alike: [digestOf(value), expect.stringMatching(/^h1\./) as string],
};
const jwtUntil = (endMs: number) =>
  ['{}', JSON.stringify({ exp: endMs / 1000 }), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
/** Expires a day and a half from now. */
export const jwt = jwtUntil(noon + 1.5 * dayMs);
/** Expired a minute ago. */
export const endedJwt = jwtUntil(noon - 60_000);

export const ports = () => {
  const vault = new MemoryVault();
  const ledger = { state: new State() };
  const fingerprints = new TokenFingerprints(vault, ledger);
  const clock = () => noon;
  const services = new Services({
    vault,
    fingerprints,
    ledger,
    clock,
    providers: openProviders(makeCaller(), clock),
    clientCertificates: new ClientCertificates(vault),
    embeddedUrl: () => 'http://127.0.0.1:1',
  });
  return { services, clock, fingerprints };
};
/** A service at an address. */
export const at = (baseUrl: string) => ({ baseUrl, provider: defaultProvider });
export const silent = () => startAnsweringService({ status: 404 });
export const down = () => startAnsweringService((incoming) => incoming.socket.destroy());
