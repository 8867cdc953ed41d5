import { openProviders } from '../../../src/agent/providers/open-providers.ts';
import { defaultProvider } from '../../../src/contract/provider.ts';
import { fingerprintOf } from '../../../src/agent/token-entries.ts';
import { State } from '../../../src/core/state.ts';
import { MemoryVault } from '../../fakes/memory-vault.ts';
import { noon } from '../../fixtures/make-events.ts';
import { makeCaller, startAnsweringService } from './answering-service.ts';

export const dayMs = 86_400_000;
export const instant = (ms: number) => new Date(ms).toISOString();
export const value = 'rvx_brought';
export const fingerprint = fingerprintOf(value);
const jwtUntil = (endMs: number) =>
  ['{}', JSON.stringify({ exp: endMs / 1000 }), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
/** Expires a day and a half from now. */
export const jwt = jwtUntil(noon + 1.5 * dayMs);
/** Expired a minute ago. */
export const endedJwt = jwtUntil(noon - 60_000);

export const parts = () => ({
  providers: openProviders(makeCaller(), () => noon),
  clock: () => noon,
  embeddedUrl: () => 'http://127.0.0.1:1',
  vault: new MemoryVault(),
  ledger: { state: new State() },
});
/** A service at an address. */
export const at = (baseUrl: string) => ({ baseUrl, provider: defaultProvider });
export const silent = () => startAnsweringService({ status: 404 });
export const down = () => startAnsweringService((incoming) => incoming.socket.destroy());
