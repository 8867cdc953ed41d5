import { expect, it } from 'vitest';
import { providerFacts, providerIds } from '../../src/providers/catalogue.ts';
import { ServiceCaller } from '../../src/providers/http/service-caller.ts';
import { openProviders } from '../../src/providers/open-providers.ts';

const providers = openProviders(new ServiceCaller({}), Date.now);

it.each(providerIds)('%s has the calls that its facts promise', (id) => {
  const { traits, endOnRequest, endsReplaced } = providerFacts(id);
  const { shape, oldEnds, repeat } = traits;
  const { traits: own, endsBy, ...calls } = providers.of(id);
  expect(own).toBe(traits);
  expect(shape === 'renew' ? calls.renew : calls.rotate).toBeDefined();
  if (repeat === 'after_inspect') expect(calls.reconcile).toBeDefined();
  expect(calls.secret !== undefined && calls.obtain !== undefined).toBe(shape === 'refresh');
  expect(endsBy.includes('id')).toBe(oldEnds === 'when_retired');
  expect(endsBy.includes('value')).toBe(endsReplaced !== undefined);
  if (endOnRequest !== undefined || traits.isRevokedOnRemoval === true) expect(endsBy).toContain('itself');
  expect(calls.end !== undefined).toBe(endsBy.length > 0);
});
