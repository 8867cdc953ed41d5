import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { rotavox } from './rotavox.ts';
import { fine, noUse, refusal, StandInService, type Call } from './stand-in-service.ts';

let service: StandInService;

beforeEach(async () => {
  service = await StandInService.start();
});

function cli(command: string, stdin = '') {
  return rotavox(command.split(' '), { dataDir: service.dataDir, stdin });
}

/** Runs a command that has to succeed, and returns its calls to the service. */
async function callsOf(command: string, stdin?: string): Promise<readonly Call[]> {
  const result = await cli(command, stdin);
  expect(result).toMatchObject({ code: 0, stdout: '' });
  return service.calls;
}

const target = {
  id: 'tgt_1',
  target: { kind: 'file', path: '/srv/pbx/token' },
  status: 'delivered',
  generation: 1,
  delivered_at: '2026-11-21T12:00:01.000Z',
  note: null,
  message: null,
  attempts: 1,
  next_try_at: null,
};
const failing = {
  ...target,
  status: 'failing',
  generation: 0,
  delivered_at: null,
  message: 'The folder is not there.',
  next_try_at: '2026-11-21T12:01:00.000Z',
};
const trouble = {
  kind: 'unreachable',
  message: 'Nothing answers at https://api.example.com.',
  since: '2026-11-21T12:00:00.000Z',
  attempts: 2,
  next_try_at: '2026-11-21T12:05:00.000Z',
};
const vault = { kind: 'keychain', description: 'the OS keychain', status: 'ok', message: null };

describe('what a credential command asks of the service', () => {
  it.each([
    ['add pbx', 'rvx_abc\n', 'POST /portal/credentials', { name: 'pbx', value: 'rvx_abc' }],
    [
      'add pbx --base-url https://api.example.com/ --validity 7 --expires-at 2030-01-01T00:00:00Z',
      ' rvx_abc \r\n',
      'POST /portal/credentials',
      {
        name: 'pbx',
        value: 'rvx_abc',
        base_url: 'https://api.example.com',
        validity_days: 7,
        expires_at: '2030-01-01T00:00:00Z',
      },
    ],
    ['rotate pbx --yes', '', 'POST /portal/credentials/pbx/rotate', undefined],
    ['reissue pbx', '', 'POST /portal/credentials/pbx/reissue', undefined],
    [
      'replace pbx --validity 30',
      'rvx_new',
      'PUT /portal/credentials/pbx/value',
      { value: 'rvx_new', validity_days: 30 },
    ],
    ['pause pbx', '', 'POST /portal/credentials/pbx/pause', undefined],
    [
      'pause pbx --until 2030-01-01T00:00:00Z',
      '',
      'POST /portal/credentials/pbx/pause',
      { until: '2030-01-01T00:00:00Z' },
    ],
    ['resume pbx', '', 'POST /portal/credentials/pbx/resume', undefined],
    ['remove pbx', '', 'DELETE /portal/credentials/pbx', undefined],
    ['target pbx deliver tgt_1', '', 'POST /portal/credentials/pbx/targets/tgt_1/deliver', undefined],
    ['target pbx remove tgt_1', '', 'DELETE /portal/credentials/pbx/targets/tgt_1', undefined],
  ])('credential %s', async (command, stdin, call, body) => {
    service.answers.set('POST /portal/credentials/pbx/targets/tgt_1/deliver', [
      200,
      { ...fine, targets: [target] },
    ]);
    expect(await callsOf(`credential ${command}`, stdin)).toEqual([{ call, body }]);
  });

  it.each([
    ['--fraction 0.5', { fraction: 0.5 }],
    ['--preferred-hours 22:00-04:00', { preferred_hours: { from: '22:00', to: '04:00' } }],
    ['--validity 90d', { validity_days: 90 }],
    ['--validity 7', { validity_days: 7 }],
    ['--validity default', { validity_days: null }],
    ['--preferred-hours any --fraction .66', { fraction: 0.66, preferred_hours: null }],
  ])('credential policy pbx %s', async (options, body) => {
    const { stdout } = await cli(`credential policy pbx ${options}`);
    expect(service.calls).toEqual([{ call: 'PATCH /portal/credentials/pbx/policy', body }]);
    expect(stdout).toMatch(
      /^pbx is rotated after 67 % of its lifetime, at any hour; next: 2126-11-26 04:05:06 /,
    );
  });

  it('credential policy pbx alone only reads', async () => {
    await cli('credential policy pbx');
    expect(service.calls).toEqual([{ call: 'GET /portal/credentials/pbx', body: undefined }]);
  });

  it.each([
    ['30m', 30 * 60_000],
    ['2h', 2 * 3_600_000],
    ['1d', 24 * 3_600_000],
  ])('credential pause pbx --for %s', async (time, ms) => {
    const before = Date.now();
    const [call] = await callsOf(`credential pause pbx --for ${time}`);
    const { until } = call?.body as { until: string };
    expect(Date.parse(until)).toBeGreaterThanOrEqual(before + ms);
    expect(Date.parse(until)).toBeLessThanOrEqual(Date.now() + ms);
  });

  it.each([
    [
      'keychain --service pbx-client --account me',
      { kind: 'keychain', service: 'pbx-client', account: 'me' },
    ],
    ['file /srv/pbx/token', { kind: 'file', path: '/srv/pbx/token' }],
    ['file token', { kind: 'file', path: join(process.cwd(), 'token') }],
    [
      'dotenv ../.env',
      { kind: 'dotenv', path: join(dirname(process.cwd()), '.env'), variable: 'ROTAVOX_TOKEN' },
    ],
    ['dotenv /srv/.env --variable PBX', { kind: 'dotenv', path: '/srv/.env', variable: 'PBX' }],
    [
      'setting /srv/app.json --key a.b --template Bearer-{token} --create --mode 0640',
      {
        kind: 'setting',
        path: '/srv/app.json',
        key: 'a.b',
        template: 'Bearer-{token}',
        create: true,
        mode: '0640',
      },
    ],
    [
      'setting x --key a --format yaml --base64 me:{token}',
      {
        kind: 'setting',
        path: join(process.cwd(), 'x'),
        key: 'a',
        format: 'yaml',
        template: 'me:{token}',
        encoding: 'base64',
      },
    ],
    ['hook -- systemctl --user reload pbx', hook(['systemctl', '--user', 'reload', 'pbx'])],
    [
      'hook -- ./reload.sh --variable x -- y',
      hook([join(process.cwd(), 'reload.sh'), '--variable', 'x', '--', 'y']),
    ],
    [
      'hook --pass env --variable PBX --time-limit 60 -- curl -X POST ./here',
      { ...hook(['curl', '-X', 'POST', './here']), pass: 'env', variable: 'PBX', time_limit_seconds: 60 },
    ],
  ])('credential target pbx add %s', async (words, body) => {
    expect(await callsOf(`credential target pbx add ${words}`)).toEqual([
      { call: 'POST /portal/credentials/pbx/targets', body },
    ]);
  });

  function hook(command: readonly string[]) {
    return { kind: 'hook', command, pass: 'stdin', variable: 'ROTAVOX_TOKEN', time_limit_seconds: 30 };
  }
});

describe('what a credential command prints', () => {
  it.each([
    'show pbx',
    'rotate pbx',
    'policy pbx',
    'target pbx add file /srv/token',
    'target pbx remove tgt_1',
  ])('is the credential on one line with --json: %s', async (command) => {
    const { code, stdout, stderr } = await cli(`credential ${command} --json`, 'rvx_abc');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\{.*\}\n$/);
    const { use, ...shown } = JSON.parse(stdout) as Record<string, unknown>;
    expect(shown).toEqual(fine);
    expect(use).toEqual(command.startsWith('show') ? noUse : undefined);
  });

  it('lists a line each with the exact time of the next rotation and the last result', async () => {
    const credentials = [
      { ...fine, name: 'stuck', state: 'reply_lost', next_rotation_at: null, trouble },
      { ...fine, name: 'behind', state: 'delivery_failing', targets: [target, failing] },
      { ...fine, name: 'well', last_rotated_at: '2026-11-20T03:04:05.000Z', targets: [target] },
    ];
    service.answers.set('GET /portal/credentials', [200, { credentials, vault }]);
    const { code, stdout, stderr } = await cli('credential list');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [head, stuck, behind, well] = stdout.split('\n');
    expect(head).toMatch(/^NAME +STATE +LEFT +NEXT ROTATION +LAST RESULT$/);
    expect(stuck).toMatch(
      /^stuck +Needs a new token +\d+ d(?: \d+ h)? +- +failed: Nothing answers at https:/,
    );
    expect(behind).toMatch(
      /^behind +Delivery failed +\d+ d(?: \d+ h)? +2126-11-26 04:05:06 +not rotated yet, not delivered to 1 of 2$/,
    );
    expect(well).toMatch(/^well +OK +\d+ d(?: \d+ h)? +2126-11-26 04:05:06 +rotated 2026-11-20 03:04:05$/);
    const inJson = await cli('credential list --json');
    expect(JSON.parse(inJson.stdout)).toEqual({ credentials, vault });
  });

  it('says on stderr that the vault is in trouble and what to do', async () => {
    const locked = { ...vault, status: 'locked', message: 'Unlock it, then look again.' };
    service.answers.set('GET /portal/credentials', [200, { credentials: [fine], vault: locked }]);
    for (const command of ['credential list', 'credential list --json']) {
      const { code, stderr } = await cli(command);
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: 'The keychain is locked (the OS keychain). Unlock it, then look again.\n',
      });
    }
  });

  it('shows the command for an encrypted file where there is no keychain', async () => {
    const absent = { ...vault, status: 'absent', message: 'There is no keychain.' };
    service.answers.set('GET /portal/credentials', [200, { credentials: [fine], vault: absent }]);
    const { code, stderr } = await cli('credential list');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'The keychain is missing (the OS keychain). There is no keychain.\nTo do: rotavox serve --vault file\n',
    });
  });

  it('says so when there is none', async () => {
    service.answers.set('GET /portal/credentials', [200, { credentials: [], vault }]);
    const { stdout, stderr } = await cli('credential list');
    expect(stdout).toBe('');
    expect(stderr).toContain('rotavox credential add');
  });

  it('shows everything about one: policy, what comes next, trouble, who still uses a previous token, receipts', async () => {
    const shown = {
      ...fine,
      state: 'failing',
      message: 'It could not be rotated.',
      policy: { fraction: 0.5, preferred_hours: { from: '02:00', to: '05:00' } },
      trouble,
      warning: 20,
      still_used: {
        token_id: 'tok_a_1',
        at: '2026-11-21T11:00:00.000Z',
        address: '::1',
        user_agent: 'cron\u001b[2J',
      },
      targets: [target, failing],
    };
    service.answers.set('GET /portal/credentials/pbx', [200, shown]);
    const { code, stdout, stderr } = await cli('credential show pbx');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const line of [
      /^Credential +pbx$/m,
      /^State +Rotation failed$/m,
      /^Service +https:\/\/api\.example\.com$/m,
      /^ +It could not be rotated\.$/m,
      /^To do +rotavox credential rotate pbx$/m,
      /^Token +number 1, since 2026-11-21 12:00:00$/m,
      /^Expires +2126-11-28 12:00:00 \(\d+ d(?: \d+ h)? left\)$/m,
      /^Policy +after 50 % of its lifetime, between 02:00 and 05:00 when there is time$/m,
      /^Next rotation +2126-11-26 04:05:06 \(in \d+ d(?: \d+ h)?\)$/m,
      /^Then +2126-11-30 20:05:06$/m,
      /^Problem +since 2026-11-21 12:00:00, 2 failed attempts: Nothing answers/m,
      /^Warning +less than 20 %/m,
      /^Still used +tok_a_1 at 2026-11-21 11:00:00 from ::1 \(cron\\u001b\[2J\)$/m,
      /^tgt_1 +file +\/srv\/pbx\/token +Delivered 2026-11-21 12:00:01$/m,
      /^tgt_1 +file +\/srv\/pbx\/token +Delivery failed: The folder is not there\. Next attempt: 2026-11-21 12:01:00\.$/m,
    ]) {
      expect(stdout).toMatch(line);
    }
  });

  it('tells after add of a target whether the token is there', async () => {
    const route = 'POST /portal/credentials/pbx/targets';
    service.answers.set(route, [
      200,
      {
        ...fine,
        targets: [{ ...failing, id: 'tgt_0', target: { ...target.target, path: '/other' } }, target],
      },
    ]);
    expect(await cli('credential target pbx add file /srv/pbx/token')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Added tgt_1, /srv/pbx/token: Delivered 2026-11-21 12:00:01\n',
    });
    service.answers.set(route, [200, { ...fine, targets: [failing] }]);
    const { code, stderr } = await cli('credential target pbx add file /srv/pbx/token');
    expect(code, 'a script must not go on without the token').toBe(1);
    expect(stderr).toContain('Added tgt_1, /srv/pbx/token: Delivery failed: The folder is not there.');
  });

  it('takes a date and a number of days as an expiry', async () => {
    const expiryOf = async (when: string) => {
      service.calls.length = 0;
      await cli(`credential replace pbx --expires-at ${when}`, 'rvx_new');
      const { body } = service.calls.at(-1) as { body: { expires_at: string } };
      return Date.parse(body.expires_at);
    };
    expect(await expiryOf('2099-01-31')).toBe(new Date(2099, 0, 31).getTime());
    const before = Date.now();
    const ninety = await expiryOf('90d');
    expect(ninety - 90 * 86_400_000).toBeGreaterThanOrEqual(before);
    expect(ninety - 90 * 86_400_000).toBeLessThanOrEqual(Date.now());
  });

  it('names after a rotation the targets that do not take the token', async () => {
    const owed = [failing, { ...target, status: 'owed' }];
    service.answers.set('POST /portal/credentials/pbx/rotate', [200, { ...fine, targets: owed }]);
    service.answers.set('GET /portal/credentials/pbx', [200, { ...fine, targets: [failing, target] }]);
    const { code, stderr } = await cli('credential rotate pbx');
    // A script must not go on with a file that has the old token.
    expect(code).toBe(1);
    expect(stderr.split('\n')).toEqual([
      expect.stringContaining('pbx has a new token, which expires 2126-11-28 12:00:00'),
      expect.stringContaining('/srv/pbx/token: Delivery failed: The folder is not there.'),
      '',
    ]);
  });

  it('shows a hook so that its words can be told apart', async () => {
    const hook = {
      kind: 'hook',
      command: ['sh', '-c', "it's", ''],
      pass: 'stdin',
      variable: 'V',
      time_limit_seconds: 30,
    };
    service.answers.set('GET /portal/credentials/pbx', [
      200,
      { ...fine, targets: [{ ...target, target: hook }] },
    ]);
    const { stdout } = await cli('credential target pbx list');
    expect(stdout).toContain(`sh -c 'it'\\''s' ''  Delivered`);
  });

  it('lists targets with their receipts', async () => {
    expect((await cli('credential target pbx list')).stderr).toContain('credential target pbx add');
    service.answers.set('GET /portal/credentials/pbx', [200, { ...fine, targets: [target] }]);
    const { stdout } = await cli('credential target pbx list');
    expect(stdout).toMatch(/^ID +KIND +WHERE +RECEIPT\ntgt_1 +file +\/srv\/pbx\/token +Delivered 2026/);
    const inJson = await cli('credential target pbx list --json');
    expect(JSON.parse(inJson.stdout)).toEqual({ targets: [target] });
  });

  it('shows what a hook said when it took the token, on one line and only its end', async () => {
    const hook = { kind: 'hook', command: ['load'], pass: 'stdin', variable: 'V', time_limit_seconds: 30 };
    const long = `${'x'.repeat(300)}\nthe end`;
    const targets = [
      { ...target, target: hook, note: 'set\n2 hosts\u001b[2J' },
      { ...target, id: 'tgt_2', target: hook, note: long },
      { ...failing, id: 'tgt_3', target: hook, note: 'as it was before' },
    ];
    service.answers.set('GET /portal/credentials/pbx', [200, { ...fine, targets }]);
    for (const command of ['credential show pbx', 'credential target pbx list']) {
      const { stdout } = await cli(command);
      expect(stdout).toMatch(
        /^tgt_1 +hook +load +Delivered 2026-11-21 12:00:01, output: set 2 hosts\\u001b\[2J$/m,
      );
      expect(stdout).toMatch(/^tgt_2 .+, output: …x{192} the end$/m);
      expect(stdout).not.toContain('as it was before');
    }
    const { stdout } = await cli('credential target pbx list --json');
    expect(JSON.parse(stdout)).toMatchObject({ targets: [{}, { note: long }, {}] });
  });

  it('reads an older service, which tells no notes, as one to which nothing was said', async () => {
    const { note: _unknown, ...older } = target;
    service.answers.set('GET /portal/credentials/pbx', [200, { ...fine, targets: [older] }]);
    const { stdout } = await cli('credential target pbx list --json');
    expect(JSON.parse(stdout)).toEqual({ targets: [target] });
  });

  it('is for get the token and nothing else', async () => {
    expect(await cli('get pbx')).toEqual({ code: 0, stdout: `${service.value}\n`, stderr: '' });
    expect(JSON.parse((await cli('get pbx --json')).stdout)).toMatchObject({
      name: 'pbx',
      value: service.value,
    });
  });

  it('never is a token that was entered', async () => {
    for (const command of ['credential add pbx', 'credential replace pbx', 'credential add pbx --json']) {
      const { stdout, stderr } = await cli(command, 'rvx_secret');
      expect(stdout + stderr).not.toContain('rvx_secret');
    }
  });
});

describe('a credential command ends with 1', () => {
  it('and the message when a rotation left trouble', async () => {
    const failed = {
      ...fine,
      state: 'failing',
      message: 'It could not be rotated: nothing answers.',
      trouble,
    };
    service.answers.set('POST /portal/credentials/pbx/rotate', [200, failed]);
    const words = await cli('credential rotate pbx');
    expect(words).toEqual({ code: 1, stdout: '', stderr: 'It could not be rotated: nothing answers.\n' });
    const inJson = await cli('credential rotate pbx --json');
    expect(inJson.code).toBe(1);
    expect(JSON.parse(inJson.stdout)).toEqual(failed);
  });

  it('and the command that helps where another attempt does not', async () => {
    const message = 'The service does not know the token.';
    const refused = { ...fine, state: 'refused', message, trouble: { ...trouble, kind: 'invalid', message } };
    service.answers.set('POST /portal/credentials/pbx/rotate', [200, refused]);
    const { code, stderr } = await cli('credential rotate pbx');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `${message}\nTo do: rotavox credential replace pbx\n`,
    });
  });

  it.each(['get pbx', 'exec pbx -- true', 'credential reissue pbx', 'credential target pbx deliver tgt_1'])(
    'and the command that helps, from the state of the credential, when its token does not work: %s',
    async (command) => {
      const why = 'The token is blacklisted.';
      service.otherwise = (call) =>
        call === 'GET /portal/credentials/pbx'
          ? [200, { ...fine, state: 'refused', message: why, trouble: { ...trouble, kind: 'blacklisted' } }]
          : refusal(409, 'token_unusable', why);
      expect(await cli(command)).toEqual({
        code: 1,
        stdout: '',
        stderr: `${why}\nTo do: rotavox credential replace pbx\n`,
      });
    },
  );

  it('and the command that helps when a test finds that the token does not work', async () => {
    const suspended = { kind: 'suspended', message: 'It is suspended.' };
    service.answers.set('POST /portal/credentials/pbx/test', [
      200,
      {
        outcome: 'refused',
        message: 'It is suspended.',
        checked_at: fine.obtained_at,
        token: null,
        took_ms: 1,
      },
    ]);
    service.answers.set('GET /portal/credentials/pbx', [
      200,
      {
        ...fine,
        service: 'embedded',
        state: 'refused',
        trouble: { ...trouble, ...suspended },
        token_id: 'tok_a_1',
      },
    ]);
    expect((await cli('credential test pbx')).stderr).toBe(
      'It is suspended.\nTo do: rotavox token resume tok_a_1\n',
    );
  });

  it('and the message alone where another attempt is all that there is to do, or the state cannot be read', async () => {
    const conflict = refusal(409, 'conflict', 'A rotation of it is open.');
    service.answers.set('POST /portal/credentials/pbx/test', conflict);
    service.answers.set('GET /portal/credentials/pbx', [200, { ...fine, state: 'failing', trouble }]);
    const alone = { code: 1, stdout: '', stderr: 'A rotation of it is open.\n' };
    expect(await cli('credential test pbx')).toEqual(alone);
    service.answers.set('GET /portal/credentials/pbx', [200, 'no credential']);
    expect(await cli('credential test pbx')).toEqual(alone);
    service.answers.set('GET /portal/credentials/pbx', refusal(500, 'internal'));
    expect(await cli('credential test pbx')).toEqual(alone);
  });

  it('and how to add it for reminders only where its service cannot rotate', async () => {
    service.answers.set('POST /portal/credentials', refusal(409, 'cannot_rotate', 'It was not added.'));
    expect((await cli('credential add pbx', 'rvx_abc')).stderr).toBe(
      'It was not added.\nTo do: repeat this command with --remind-only\n',
    );
  });

  it.each(['credential pause pbx', 'credential add pbx', 'token issue --name a --validity 7'])(
    'and the command that says why no change can be saved: %s',
    async (command) => {
      service.otherwise = () => refusal(503, 'store_unavailable', 'The disk is full.');
      expect(await cli(command, 'rvx_abc')).toEqual({
        code: 1,
        stdout: '',
        stderr: 'The disk is full.\nTo do: rotavox status\n',
      });
    },
  );

  it('and the reason when a delivery did not succeed', async () => {
    service.answers.set('POST /portal/credentials/pbx/targets/tgt_1/deliver', [
      200,
      { ...fine, targets: [failing] },
    ]);
    const { code, stdout, stderr } = await cli('credential target pbx deliver tgt_1');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('The folder is not there.');
    expect(stderr, 'a new token would not help').not.toContain('To do');
  });

  it('when the vault is locked: get', async () => {
    const locked = refusal(503, 'vault_unavailable', 'The keychain is locked.');
    service.answers.set('GET /portal/credentials/pbx/value', locked);
    expect(await cli('get pbx')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The keychain is locked.\nTo do: rotavox credential list\n',
    });
  });
});

describe('rotavox token issue --keep-as', () => {
  const issued = {
    id: 'tok_a_1',
    family_id: 'fam_a',
    name: 'nightly',
    category: 'general',
    validity_days: 7,
    scopes: [],
    ip_restrictions: [],
    generation: 1,
    status: 'Active',
    created_at: '2026-11-21T12:00:00.000Z',
    expires_at: '2126-11-28T12:00:00.000Z',
    first_used_at: null,
    checked_at: null,
    changed_at: '2026-11-21T12:00:00.000Z',
    ended_at: null,
    reason: null,
    predecessor_id: null,
    successor_id: null,
    access_token: 'rvx_issued',
    token_type: 'bearer',
  };
  const command = 'token issue --name nightly --validity 7 --keep-as pbx';

  beforeEach(() => {
    service.answers.set('POST /portal/tokens', [200, issued]);
  });

  it('gives the token the name of the credential and 7 days, unless told otherwise', async () => {
    expect((await cli('token issue --keep-as pbx')).code).toBe(0);
    const bodies = service.calls.map(({ body }) => body);
    expect(bodies).toContainEqual({ name: 'pbx', validity_days: 7 });
    expect((await cli('token issue --keep-as pbx --name nightly --validity 30')).code).toBe(0);
    expect(service.calls.map(({ body }) => body)).toContainEqual({ name: 'nightly', validity_days: 30 });
  });

  it('puts the token into the vault, with its expiry, and shows it nowhere', async () => {
    const { code, stdout, stderr } = await cli(command);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('rotavox get pbx');
    expect(stderr).not.toContain('rvx_issued');
    expect(service.calls.at(-1)).toEqual({
      call: 'POST /portal/credentials',
      body: { name: 'pbx', value: 'rvx_issued', validity_days: 7, expires_at: issued.expires_at },
    });
    const { access_token: _value, ...token } = issued;
    const inJson = await cli(`${command} --json`);
    expect(inJson).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(inJson.stdout)).toEqual({ ...token, credential: fine });
  });

  it('prints the token after all when it cannot be kept, says why and ends with 1', async () => {
    service.answers.set(
      'POST /portal/credentials',
      refusal(409, 'conflict', 'There is a credential pbx already.'),
    );
    const { code, stdout, stderr } = await cli(command);
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'rvx_issued\n' });
    expect(stderr).toContain('It was not added as the credential pbx: There is a credential pbx already.');
    const inJson = await cli(`${command} --json`);
    expect(inJson.code).toBe(1);
    expect(JSON.parse(inJson.stdout)).toEqual(issued);
  });
});

describe('a token that is known not to work', () => {
  const why = 'The token is suspended. It is not rotated.';

  it('is not printed by get, which ends with 1 and says why', async () => {
    service.answers.set('GET /portal/credentials/pbx/value', refusal(409, 'token_unusable', why));
    expect(await cli('get pbx')).toEqual({ code: 1, stdout: '', stderr: `${why}\n` });
  });

  it('is not given to a command by exec', async () => {
    service.answers.set('GET /portal/credentials/pbx/value', refusal(409, 'token_unusable', why));
    expect(await cli('exec pbx -- true')).toEqual({ code: 1, stdout: '', stderr: `${why}\n` });
  });

  it('is shown as what it is, with no next rotation', async () => {
    const suspended = { ...trouble, kind: 'suspended', message: why, next_try_at: null };
    const view = {
      ...fine,
      token_id: 'tok_a_1',
      state: 'refused',
      message: why,
      trouble: suspended,
      next_rotation_at: null,
      planned: [],
    };
    service.answers.set('GET /portal/credentials/pbx', [200, view]);
    const { stdout } = await cli('credential show pbx');
    expect(stdout).toMatch(/State +Suspended\n/);
    expect(stdout).toMatch(/To do +rotavox token resume tok_a_1\n/);
    expect(stdout).toMatch(/Next rotation +none until the token is resumed\n/);
  });
});

describe('a service without a rotate endpoint', () => {
  it('is told by credential test, with what it said of the token', async () => {
    const rotation = {
      outcome: 'cannot_rotate',
      message: 'It has no rotate endpoint (404); check base_url.',
    };
    const test = {
      outcome: 'unknown',
      message: 'It did not say.',
      checked_at: fine.obtained_at,
      token: null,
      took_ms: 1,
    };
    service.answers.set('POST /portal/credentials/pbx/test', [200, { ...test, rotation }]);
    expect(await cli('credential test pbx')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'It did not say. It has no rotate endpoint (404); check base_url.\n',
    });
  });

  it('is added as a reminder only where that is asked for, and said to be one', async () => {
    const view = { ...fine, state: 'reminder', can_rotate: false, next_rotation_at: null, planned: [] };
    service.answers.set('POST /portal/credentials', [200, view]);
    const { code, stderr } = await cli(
      'credential add pbx --base-url https://api.example.com --remind-only',
      'rvx_a\n',
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^pbx is added as a reminder: it is not rotated, and you are reminded before it expires /,
    );
    expect(service.calls.at(-1)?.body).toMatchObject({ remind_only: true });
  });
});

describe('credential replace', () => {
  const target = {
    id: 'tgt_1',
    target: { kind: 'file', path: '/srv/token' },
    status: 'delivered',
    generation: 2,
    delivered_at: null,
    note: null,
    message: null,
    next_try_at: null,
    attempts: 0,
  };

  it.each([
    [
      [],
      'Rotavox revokes the old token at 2026-11-22 12:00:00, because no target shows who has the new one.',
    ],
    [
      [target],
      'Rotavox revokes the old token when every target has the new one, and at 2026-11-22 12:00:00 at the latest.',
    ],
  ])('says when the old token is revoked, where it is', async (targets, line) => {
    const old = {
      generation: 1,
      upstream_id: null,
      obtained_at: fine.obtained_at,
      expires_at: fine.expires_at,
      since: fine.obtained_at,
      retire_by: '2026-11-22T12:00:00.000Z',
      next_try_at: null,
      attempts: 0,
      message: null,
    };
    const replaced = { ...fine, generation: 2, retiring: [old], targets };
    service.answers.set('PUT /portal/credentials/pbx/value', [200, replaced]);
    const { code, stderr } = await cli('credential replace pbx', 'ghp_new');
    expect(code).toBe(0);
    expect(stderr).toContain(line);
    service.answers.set('PUT /portal/credentials/pbx/value', [200, fine]);
    expect((await cli('credential replace pbx', 'ghp_new')).stderr).not.toContain('old token');
  });
});
