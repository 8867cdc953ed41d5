import { CredentialView } from '../../../src/contract/credential/credential-view.ts';
import type { OpenService } from '../open-service.ts';

export interface CredentialToken {
  readonly value: string;
  readonly tokenId: string;
}

/** Issues a token and adds it as a credential under a name. */
export async function issueAndAdd(
  service: OpenService,
  name: string,
  { configuration, ...wanted }: { configuration?: Record<string, unknown> } & Record<string, unknown> = {},
): Promise<CredentialToken> {
  const { value, id: tokenId } = await service.issue({ name: `token of ${name}`, ...configuration });
  const { status, body } = await service.owner('POST', '/portal/credentials', { name, value, ...wanted });
  if (status !== 200) throw new Error(`It is not kept: ${JSON.stringify(body)}`);
  return { value, tokenId };
}

/** The credential as `GET /portal/credentials/:name` shows it. */
export async function shown(service: OpenService, name: string): Promise<CredentialView> {
  return CredentialView.parse((await service.owner('GET', `/portal/credentials/${name}`)).body);
}

/** The current token, as `GET /portal/credentials/:name/value` returns it. */
export async function valueOf(service: OpenService, name: string): Promise<string> {
  const { status, body } = await service.owner('GET', `/portal/credentials/${name}/value`);
  if (status !== 200) throw new Error(`There is no value: ${JSON.stringify(body)}`);
  return String(body.value);
}

/** The status with which a bearer is answered. */
export async function tryValue(service: OpenService, value: string): Promise<number> {
  return (await service.bearer(value, 'GET', '/v1/auth/token')).status;
}
