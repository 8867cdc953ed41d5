/**
 * Services that let only a person create tokens: where that is done, and what can be asked about a token. The calls are in
 * `providers/assisted/calls.ts`.
 */

export interface AssistedService {
  /** Null: it can be anywhere. */
  readonly baseUrl: string | null;
  /** Where a person creates a token; null: not known. */
  readonly page: string | null;
  /** A call that changes nothing and is refused for a token that does not work; null: none is known. */
  readonly look: string | null;
}

export const assistedServices = {
  /** https://docs.github.com/authentication/keeping-your-account-and-data-secure/managing-your-personal-access-tokens */
  github: {
    baseUrl: 'https://api.github.com',
    page: 'https://github.com/settings/tokens',
    look: '/user',
  },
  /** https://docs.npmjs.com/creating-and-viewing-access-tokens */
  npm: {
    baseUrl: 'https://registry.npmjs.org',
    page: 'https://www.npmjs.com/settings/~/tokens',
    look: '/-/whoami',
  },
  /** https://docs.digitalocean.com/reference/api/create-personal-access-token */
  digitalocean: {
    baseUrl: 'https://api.digitalocean.com',
    page: 'https://cloud.digitalocean.com/account/api/tokens',
    look: '/v2/account',
  },
  /** https://tailscale.com/kb/1101/api; the id of a key is a part of it. */
  tailscale: {
    baseUrl: 'https://api.tailscale.com',
    page: 'https://login.tailscale.com/admin/settings/keys',
    look: '/api/v2/tailnet/-/keys/{id}',
  },
  /** https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account; calls need an e-mail address too. */
  atlassian: {
    baseUrl: 'https://api.atlassian.com',
    page: 'https://id.atlassian.com/manage-profile/security/api-tokens',
    look: null,
  },
  other: { baseUrl: null, page: null, look: null },
} as const satisfies Record<string, AssistedService>;

export type AssistedServiceName = keyof typeof assistedServices;
export const assistedServiceNames = Object.keys(assistedServices) as AssistedServiceName[];

/** What is known of the service of a credential. */
export function assistedServiceOf(inputs: Readonly<Record<string, string>>): AssistedService {
  const { service = '' } = inputs;
  return Object.hasOwn(assistedServices, service)
    ? assistedServices[service as AssistedServiceName]
    : assistedServices.other;
}
