import type { CredentialView } from '../../contract/credential-view.ts';
import { waitsForPerson } from './state-words.ts';

/** What a person can do about a credential that is not well. */
export type WayOut =
  /** Issue its token again here, with the same settings. */
  | { readonly kind: 'reissue' }
  /** Issue a new token where the old one came from. */
  | { readonly kind: 'portal'; readonly origin: string }
  /** Bring a value. */
  | { readonly kind: 'paste' }
  /** Look at the token family: it may be suspended there, or this machine's address not be allowed. */
  | { readonly kind: 'family'; readonly id: string }
  /** Resume the token, which is suspended here. */
  | { readonly kind: 'resume'; readonly tokenId: string }
  /** Be reminded of the end only: the service cannot rotate. */
  | { readonly kind: 'remind' }
  /** Try again now instead of at the next attempt. */
  | { readonly kind: 'retry' };

/** What helps, the best first; nothing while nothing is wrong with the rotation. */
export function waysOut(one: CredentialView): WayOut[] {
  const { service, base_url: baseUrl, family_id: familyId, trouble } = one;
  if (waitsForPerson(one)) {
    if (service === 'remote') return [{ kind: 'paste' }, { kind: 'portal', origin: originOf(baseUrl) }];
    return familyId === null ? [{ kind: 'paste' }] : [{ kind: 'reissue' }, { kind: 'paste' }];
  }
  if (trouble === null) return [];
  if (trouble.kind === 'suspended')
    return one.token_id === null
      ? [{ kind: 'portal', origin: originOf(baseUrl) }, { kind: 'paste' }]
      : [{ kind: 'resume', tokenId: one.token_id }, { kind: 'reissue' }];
  if (trouble.kind === 'no_endpoint') return [{ kind: 'remind' }, { kind: 'retry' }];
  if (trouble.kind === 'refused' && familyId !== null)
    return [{ kind: 'family', id: familyId }, { kind: 'retry' }];
  return [{ kind: 'retry' }];
}

/** Without a path, which belongs to the API and not to the portal. */
function originOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
}

/** The host, for a row; a service of this machine is told apart by its words. */
export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}
