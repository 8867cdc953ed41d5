import { StartSignIn } from '../../src/contract/credential/sign-in.ts';
import { oidcClient, type OidcServer, Visitor } from '../fakes/oidc-server.ts';
import { credentialIdNamed } from '../fixtures/credential-events.ts';
import type { LoneAgent } from '../agent/agent-setup.ts';

export interface Bundle {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly client_secret?: string;
}

export function bundleIn(secret: string): Bundle {
  return JSON.parse(secret) as Bundle;
}

export function secretsIn(secret: string): string[] {
  const { access_token, refresh_token, client_secret } = bundleIn(secret);
  return [access_token, refresh_token, client_secret].filter((one) => typeof one === 'string');
}

/** Signs in with a browser, as a person does. Throws when that does not work. */
export async function signIn(
  { agent }: LoneAgent,
  wanted: Record<string, unknown> & { readonly name: string },
): Promise<void> {
  const body = StartSignIn.parse({ method: 'browser', ...wanted });
  const started = await agent.requests.startSignIn(credentialIdNamed(body.name), body);
  if (!started.ok) throw new Error(JSON.stringify(started.refusal));
  await new Visitor().visit(started.value.url);
  const ended = agent.requests.signIn(started.value.id);
  if (ended?.status !== 'done') throw new Error(JSON.stringify(ended));
}

export function oidcChoice(issuer: string) {
  return {
    id: 'oauth2',
    inputs: { service: 'other', issuer, client_id: oidcClient, scope: 'openid offline_access' },
  } as const;
}

export function isSecretAlive(oidc: OidcServer, secret: string): Promise<boolean> {
  return oidc.isRefreshAlive(bundleIn(secret).refresh_token);
}
