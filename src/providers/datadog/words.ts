import type { ProviderWords } from '../../contract/credential/provider-facts.ts';

export const datadogWords: ProviderWords = {
  name: 'Datadog',
  summary: 'API keys, created by an application key and deleted when every target has the new one.',
  searchWords: ['datadog', 'dd', 'api key', 'application key', 'agent', 'metrics', 'monitoring'],
  addressHint:
    'Change it for another site, such as https://api.datadoghq.eu or https://api.us5.datadoghq.com.',
  inputs: {
    guardian: {
      label: 'Credential with the application key',
      hint: 'An application key of the same site that may read and write API keys (api_keys_read, api_keys_write).',
    },
  },
  exampleInputs: { guardian: 'datadog-app-key' },
};
