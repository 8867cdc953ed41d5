import { expect, it } from 'vitest';
import { credentialStates } from '../../../src/contract/credential/credential-view.ts';
import { listCredentials } from '../../../src/core/credential/find-credential.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import {
  credentialAdded,
  credentialPaused,
  deliveryFailed,
  rotationBegun,
  rotationFailed,
  targetAdded,
} from '../../fixtures/credential-events.ts';
import { noon } from '../../fixtures/make-events.ts';
import { describeProblem, stateAfter } from './credential-state.ts';

const context = {
  nowMs: noon,
  zone: () => 0,
  embeddedUrl: 'http://127.0.0.1:7682',
  describe: describeProblem,
};

function endingAfter(name: string, days: number) {
  const expires_at = isoInstant(noon + days * dayMs);
  return credentialAdded(name, { obtained_at: isoInstant(noon - 10 * dayMs), expires_at });
}

it('lists one of every state with the most pressing first, however they came', () => {
  const failing = (name: string, kind: Parameters<typeof rotationFailed>[1]) => [
    rotationBegun(name),
    rotationFailed(name, kind, { nextTryMs: noon + 1 }),
  ];
  const state = stateAfter(
    ...['fine', 'paused', 'delivering', 'rotating', 'failing', 'vault', 'refused', 'missing', 'lost'].map(
      (name) => credentialAdded(name),
    ),
    credentialAdded('reminding', { can_rotate: false }),
    endingAfter('due', 1),
    endingAfter('expired', 0),
    credentialPaused('paused'),
    targetAdded('delivering'),
    deliveryFailed('delivering', null),
    rotationBegun('rotating'),
    ...failing('failing', 'unreachable'),
    ...failing('vault', 'vault'),
    ...failing('refused', 'refused'),
    ...failing('missing', 'value_missing'),
    ...failing('lost', 'reply_lost'),
  );
  const listed = listCredentials(state, context);
  expect(listed.map(({ name }) => name)).toEqual([
    'lost',
    'missing',
    'expired',
    'refused',
    'vault',
    'failing',
    'rotating',
    'due',
    'delivering',
    'paused',
    'reminding',
    'fine',
  ]);
  expect(listed.map((view) => view.state)).toEqual(credentialStates);
});

it('lists what is in the same state by what expires sooner, and then by name', () => {
  const state = stateAfter(
    ...[endingAfter('b', 90), endingAfter('late', 91), endingAfter('a', 90), endingAfter('soon', 89)],
    // A year of five digits comes last, though its text comes first.
    credentialAdded('last', { expires_at: isoInstant(Date.parse('+010000-01-01T00:00:00.000Z')) }),
  );
  expect(listCredentials(state, context).map(({ name }) => name)).toEqual(['soon', 'a', 'b', 'late', 'last']);
});

it('lists nothing where there is nothing', () => {
  expect(listCredentials(stateAfter(), context)).toEqual([]);
});
