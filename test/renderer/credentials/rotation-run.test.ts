import { describe, expect, it } from 'vitest';
import type { RotationStep } from '../../../src/contract/credential/credential-checks.ts';
import { afterStep, ownSteps, type RotationRun } from '../../../src/renderer/credentials/rotation-run.ts';
import { credentialIdNamed, targetIdNamed } from '../../fixtures/credential-events.ts';

/** Steps as they are told, a second apart: `rotate`, or `deliver x` for a target. */
function told(...lines: string[]): RotationStep[] {
  return lines.map((line, place) => {
    const [step, target, ...message] = line.split(' ');
    return {
      credential_id: credentialIdNamed('app'),
      name: 'app',
      step: step as RotationStep['step'],
      target_id: target === undefined || target === '-' ? null : targetIdNamed(target),
      message: message.length === 0 ? null : message.join(' '),
      at: new Date(Date.UTC(2026, 0, 1) + place * 1000).toISOString(),
    };
  });
}

function runAfter(...lines: string[]): RotationRun | null {
  return told(...lines).reduce<RotationRun | null>(afterStep, null);
}

/** Each step with how it stands, in one word each. */
function stepsOf(run: RotationRun | null): string[] | undefined {
  return run?.steps.map(({ step, state }) => `${step} ${state}`);
}

describe('a rotation as it is told', () => {
  it('goes through its steps, each over when the next begins', () => {
    const run = runAfter('intent', 'vault_room', 'rotate');
    expect(run?.state).toBe('running');
    expect(stepsOf(run)).toEqual(['intent done', 'vault_room done', 'rotate running']);
    expect(run?.steps[0]).toMatchObject({
      beganAt: '2026-01-01T00:00:00.000Z',
      endedAt: '2026-01-01T00:00:01.000Z',
    });
  });

  it('is done with its own last step, and goes on with its deliveries', () => {
    const run = runAfter(
      ...ownSteps,
      'done',
      'deliver x',
      'deliver y',
      'done y',
      'failed x The folder is not there.',
    );
    expect(run).toMatchObject({ state: 'done', endedAt: '2026-01-01T00:00:06.000Z' });
    expect(stepsOf(run)).toEqual(ownSteps.map((step) => `${step} done`));
    expect(run?.deliveries).toMatchObject([
      { targetId: 'tgt_x', state: 'failed', message: 'The folder is not there.' },
      { targetId: 'tgt_y', state: 'done', message: null },
    ]);
  });

  it('fails at the step that was under way, with the words of the failure', () => {
    const run = runAfter('intent', 'vault_room', 'failed - The keychain is locked.');
    expect(run).toMatchObject({ state: 'failed', message: 'The keychain is locked.' });
    expect(stepsOf(run)).toEqual(['intent done', 'vault_room failed']);
    expect(run?.steps[1]?.message).toBe('The keychain is locked.');
  });

  it('begins anew with the next attempt', () => {
    expect(stepsOf(runAfter('intent', 'rotate', 'failed', 'intent'))).toEqual(['intent running']);
    expect(stepsOf(runAfter('intent', 'rotate', 'intent'))).toEqual(['intent running']);
    expect(stepsOf(runAfter('intent', 'rotate', 'failed', 'vault'))).toEqual(['vault running']);
  });

  it('is known from where the window was opened, when that was half way', () => {
    expect(stepsOf(runAfter('vault', 'verify', 'record', 'done'))).toEqual([
      'vault done',
      'verify done',
      'record done',
    ]);
    expect(runAfter('done')).toBeNull();
  });

  it('has nothing to do with deliveries that come by themselves', () => {
    expect(runAfter('deliver x', 'done x')).toBeNull();
    expect(runAfter('intent', 'done x')?.deliveries).toEqual([]);
  });

  it('shows a delivery that is tried again as under way again', () => {
    const run = runAfter('intent', 'done', 'deliver x', 'failed x', 'deliver x');
    expect(run?.deliveries).toMatchObject([{ targetId: 'tgt_x', state: 'running', message: null }]);
  });
});
