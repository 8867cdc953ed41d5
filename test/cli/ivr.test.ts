import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { Ivr, IvrCreated } from '../../src/contract/menu/ivr.ts';
import type { FieldError } from '../../src/contract/problems.ts';
import { defaultSettings } from '../../src/contract/service/settings.ts';
import { fileWith, menu } from './menu.ts';
import { type ServiceHere, serviceOfFile } from './service-here.ts';
import { rotavox } from './rotavox.ts';

let service: ServiceHere;
serviceOfFile((here) => void (service = here));

describe('rotavox ivr create', () => {
  it('creates an IVR from a file and prints its id alone on stdout', async () => {
    const { code, stdout, stderr } = await service.cli('ivr', 'create', await fileWith(menu));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ivr_\w+\n$/);
    expect(stderr).toContain('IVR created successfully.');
  });

  it('reads stdin for -, also with a byte order mark, and prints the whole reply with --json', async () => {
    const { code, stdout, stderr } = await rotavox(['ivr', 'create', '-', '--json'], {
      dataDir: service.dataDir,
      stdin: `\ufeff${JSON.stringify({ ...menu, colour: 'red' })}`,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const created = IvrCreated.parse(JSON.parse(stdout));
    expect(created.warnings[0]).toEqual({
      field: 'colour',
      message: 'is not a field of an IVR and was left out',
    });
  });

  it('prints the warnings as text, field by field', async () => {
    const { stderr } = await service.cli('ivr', 'create', await fileWith({ ...menu, colour: 'red' }));
    expect(stderr).toContain('Warning: colour: is not a field of an IVR');
    expect(stderr).toContain('Warning: recording: Recording 1, which “Main menu” plays,');
  });

  it('ends with 1 and reports the errors field by field when it is refused', async () => {
    const before = await service.json('ivr', 'list');
    const { code, stdout, stderr } = await service.cli(
      'ivr',
      'create',
      await fileWith({ ...menu, timeout: 121, option: [1, 1], name: undefined }),
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    for (const line of [
      '  name is required; it must be a text of 1 to 100 characters',
      '  timeout must be a whole number of seconds from 1 to 120',
      '  option must not have a key twice: 1',
    ]) {
      expect(stderr.split('\n')).toContain(line);
    }
    expect(await service.json('ivr', 'list')).toEqual(before);
  });

  it('names what is not one menu, with the way out, and creates nothing', async () => {
    const before = await service.json('ivr', 'list');
    const several = await service.cli('ivr', 'create', await fileWith([menu, { ...menu, name: 'Other' }]));
    expect(several).toMatchObject({ code: 1, stdout: '' });
    expect(several.stderr).toContain('is not the body of one IVR, but a list of them');
    expect(several.stderr).toContain('`rotavox ivr import`');
    const dialplan = await rotavox(['ivr', 'create', '-'], {
      dataDir: service.dataDir,
      stdin: '[office]\nexten => s,1,Answer()\n same => n,WaitExten(6)\n',
    });
    expect(dialplan).toMatchObject({ code: 2, stdout: '' });
    expect(dialplan.stderr).toContain('is an Asterisk dialplan, which cannot be imported');
    expect(await service.json('ivr', 'list')).toEqual(before);
  });

  it('ends with 1 when the file is more than the service takes', async () => {
    const file = await fileWith({ ...menu, description: 'x'.repeat(300_000) });
    const { code, stderr } = await service.cli('ivr', 'create', file);
    expect(code).toBe(1);
    expect(stderr).toContain('too large');
  });
});

describe('rotavox ivr list, show and delete', () => {
  it('read back what was created, numbers as numbers', async () => {
    const { id } = IvrCreated.parse(await service.json('ivr', 'create', await fileWith(menu)));
    const stored = Ivr.parse(await service.json('ivr', 'show', id));
    expect(stored).toMatchObject({
      id,
      version: 1,
      name: 'Main menu',
      timeout: 5,
      option: ['1', '2'],
      incorrect_count: 3,
      timeout_tries: 2,
    });
    expect(await service.json('ivr', 'list')).toMatchObject({
      ivrs: expect.arrayContaining([stored]) as unknown,
    });
    const table = await service.cli('ivr', 'list');
    expect(table.stdout).toMatch(/^ID +VERSION +CHANGED +KEYS +NAME\n/);
    expect(table.stdout).toMatch(new RegExp(`^${id} +1 +.* 1 2 +Main menu$`, 'm'));
    const shown = await service.cli('ivr', 'show', id);
    expect(shown.stdout).toMatch(/^Key 1 +extension\|\|101$/m);
    expect(shown.stdout).toMatch(/^Waits +5 s$/m);
    expect(shown.stdout).toMatch(
      /^Timeout +recording\|\|3 up to 2 times, then recording\|\|4 and extension\|\|104$/m,
    );
  });

  it('delete one, and then there is none with its id', async () => {
    const { id } = IvrCreated.parse(await service.json('ivr', 'create', await fileWith(menu)));
    expect(await service.cli('ivr', 'delete', id)).toEqual({
      code: 0,
      stdout: '',
      stderr: 'IVR deleted successfully.\n',
    });
    for (const command of ['show', 'delete']) {
      const gone = await service.cli('ivr', command, id);
      expect(gone).toMatchObject({ code: 1, stdout: '' });
      expect(gone.stderr).toContain('There is no IVR with this id');
    }
    const { id: other } = IvrCreated.parse(await service.json('ivr', 'create', await fileWith(menu)));
    expect(await service.json('ivr', 'delete', other)).toMatchObject({ Success: true, id: other });
  });
});

describe('rotavox settings', () => {
  it('switch SMS templates on, which then are kept', async () => {
    const withSms = { ...menu, sms_template: ['welcome'] };
    expect(await service.json('settings')).toEqual(defaultSettings);
    expect((await service.cli('settings')).stdout).toBe(
      [
        'sms_templates_enabled     false',
        'notifications_enabled     true',
        'quiet_hours               none',
        'update_feed               none',
        'theme                     system',
        'rotation_fraction         2/3',
        'rotation_preferred_hours  none',
        'port                      none',
        'first_steps               automatic',
        'call_records_days         90',
        'call_records_caller       whole',
        'outside_countries         none',
        'outside_calls_per_hour    30',
        'proxy                     system',
        'no_proxy                  none',
        'certificates              none',
        'speech_language           en-US',
        'speech_voice              none',
        '',
      ].join('\n'),
    );
    const off = IvrCreated.parse(await service.json('ivr', 'create', await fileWith(withSms)));
    expect(off.warnings[0]).toMatchObject({ field: 'sms_template' });

    expect(await service.cli('settings', 'set', 'sms_templates_enabled', 'true')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'sms_templates_enabled is true.\n',
    });
    const on = IvrCreated.parse(await service.json('ivr', 'create', await fileWith(withSms)));
    expect(on.warnings.map(({ field }) => field)).not.toContain('sms_template');
    expect(await service.json('ivr', 'show', on.id)).toMatchObject({ sms_template: ['welcome'] });
    expect((await service.cli('ivr', 'show', on.id)).stdout).toMatch(/^SMS templates +welcome$/m);

    expect(await service.json('settings', 'set', 'sms_templates_enabled', 'OFF')).toEqual(defaultSettings);
    expect(await service.json('settings', 'list')).toEqual(defaultSettings);
  });

  it('set hours and addresses, and take them away again', async () => {
    for (const [key, text, value, none] of [
      ['quiet_hours', '22:00-07:00', { from: '22:00', to: '07:00' }, null],
      ['update_feed', 'https://downloads.example.com/rotavox', 'https://downloads.example.com/rotavox', null],
      ['rotation_preferred_hours', '02:00-05:00', { from: '02:00', to: '05:00' }, null],
      ['outside_countries', 'AT,DE', ['AT', 'DE'], []],
    ] as const) {
      expect((await service.cli('settings', 'set', key, text)).stderr).toBe(`${key} is ${text}.\n`);
      expect(await service.json('settings')).toMatchObject({ [key]: value });
      expect(await service.json('settings', 'set', key, 'none')).toMatchObject({ [key]: none });
    }
  });

  it('set shares and words, and a port with what follows from it', async () => {
    for (const [key, text, value] of [
      ['rotation_fraction', '0.5', 0.5],
      ['rotation_fraction', '2/3', 2 / 3],
      ['first_steps', 'dismissed', 'dismissed'],
      ['call_records_days', '30', 30],
      ['call_records_caller', 'masked', 'masked'],
      ['speech_language', 'de-DE', 'de-DE'],
      ['speech_language', 'en-US', 'en-US'],
      ['speech_voice', 'flite/rms', 'flite/rms'],
      ['speech_voice', 'none', null],
      ['theme', 'dark', 'dark'],
      ['theme', 'system', 'system'],
    ] as const) {
      expect((await service.cli('settings', 'set', key, text)).stderr).toBe(`${key} is ${text}.\n`);
      expect(await service.json('settings')).toMatchObject({ [key]: value });
    }
    expect((await service.cli('settings', 'set', 'port', '7700')).stderr).toBe(
      'port is 7700.\nRotavox listens there after its next start. Apps must then call that port.\n',
    );
    expect(await service.json('settings', 'set', 'port', 'none')).toMatchObject({ port: null });
  });
});

describe('rotavox ivr validate', () => {
  it('reports that a valid file is valid, without a service', async () => {
    const result = await rotavox(['ivr', 'validate', await fileWith(menu)], { dataDir: '/nowhere' });
    expect(result).toEqual({ code: 0, stdout: '', stderr: 'Valid: it can be created as it is.\n' });
  });

  it('prints its findings with --json and ends with 1 when there is an error', async () => {
    const file = await fileWith({ ...menu, timeout: 0, colour: 'red' });
    const result = await rotavox(['ivr', 'validate', file, '--json']);
    expect(result.code).toBe(1);
    expect(JSON.parse(result.stdout)).toEqual({
      valid: false,
      errors: [{ field: 'timeout', message: 'must be a whole number of seconds from 1 to 120' }],
      warnings: [],
    });
    expect(await readFile(file, 'utf8')).toContain('red');
  });

  const { timeout_tries: _tries, timeout_retries: _retries, ...withoutTries } = menu;
  it.each<[string, unknown]>([
    ['the sample of the spec', menu],
    ['nothing', {}],
    ['a text', '"menu"'],
    ['an alias alone', { ...withoutTries, timeout_retries: '3' }],
    ['a wrong alias', { ...withoutTries, timeout_retries: 'three' }],
    ['no tries at all', withoutTries],
    ['a field that is null', { ...menu, name: null }],
    ['a key twice', { ...menu, option: ['1', 1] }],
    ['a key that is none', { ...menu, option: ['1', 'A'] }],
    ['a destination of an unknown type', { ...menu, destination: ['extension||1', 'moon||2'] }],
    ['a destination too few', { ...menu, destination: ['extension||1'] }],
    ['no options', { ...menu, option: [], destination: [] }],
    [
      'too many options',
      {
        ...menu,
        option: Array.from({ length: 25 }, (_, place) => String(place + 10)),
        destination: Array(25).fill('extension||1'),
      },
    ],
    ['options that are no list', { ...menu, option: '1' }],
    ['SMS templates that are too many', { ...menu, sms_template: ['a', 'b', 'c'] }],
    ['an SMS template that is an object', { ...menu, sms_template: [{}] }],
    ['an unknown field', { ...menu, colour: 'red' }],
  ])('reports for %s what the service reports', async (_what, body) => {
    const file = await fileWith(body);
    const [validated, created] = await Promise.all([
      rotavox(['ivr', 'validate', file, '--json']),
      fetch(`${service.baseUrl}/portal/ivrs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await service.portalKey()}`, 'content-type': 'application/json' },
        body: await readFile(file, 'utf8'),
      }),
    ]);
    const said = JSON.parse(validated.stdout) as { valid: boolean; errors: FieldError[] };
    const { errors = [] } = (await created.json()) as { errors?: FieldError[] };
    expect(said.valid).toBe(created.ok);
    expect(said.errors).toEqual(errors);
  });
});
