import type { ProviderWords } from '../../contract/credential/provider-facts.ts';

export const datadogWords: ProviderWords = {
  name: 'Datadog',
  summary: 'API keys. An application key of yours creates each new one.',
  searchWords: [
    'datadog',
    'datadoghq.com',
    'dd',
    'api key',
    'application key',
    'agent',
    'metrics',
    'monitoring',
  ],
  creation: [
    {
      text: 'Under Organization settings, API keys. An API key has no permissions to tick. The application key that creates the next ones needs api_keys_read and api_keys_write.',
    },
  ],
  addressHint:
    'For another site, enter its address, such as https://api.datadoghq.eu or https://api.us5.datadoghq.com.',
  inputs: {
    guardian: {
      label: 'Credential with the application key',
      hint: 'Holds an application key of the same site. It needs the permissions api_keys_read and api_keys_write.',
    },
  },
  exampleInputs: { guardian: 'datadog-app-key' },
};
