import { describe, expect, it } from 'vitest';
import { type NodeId, Scenario } from '../../../../src/contract/menu/ivr-draft.ts';
import { runInputs, runScenario } from '../../../../src/core/ivr/call/run-scenario.ts';
import { type CallInput, type CallState, startCall, step } from '../../../../src/core/ivr/call/step.ts';
import type { CallHappening, FlowTarget } from '../../../../src/contract/menu/ivr-call.ts';
import { type Flow, type FlowMenu, menusOnly, nodeLedTo } from '../../../../src/core/ivr/flow.ts';
import { compileDraft } from '../../../../src/core/ivr/compile/compile-draft.ts';
import { receptionDocument } from '../../../fixtures/reception-document.ts';
import { anyTime } from '../../../fixtures/any-time.ts';

const ended = { kind: 'prompt_ended' } as const;
const timeout = { kind: 'silence' } as const;
const press = (key: string): CallInput => ({ kind: 'key', key });

function out(destination: string): FlowTarget {
  return { kind: 'destination', destination, node: null };
}

function menu(id: string, change: Partial<FlowMenu> = {}): FlowMenu {
  return {
    id: id as NodeId,
    name: id,
    description: '',
    recording: `recording||${id}`,
    timeoutSeconds: 5,
    keys: new Map([
      ['1', { to: out('extension||101'), smsTemplate: '31' }],
      ['2', { to: { kind: 'menu', menu: 'second' as NodeId }, smsTemplate: null }],
      ['3', { to: { kind: 'menu', menu: 'first' as NodeId }, smsTemplate: null }],
    ]),
    wrongKey: { recording: 'recording||wrong', retries: 1, to: out('extension||wrong') },
    timeout: {
      retries: 1,
      retryRecording: 'recording||again',
      lastRecording: 'recording||last',
      to: out('extension||silent'),
    },
    directDial: null,
    ...change,
  };
}

function flowOf(...menus: FlowMenu[]): Flow {
  return menusOnly('first' as NodeId, new Map(menus.map((one) => [one.id, one])));
}

const flow = flowOf(menu('first'), menu('second'));

/** The log of a call, a word or two each, and where it is then. */
function call(inputs: readonly CallInput[], on = flow): { state: CallState; log: string[] } {
  const { happenings, state: begun } = startCall(on, anyTime);
  const all = [...happenings];
  let state = begun;
  for (const input of inputs) {
    const next = step(on, state, input, anyTime);
    all.push(...next.happenings);
    ({ state } = next);
  }
  return { state, log: all.map(brief) };
}

function brief(happening: CallHappening): string {
  switch (happening.kind) {
    case 'entered':
      return `entered ${happening.menu}`;
    case 'playing':
      return `playing ${happening.prompt.recording} (${happening.prompt.cause})`;
    case 'waiting':
      return `waiting ${happening.seconds}`;
    case 'key':
      return `key ${happening.key} ${happening.used ? 'used' : 'unused'}`;
    case 'silence':
      return 'silence';
    case 'sms':
      return `sms ${happening.template}`;
    case 'led': {
      const { port, to } = happening;
      return `${port.kind} led to ${to.kind === 'destination' ? to.destination : nodeLedTo(to)}`;
    }
    case 'hours':
      return `hours ${happening.menu} ${happening.state} (${happening.reason.kind})`;
    case 'digits':
      return `digits ${happening.digits} ${happening.seconds}`;
  }
}

function endOf(inputs: string, on = flow): string {
  const { state } = runInputs(on, inputs.split(''), anyTime);
  return state.kind === 'ended' ? state.destination : state.kind;
}

describe('a call that enters a menu', () => {
  it('is played the recording and then waits so many seconds', () => {
    expect(call([])).toMatchObject({
      state: { kind: 'playing', menu: 'first', wrongKeys: 0, timeouts: 0, then: null },
      log: ['entered first', 'playing recording||first (menu)'],
    });
    expect(call([ended])).toMatchObject({
      state: { kind: 'waiting', menu: 'first' },
      log: ['entered first', 'playing recording||first (menu)', 'waiting 5'],
    });
  });

  it('goes where a key leads, also while the recording still plays, and sends the key’s SMS template', () => {
    for (const before of [[], [ended]]) {
      const { state, log } = call([...before, press('1')]);
      expect(state).toEqual({ kind: 'ended', destination: 'extension||101', node: null });
      expect(log.slice(-3)).toEqual(['key 1 used', 'sms 31', 'key led to extension||101']);
    }
  });
});

describe('a wrong key', () => {
  it('plays the notice, and the menu plays again', () => {
    const wrong = call([ended, press('7')]);
    expect(wrong.state).toMatchObject({ kind: 'playing', wrongKeys: 1, timeouts: 0, then: null });
    expect(wrong.log.slice(-2)).toEqual(['key 7 unused', 'playing recording||wrong (wrong_key)']);
    expect(call([ended, press('7'), ended]).log.at(-1)).toBe('playing recording||first (menu)');
    expect(call([ended, press('7'), ended, ended]).state.kind).toBe('waiting');
  });

  it('counts at once while the prompt about the last one plays', () => {
    const { state } = call([press('7'), press('7')]);
    expect(state).toMatchObject({ kind: 'playing', then: out('extension||wrong') });
  });

  it('plays the notice even when no attempt remains, and then leads on; a key meanwhile is ignored', () => {
    const last = call([press('7'), press('8')]);
    expect(last.log.at(-1)).toBe('playing recording||wrong (wrong_key)');
    expect(call([press('7'), press('8'), press('1')])).toEqual(last);
    expect(call([press('7'), press('8'), ended])).toMatchObject({
      state: { kind: 'ended', destination: 'extension||wrong' },
      log: expect.arrayContaining(['wrong_key led to extension||wrong']) as unknown,
    });
  });
});

describe('a timeout', () => {
  it('plays the retry recording and the menu again while tries remain, then the last recording', () => {
    expect(call([ended, timeout]).log.slice(-2)).toEqual([
      'silence',
      'playing recording||again (silence_retry)',
    ]);
    const last = call([ended, timeout, ended, ended, timeout]);
    expect(last.state).toMatchObject({ kind: 'playing', then: out('extension||silent') });
    expect(last.log.at(-1)).toBe('playing recording||last (silence_last)');
    expect(endOf('--')).toBe('extension||silent');
  });

  it('is none while something plays', () => {
    expect(call([timeout, timeout])).toEqual(call([]));
  });
});

describe('the two counters', () => {
  it.each([
    ['-7', 'waiting'],
    ['7-', 'waiting'],
    ['-7-', 'extension||silent'],
    ['7-7', 'extension||wrong'],
    ['--', 'extension||silent'],
    ['77', 'extension||wrong'],
  ])('are separate: %s leads to %s', (inputs, end) => {
    expect(endOf(inputs)).toBe(end);
  });

  it.each([
    ['7-2', 'waiting'],
    ['7-27-', 'waiting'],
    ['7-27-7', 'extension||wrong'],
    ['7-37-', 'waiting'],
    ['7-37--', 'extension||silent'],
  ])('start over in the next menu and in the same one entered again: %s leads to %s', (inputs, end) => {
    expect(endOf(inputs)).toBe(end);
  });

  it.each([
    [0, '7', 'extension||wrong'],
    [0, '-', 'extension||silent'],
    [2, '77', 'waiting'],
    [2, '777', 'extension||wrong'],
    [2, '--', 'waiting'],
    [2, '---', 'extension||silent'],
  ])('allow %i more attempts: %s leads to %s', (retries, inputs, end) => {
    const { wrongKey, timeout: silent } = menu('first');
    const other = menu('first', {
      wrongKey: { ...wrongKey, retries },
      timeout: { ...silent, retries },
    });
    expect(endOf(inputs, flowOf(other, menu('second')))).toBe(end);
  });
});

describe('a call that has left', () => {
  it('plays nothing more, and inputs after its end are counted', () => {
    const left = call([press('1')]);
    expect(call([press('1'), press('2'), timeout, ended])).toEqual(left);
    expect(runInputs(flow, ['1', '2', '-'], anyTime).ignored).toBe(2);
  });
});

function run(inputs: string, expected: Scenario['expected']) {
  const compiled = compileDraft(receptionDocument, {});
  if (!compiled.ok) throw new Error('the fixture compiles');
  const scenario = Scenario.parse({ id: 'try', name: 'A try', inputs: inputs.split(''), expected });
  return runScenario(compiled.value, scenario, 0);
}

function expectedAt(destination: string): Scenario['expected'] {
  return { kind: 'destination', destination };
}

function waits(menu: string): Scenario['expected'] {
  return { kind: 'menu', menu: menu as NodeId };
}

describe('a scenario', () => {
  it.each([
    ['1', expectedAt('extension||100')],
    ['21', expectedAt('extension||101')],
    ['', waits('reception')],
    ['2-', waits('sales')],
    ['---', expectedAt('hangup')],
    // Both ways of writing it are the end of the call.
    ['9', expectedAt('hangup||')],
  ])('%j passes if the call ends at %j', (inputs, expected) => {
    expect(run(inputs, expected)).toMatchObject({ scenario: 'try', passed: true, failure: null, ignored: 0 });
  });

  const sales = { kind: 'menu', menu: 'Sales' } as const;
  it.each([
    ['1', expectedAt('extension||101'), expectedAt('extension||101'), expectedAt('extension||100')],
    ['2', expectedAt('hangup'), expectedAt('hangup'), sales],
    ['9', waits('sales'), sales, expectedAt('hangup')],
    ['2', waits('reception'), { kind: 'menu', menu: 'Reception' }, sales],
    ['2', waits('gone'), { kind: 'menu', menu: null }, sales],
  ])('%j fails with what was expected and what came when %j does not come', (inputs, end, expected, came) => {
    expect(run(inputs, end)).toMatchObject({
      passed: false,
      failure: { scenario: 'A try', expected, came },
    });
  });

  it('says how many inputs came after the call had left', () => {
    expect(run('1-2', expectedAt('extension||100'))).toMatchObject({ passed: true, ignored: 2 });
  });
});
