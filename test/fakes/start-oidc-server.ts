import { onTestFinished } from 'vitest';
import { listenAsOidc, type OidcServer } from './oidc-server.ts';

/** Listens until the test is over. */
export async function startOidcServer(...args: Parameters<typeof listenAsOidc>): Promise<OidcServer> {
  const oidc = await listenAsOidc(...args);
  onTestFinished(() => oidc.close());
  return oidc;
}
