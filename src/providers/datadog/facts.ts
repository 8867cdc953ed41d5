import type { ProviderFacts } from '../../contract/credential/provider-facts.ts';

/** API keys of Datadog; https://docs.datadoghq.com/api/latest/key-management */
export const datadogFacts = {
  traits: {
    shape: 'replace',
    oldEnds: 'when_retired',
    // A fleet of agents fetches a new key at different times:
    // https://docs.datadoghq.com/agent/configuration/secrets-management
    overlapHours: 24,
    repeat: 'after_inspect',
    endsOn: 'instant',
    longestDays: null,
    reuseEndsAll: false,
  },
  defaultBaseUrl: 'https://api.datadoghq.com',
  services: {
    other: {
      baseUrl: 'https://api.datadoghq.com',
      page: 'https://app.datadoghq.com/organization-settings/api-keys',
      ownPage: null,
    },
  },
  mayBeEmbedded: false,
  inputs: [{ name: 'guardian', kind: 'credential' }],
  examplePath: '/api/v1/validate',
  standby: null,
  slot: { header: 'dd-api-key', prefix: '' },
  forbidden: [
    { method: null, path: '/api/v1/api_key/**' },
    { method: null, path: '/api/v1/application_key/**' },
    { method: null, path: '/api/v2/api_keys/**' },
    { method: null, path: '/api/v2/application_keys/**' },
    { method: null, path: '/api/v2/current_user/application_keys/**' },
    { method: null, path: '/api/v2/personal_access_tokens/**' },
    { method: null, path: '/api/v2/service_accounts/**' },
    { method: null, path: '/api/v2/user_invitations/**' },
    { method: null, path: '/api/v2/client_tokens/**' },
  ],
} as const satisfies ProviderFacts;
