import { describe, expect, it } from 'vitest';
import type { IvrDocument } from '../../src/contract/menu/ivr-draft.ts';
import { receptionDocument } from '../fixtures/reception-document.ts';
import { fileWith, menu } from './menu.ts';
import { rotavox } from './rotavox.ts';

function draftFile(document: IvrDocument): Promise<string> {
  return fileWith({ format: 'rotavox-ivr', version: 1, document });
}

const failingScenario = {
  lost: {
    id: 'lost',
    name: 'Lost caller',
    inputs: ['-'],
    expected: { kind: 'destination', destination: 'extension||101' },
  },
} as IvrDocument['scenarios'];

describe('rotavox ivr validate, of a draft', () => {
  it('reports that it can be published, and which scenarios pass', async () => {
    const result = await rotavox(['ivr', 'validate', await draftFile(receptionDocument)]);
    expect(result).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Scenario “Wants sales” passes.\nValid: it can be published as it is.\n',
    });
  });

  it('ends with 1 and reports what is incomplete, and that no scenario could run', async () => {
    const { reception } = receptionDocument.nodes as Record<string, object>;
    const open = { ...receptionDocument.nodes, reception: { ...reception, timeout_destination: null } };
    const file = await draftFile({ ...receptionDocument, nodes: open });
    const { code, stdout, stderr } = await rotavox(['ivr', 'validate', file]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('Scenario “Wants sales” was not run.');
    expect(stderr).toContain(
      '  nodes.reception.timeout_destination: The timeout of “Reception” has no destination. Choose where it leads.',
    );
  });

  it('ends with 1 when a scenario fails, and --json has what was expected and what came', async () => {
    const file = await draftFile({ ...receptionDocument, scenarios: failingScenario });
    const { code, stdout } = await rotavox(['ivr', 'validate', file, '--json']);
    expect(code).toBe(1);
    const message =
      'Scenario “Lost caller” fails: expected extension 101, but the call still waits in “Reception”. ' +
      'Change the flow or what the scenario expects.';
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      problems: [{ code: 'scenario_failed', path: 'scenarios.lost.expected', message }],
      scenarios: [{ id: 'lost', name: 'Lost caller', passed: false, message }],
    });
  });

  it('ends with 1 when the draft is of a newer version or no drawing', async () => {
    const newer = await fileWith({ format: 'rotavox-ivr', version: 2, document: receptionDocument });
    expect(await rotavox(['ivr', 'validate', newer])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(
        '  version must be 1: this file is from another version of Rotavox',
      ) as unknown,
    });
    const empty = await fileWith({ format: 'rotavox-ivr', version: 1 });
    expect((await rotavox(['ivr', 'validate', empty])).stderr).toContain('  document must be an object');
  });
});

describe('rotavox ivr validate, of a body', () => {
  it('warns of what the engine finds in it', async () => {
    const file = await fileWith({ ...menu, timeout_tries: 0 });
    expect(await rotavox(['ivr', 'validate', file])).toEqual({
      code: 0,
      stdout: '',
      stderr:
        'Warning: timeout_retry_recording: The retry recording of “Main menu” is never played, ' +
        'because the menu does not retry after a timeout. Increase timeout_tries if it should.\n' +
        'Valid: it can be created as it is.\n',
    });
  });
});

describe('what import reads', () => {
  const front = {
    ...menu,
    id: 'front',
    name: 'Front desk',
    option: ['1', '2'],
    destination: ['extension||101', 'ivr||service'],
  };
  const service = { ...menu, id: 'service', name: 'Service', option: ['1'], destination: ['extension||201'] };

  it.each([
    ['a list', [front, service]],
    ['an envelope', { data: { ivrs: [front, service] } }],
    ['a draft as the portal has it', { document: receptionDocument }],
  ])('can be validated and simulated: %s', async (_what, content) => {
    const file = await fileWith(content);
    const { code, stderr } = await rotavox(['ivr', 'validate', file]);
    expect({ code, last: stderr.trimEnd().split('\n').at(-1) }).toEqual({
      code: 0,
      last: 'Valid: it can be published as it is.',
    });
    expect(await rotavox(['ivr', 'simulate', file, '--keys', '2,1'])).toMatchObject({ code: 0 });
  });

  it('leads from one menu of a list into the next', async () => {
    const { stdout } = await rotavox(['ivr', 'simulate', await fileWith([front, service]), '--keys', '2,1']);
    expect(stdout).toContain('The call enters “Service”.');
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('Ended at extension||201.');
  });

  it('is refused with its place where it cannot be read, also with --json', async () => {
    const file = await fileWith([front, 7]);
    expect(await rotavox(['ivr', 'simulate', file])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'This file cannot be read as a menu:\n  [1] must be a phone menu, not a number\n',
    });
    const { code, stdout } = await rotavox(['ivr', 'validate', file, '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      { valid: false, errors: [{ field: '[1]', message: 'must be a phone menu, not a number' }] },
    ]);
  });

  it.each(['validate', 'simulate', 'import'])(
    'is named where it is of another program: ivr %s',
    async (command) => {
      const dialplan = '[office]\nexten => s,1,Answer()\n same => n,WaitExten(6)\n';
      const { code, stdout, stderr } = await rotavox(['ivr', command, '-'], { stdin: dialplan });
      expect({ code, stdout }).toEqual({ code: command === 'import' ? 1 : 2, stdout: '' });
      expect(stderr).toContain('is an Asterisk dialplan, which cannot be imported. Draw it in the designer');
    },
  );
});

describe('rotavox ivr simulate', () => {
  it('prints the log of a call and where it ended', async () => {
    const file = await draftFile(receptionDocument);
    const { code, stdout, stderr } = await rotavox(['ivr', 'simulate', file, '--keys', '7, -,2']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trimEnd().split('\n')).toEqual([
      'The call enters “Reception”.',
      'Plays recording 1.',
      'Waits 5 seconds for a key.',
      'The caller presses 7, a wrong key in “Reception”.',
      'Plays recording 2 after a wrong key.',
      'Plays recording 1.',
      'Waits 5 seconds for a key.',
      'Timeout: the caller pressed nothing.',
      'Plays recording 3 after a timeout.',
      'Plays recording 1.',
      'Waits 5 seconds for a key.',
      'The caller presses 2.',
      'Sends SMS template 31.',
      'Key 2 leads to “Sales”.',
      'The call enters “Sales”.',
      'Plays recording 5.',
      'Waits 8 seconds for a key.',
      'Waiting in “Sales”.',
    ]);
  });

  it('calls the body of an IVR as well, and gives the end with --json', async () => {
    const { code, stdout, stderr } = await rotavox([
      ...['ivr', 'simulate', await fileWith(menu), '--json', '--keys', '-,-,-,1'],
    ]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'The last key was not used: the call had ended.\n',
    });
    expect(JSON.parse(stdout)).toMatchObject({
      end: { kind: 'destination', destination: 'extension||104' },
      ignored: 1,
    });
  });

  it('ends with 2 for invalid keys, and with 1 for a flow that cannot be called', async () => {
    const wrong = await rotavox(['ivr', 'simulate', await fileWith(menu), '--keys', '1,x']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('“x” is not valid');
    const open = await rotavox(['ivr', 'simulate', await draftFile({ ...receptionDocument, nodes: {} })]);
    expect(open.code).toBe(1);
    expect(open.stderr).toContain('  caller.to: ');
    expect((await rotavox(['ivr', 'simulate', await fileWith({})])).stderr).toContain('  name is required');
  });
});

describe('a call flow that asks opening hours', () => {
  const weekly = {
    mon: [{ from: '08:00', to: '17:00' }],
    tue: [],
    wed: [],
    thu: [],
    fri: [],
    sat: [],
    sun: [],
  };
  const flow = {
    format: 'rotavox-ivr',
    version: 1,
    document: {
      name: 'Front desk',
      caller: { place: { x: 0, y: 0 }, to: 'ask' },
      nodes: {
        ask: {
          ...{ kind: 'hours', id: 'ask', place: { x: 0, y: 0 }, hours: 'hrs_1' },
          ...{ open: 'sales', closed: 'shut', holiday: null },
        },
        shut: {
          ...{ kind: 'message', id: 'shut', place: { x: 0, y: 0 }, name: 'Shut' },
          ...{ recording: 'recording||9', then: 'bye' },
        },
        sales: { kind: 'end', id: 'sales', place: { x: 0, y: 0 }, type: 'extension', ref: '101' },
        bye: { kind: 'end', id: 'bye', place: { x: 0, y: 0 }, type: 'hangup', ref: '' },
      },
      scenarios: {},
    },
    schedules: [
      {
        ...{ id: 'hrs_1', name: 'Office', time_zone: 'Europe/Berlin', weekly },
        exceptions: [{ date: '12-28', name: 'Inventory', ranges: [] }],
      },
    ],
  };

  it.each([
    [['--at', '2026-11-30 09:00'], 'Ended at extension||101.'],
    [['--at', '2026-11-30 17:00'], 'Ended at hangup.'],
    [['--at', '2026-11-30T15:59Z'], 'Ended at extension||101.'],
    [['--at', '2026-12-28 09:00'], 'Ended at hangup.'],
    [['--at', '2026-12-28 09:00', '--hours', 'office=open'], 'Ended at extension||101.'],
    [['--at', '2026-11-30 09:00', '--hours', 'Office=closed'], 'Ended at hangup.'],
  ])('is simulated with %j', async (given, end) => {
    const { code, stdout } = await rotavox(['ivr', 'simulate', await fileWith(flow), ...given]);
    expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, last: end });
  });

  it('says why, and what is wrong with an option', async () => {
    const file = await fileWith(flow);
    const { stdout } = await rotavox(['ivr', 'simulate', file, '--at', '2026-12-28 09:00']);
    expect(stdout).toContain('Asks the opening hours “Office”: closed for a holiday (Inventory).');
    const at = await rotavox(['ivr', 'simulate', file, '--at', 'soon']);
    expect(at).toMatchObject({ code: 2, stdout: '' });
    expect(at.stderr).toContain('“soon” is not a time.');
    const hours = await rotavox(['ivr', 'simulate', file, '--hours', 'Shop=open']);
    expect(hours.stderr).toContain('The call flow asks no opening hours “Shop”. It asks: Office.');
    expect((await rotavox(['ivr', 'simulate', file, '--hours', 'Office'])).code).toBe(2);
  });

  it('that only leads to itself is not exported', async () => {
    const { nodes } = flow.document;
    const endless = { ...nodes, ask: { ...nodes.ask, open: 'ask', closed: 'ask' } };
    const file = await fileWith({ ...flow, document: { ...flow.document, nodes: endless } });
    const { code, stdout } = await rotavox(['ivr', 'export', file, '--to', 'asterisk']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  it('is valid, and is exported to no file that would be another call flow', async () => {
    const file = await fileWith(flow);
    expect(await rotavox(['ivr', 'validate', file])).toMatchObject({ code: 0 });
    const dialplan = await rotavox(['ivr', 'export', file, '--to', 'asterisk']);
    expect(dialplan.stdout).toContain('; Opening hours: Office (Europe/Berlin)');
    const { code, stdout, stderr } = await rotavox(['ivr', 'export', file, '--to', 'freeswitch']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('The opening hours “Office” cannot be exported for FreeSWITCH yet.');
    const again = await rotavox(['ivr', 'export', file, '--to', 'document']);
    expect(JSON.parse(again.stdout)).toEqual(flow);
  });
});
