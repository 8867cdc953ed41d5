import { describe, expect, test } from 'vitest';
import type { ScenarioInput } from '../../../../src/contract/menu/ivr-draft.ts';
import type { PlannedCall } from '../../../../src/core/ivr/call/run-scenario.ts';
import { compileDraft } from '../../../../src/core/ivr/compile/compile-draft.ts';
import type { Flow } from '../../../../src/core/ivr/flow.ts';
import { type Pace, PlayClock } from '../../../../src/renderer/ivr/designer/play/play-clock.ts';
import type { Voice } from '../../../../src/renderer/ivr/designer/play/prompt-voice.ts';
import { ManualTimer } from '../../../fakes/manual-timer.ts';
import { officeDocument, officeHours, officeSources } from '../../../fixtures/office-document.ts';
import { twoMenus } from '../../../fixtures/ivr-documents.ts';

const flow = flowOfTwoMenus();

/** A voice whose prompts end when the test says so. */
class HandVoice implements Voice {
  /** What sounds now. */
  readonly sounding = new Map<string, () => void>();
  readonly played: string[] = [];

  play(prompt: string, onOver: () => void): () => void {
    this.played.push(prompt);
    this.sounding.set(prompt, onOver);
    return () => this.sounding.delete(prompt);
  }

  end(prompt: string): void {
    this.sounding.get(prompt)?.();
  }
}

function call({
  inputs = [],
  pace = 'real',
  isMuted = false,
}: { inputs?: readonly ScenarioInput[]; pace?: Pace; isMuted?: boolean } = {}) {
  const timer = new ManualTimer(0);
  const voice = new HandVoice();
  const clock = new PlayClock({
    flow,
    timer,
    voice,
    lengthOf: () => 2_000,
    planned: { inputs: [...inputs] },
    pace,
    isMuted,
  });
  clock.start();
  return { timer, voice, clock };
}

describe('a call in the phone', () => {
  test('a prompt is heard, and the clock of the menu runs down after it', async () => {
    const { timer, voice, clock } = call();
    expect(voice.played).toEqual(['recording||1']);
    await timer.advance(60_000);
    expect(clock.state().call.kind, 'while the prompt sounds').toBe('playing');
    voice.end('recording||1');
    expect(clock.state()).toMatchObject({ call: { kind: 'waiting' }, leftMs: 5_000 });
    await timer.advance(2_000);
    expect(clock.state().leftMs).toBe(3_000);
    await timer.advance(3_000);
    expect(clock.state()).toMatchObject({ call: { kind: 'playing', timeouts: 1 }, inputs: ['-'] });
    expect(voice.played.at(-1)).toBe('recording||3');
  });

  test('a key while a prompt sounds ends the sound and counts at once', () => {
    const { voice, clock } = call();
    clock.press('2');
    expect([...voice.sounding.keys()]).toEqual(['recording||1']); // of the next menu
    expect(voice.played).toEqual(['recording||1', 'recording||1']);
    expect(clock.state()).toMatchObject({ call: { menu: 'opening' }, inputs: ['2'] });
  });

  test('a key during the last prompt before leaving is said to change nothing, and is no input', () => {
    const { clock } = call({ pace: 'steps' });
    for (const key of ['7', '7', '7']) clock.press(key);
    clock.press('1');
    const { call: state, inputs, log } = clock.state();
    expect(state.kind).toBe('playing');
    expect(inputs).toEqual(['7', '7', '7']);
    expect(log.at(-1)).toEqual({
      kind: 'ignored',
      text: 'Key 1 changes nothing while the last prompt plays.',
    });
    clock.promptOver();
    expect(clock.state().call).toMatchObject({ kind: 'ended', destination: 'extension||101' });
  });

  test('ten times as fast nothing is heard and everything takes a tenth', async () => {
    const { timer, voice, clock } = call({ pace: 'fast' });
    expect(voice.played).toEqual([]);
    await timer.advance(199);
    expect(clock.state().call.kind).toBe('playing');
    await timer.advance(1);
    expect(clock.state().call.kind).toBe('waiting');
    await timer.advance(500);
    expect(clock.state().inputs).toEqual(['-']);
  });

  test('muted, a prompt takes as long as it would be heard', async () => {
    const { timer, voice, clock } = call({ isMuted: true });
    await timer.advance(1_999);
    expect(clock.state().call.kind).toBe('playing');
    await timer.advance(1);
    expect(clock.state().call.kind).toBe('waiting');
    expect(voice.played).toEqual([]);
  });

  test('step by step, time passes only when somebody says so', async () => {
    const { timer, voice, clock } = call({ pace: 'steps' });
    voice.end('recording||1');
    await timer.advance(600_000);
    expect(clock.state().call.kind).toBe('playing');
    clock.advance();
    await timer.advance(600_000);
    expect(clock.state()).toMatchObject({ call: { kind: 'waiting' }, leftMs: 5_000 });
    clock.advance();
    expect(clock.state().inputs).toEqual(['-']);
    expect(timer.waiting).toBe(0);
  });

  test('a change of pace in the middle of the wait keeps what is left', async () => {
    const { timer, voice, clock } = call();
    voice.end('recording||1');
    await timer.advance(1_000);
    clock.setPace('steps');
    await timer.advance(60_000);
    expect(clock.state().leftMs).toBe(4_000);
    clock.setPace('fast');
    await timer.advance(399);
    expect(clock.state().call.kind).toBe('waiting');
    await timer.advance(1);
    expect(clock.state().inputs).toEqual(['-']);
  });

  test('a scenario is played with its keys and timeouts to its end', async () => {
    const { timer, clock } = call({ inputs: ['-', '2', '1'], pace: 'fast' });
    await timer.advance(60_000);
    expect(clock.state()).toMatchObject({
      call: { kind: 'ended', destination: 'extension||101' },
      inputs: ['-', '2', '1'],
      toCome: [],
    });
    expect(timer.waiting).toBe(0);
  });

  test('step by step, a scenario gives its next key when asked to go on', () => {
    const { clock } = call({ inputs: ['2', '1'], pace: 'steps' });
    for (let step = 0; step < 4; step += 1) clock.advance();
    expect(clock.state().call).toMatchObject({ kind: 'ended', destination: 'extension||101' });
  });

  test('who presses a key takes the call over from a scenario', async () => {
    const { timer, clock } = call({ inputs: ['2', '1'], pace: 'fast' });
    clock.press('2');
    await timer.advance(60_000);
    expect(clock.state().inputs.slice(0, 2)).toEqual(['2', '-']);
  });

  test('after it is closed nothing sounds and nothing happens', async () => {
    const { timer, voice, clock } = call();
    const [over] = voice.sounding.values();
    clock.close();
    expect(voice.sounding.size).toBe(0);
    over?.();
    await timer.advance(60_000);
    expect(timer.waiting).toBe(0);
  });

  test('closed while it waits, the clock stands', async () => {
    const { timer, voice, clock } = call();
    voice.end('recording||1');
    clock.close();
    const before = clock.state();
    await timer.advance(60_000);
    expect(clock.state()).toBe(before);
    expect(timer.waiting).toBe(0);
  });
});

function flowOfTwoMenus(): Flow {
  const compiled = compileDraft(twoMenus, {});
  if (!compiled.ok) throw new Error('the fixture compiles');
  return compiled.value;
}

describe('a call that comes at a chosen time', () => {
  function opened(planned: Omit<PlannedCall, 'inputs'>): string {
    const compiled = compileDraft(officeDocument, officeSources);
    if (!compiled.ok) throw new Error('the fixture compiles');
    const clock = new PlayClock({
      flow: compiled.value,
      timer: new ManualTimer(0),
      voice: new HandVoice(),
      lengthOf: () => 2_000,
      planned: { inputs: [], ...planned },
      pace: 'steps',
      isMuted: true,
    });
    const { call } = clock.state();
    return call.kind === 'ended' ? call.destination : call.menu;
  }
  const set = (to: 'open' | 'closed') => ({ switches: { [officeHours.id]: { to, until: null } } });

  test.each([
    ['on a Monday', { at: '2026-11-30T08:00:00+01:00' }, 'reception'],
    ['on a Sunday', { at: '2026-11-29T08:00:00+01:00' }, 'we_are_closed'],
    ['at Christmas', { at: '2026-12-25T10:00:00+01:00' }, 'merry_christmas'],
    ['at Christmas, opened by hand', { at: '2026-12-25T10:00:00+01:00', ...set('open') }, 'reception'],
    ['whenever it is closed by hand', set('closed'), 'we_are_closed'],
  ] as const)('%s is led as at that time', (_when, planned, first) => {
    expect(opened(planned)).toBe(first);
  });
});
