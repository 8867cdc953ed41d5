import { expect, it } from 'vitest';
import type { UpdateState } from '../../../src/main/updates/update-state.ts';
import { updateWords } from '../../../src/main/updates/update-words.ts';

const states: Record<UpdateState['kind'], UpdateState> = {
  off: { kind: 'off' },
  cannot: { kind: 'cannot', why: 'This copy of Rotavox runs from a checkout.' },
  idle: { kind: 'idle' },
  checking: { kind: 'checking', asked: true },
  current: { kind: 'current', checkedAt: '2026-11-21T12:00:00.000Z', asked: true },
  available: { kind: 'available', version: '0.2.0', asked: true },
  downloading: { kind: 'downloading', version: '0.2.0', percent: 40 },
  ready: { kind: 'ready', version: '0.2.0' },
  installing: { kind: 'installing', version: '0.2.0' },
  failed: { kind: 'failed', step: 'check', problem: 'The feed does not answer.', asked: true },
};

it.each(Object.values(states))('says how it stands in a sentence: $kind', (state) => {
  const words = updateWords(state);
  expect(words).toMatch(/^[A-Z].*\.$/);
  if ('version' in state) expect(words).toContain(state.version);
  if (state.kind === 'failed') expect(words).toBe(state.problem);
  if (state.kind === 'cannot') expect(words).toBe(state.why);
});

it('says something else of every state', () => {
  const said = Object.values(states).map(updateWords);
  expect(new Set(said).size).toBe(said.length);
});
