import { isRevoked, providerIds } from '../../src/providers/catalogue.ts';
import { expect, it } from 'vitest';
import { openProviders } from '../../src/providers/open-providers.ts';
import { ServiceCaller } from '../../src/providers/http/service-caller.ts';

it.each(providerIds)('%s revokes its tokens on removal exactly where its facts say so', (id) => {
  const provider = openProviders(new ServiceCaller({}), Date.now).of(id);
  expect(provider.revoke !== undefined).toBe(isRevoked({ id }));
});
