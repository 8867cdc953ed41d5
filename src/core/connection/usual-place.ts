import { claudeAddress, type ConnectedTool } from '../../contract/credential/connected-tools.ts';
import type { CredentialView } from '../../contract/credential/credential-view.ts';
import { providerFacts } from '../../providers/catalogue.ts';
import type { ParseUrl } from './match-connection.ts';

/** Where a tool uses a token, and with which user name, as far as that is known. */
export interface UsualPlace {
  readonly url?: string;
  readonly username?: string;
}

/** Where a tool uses the token of a credential: known of its service, or nothing. */
export function usualPlace(
  tool: ConnectedTool,
  { provider, base_url: baseUrl }: Pick<CredentialView, 'provider' | 'base_url'>,
  parse: ParseUrl,
): UsualPlace {
  if (tool === 'claude') return { url: claudeAddress };
  // Go fetches modules from where git has them.
  const known = tool === 'go' ? 'git' : tool;
  const facts = known === 'git' || known === 'docker' ? providerFacts(provider.id)[known] : undefined;
  const origin = parse(baseUrl)?.origin;
  if (facts === undefined || origin === undefined) return {};
  const { username, origins, isElsewhere } = facts;
  const url = origins?.[origin] ?? (isElsewhere ? undefined : origin);
  return { username, ...(url === undefined ? {} : { url }) };
}
