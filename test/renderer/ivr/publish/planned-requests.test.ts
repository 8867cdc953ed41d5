import { expect, test } from 'vitest';
import { compileDraft } from '../../../../src/core/ivr/compile/compile-draft.ts';
import { plannedRequests } from '../../../../src/renderer/ivr/designer/publish/planned-requests.ts';
import { knownIds } from '../../../../src/renderer/ivr/designer/publish/read-publications.ts';
import { twoMenus } from '../../../fixtures/ivr-documents.ts';

const compiled = compileDraft(twoMenus, {});
if (!compiled.ok) throw new Error('the fixture compiles');
const flow = compiled.value;

test('new menus in a circle: created, then completed with the ids that the service gave', () => {
  const requests = plannedRequests(flow, {});
  expect(requests.map(({ method, path, completes }) => [method, path, completes])).toEqual([
    ['POST', '/v1/ivr', false],
    ['POST', '/v1/ivr', false],
    ['PUT', '/v1/ivr/<id of Opening>', true],
  ]);
  expect(requests[0]?.body.destination).toEqual(['extension||101', 'hangup']);
  expect(requests[1]?.body.destination).toEqual(['extension||101', 'ivr||<id of Opening>']);
  expect(requests[2]?.body.destination).toEqual(['extension||101', 'ivr||<id of Reception>']);
});

test('menus that are there already are replaced under their ids', () => {
  const requests = plannedRequests(flow, { reception: 'ivr_a', opening: 'ivr_b' });
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'PUT /v1/ivr/ivr_b',
    'PUT /v1/ivr/ivr_a',
  ]);
  expect(requests[1]?.body.destination).toEqual(['extension||101', 'ivr||ivr_b']);
});

test('ids are those of the same target', () => {
  const at = (credential: string | null, menus: Record<string, string>) => ({
    credential,
    base_url: 'http://127.0.0.1',
    menus,
    version: 1,
    published_at: null,
  });
  const publications = [at('prod', { reception: 'ivr_p' }), at(null, { reception: 'ivr_h' })];
  expect(knownIds(publications, null)).toEqual({ reception: 'ivr_h' });
  expect(knownIds(publications, 'prod')).toEqual({ reception: 'ivr_p' });
  expect(knownIds(publications, 'other')).toEqual({});
});
