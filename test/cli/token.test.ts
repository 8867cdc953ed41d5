import { describe, expect, it } from 'vitest';
import { HistoryPage, SignInLink, PortalStatus } from '../../src/contract/service/portal.ts';
import { IssuedToken, TokenView } from '../../src/contract/token/token.ts';
import { exitCodeOf, spawnRotavox } from './rotavox.ts';
import { type ServiceHere, serviceOfFile } from './service-here.ts';

let service: ServiceHere;
serviceOfFile((here) => void (service = here));

async function issue(...args: string[]): Promise<IssuedToken> {
  return IssuedToken.parse(await service.json('token', 'issue', '--name', 'a', '--validity', '7', ...args));
}

/** The token without what is shown only at issue. */
function viewOf({ access_token: _value, token_type: _type, ...view }: IssuedToken): TokenView {
  return view;
}

describe('rotavox token issue', () => {
  it('prints the token alone on stdout and says on stderr that it is shown once', async () => {
    const { code, stdout, stderr } = await service.cli(
      'token',
      'issue',
      '--name',
      'nightly',
      '--validity',
      '7',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^rvx_\w+\n$/);
    expect(stderr).toMatch(
      /^Issued tok_\w+_1 "nightly", Active until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(6 d 23 h\)\.$/m,
    );
    expect(stderr).toContain('cannot be shown again');
    expect(stderr).not.toContain('rvx_');
    const answer = await fetch(`${service.baseUrl}/v1/auth/token`, {
      headers: { authorization: `Bearer ${stdout.trim()}` },
    });
    expect(await answer.json()).toMatchObject({ status: 'Active', name: 'nightly', validity_days: 7 });
  });

  it('hands every setting on: scopes, addresses, category, an earlier end', async () => {
    const endsAt = new Date(Date.now() + 3_600_000).toISOString();
    const issued = await issue(
      ...[
        '--scope',
        'ivr:read',
        '--scope',
        'ivr:write',
        '--allow-ip',
        '127.0.0.1',
        '--allow-ip',
        '10.0.0.0/8',
      ],
      ...['--category', 'reports', '--expires-at', endsAt],
    );
    expect(issued).toMatchObject({
      scopes: ['ivr:read', 'ivr:write'],
      ip_restrictions: ['127.0.0.1', '10.0.0.0/8'],
      category: 'reports',
      expires_at: endsAt,
    });
  });

  it('ends with 1 and the reason when the service refuses', async () => {
    const args = ['token', 'issue', '--name', 'a', '--validity', '7', '--expires-at', '2020-01-01T00:00:00Z'];
    const { code, stdout, stderr } = await service.cli(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('--expires-at must be in the future');
  });
});

describe('rotavox token list and show', () => {
  it('lists as a table for people and as a page for programs', async () => {
    const issued = await issue();
    const table = await service.cli('token', 'list');
    expect(table.stdout).toMatch(/^ID +STATUS +LEFT +EXPIRES +VALIDITY +NAME +CATEGORY\n/);
    expect(table.stdout).toMatch(new RegExp(`^${issued.id} +Active +6 d 23 h +.* 7 days +a +general$`, 'm'));
    const page = (await service.json('token', 'list', '--family', issued.family_id)) as object;
    expect(page).toEqual({
      tokens: [{ ...viewOf(issued), kept_fresh_by: null }],
      next_after: null,
      total: 1,
    });
  });

  it('continues after a page and prints how', async () => {
    await issue();
    await issue();
    const first = await service.cli('token', 'list', '--limit', '1');
    expect(first.stdout.trimEnd().split('\n')).toHaveLength(2);
    const next = /rotavox token list --after (\S+)`/.exec(first.stderr)?.[1];
    expect(first.stdout).toContain(next!);
    const second = await service.cli('token', 'list', '--limit', '1', '--after', next!);
    expect(second.stdout).not.toContain(next!);
  });

  it('filters and orders as requested', async () => {
    const one = await issue('--category', 'cli-order');
    const two = await issue('--category', 'cli-order', '--validity', '1');
    await service.cli('token', 'suspend', one.id, '--reason', 'Holidays of the CLI');
    const ids = async (...args: string[]) =>
      ((await service.json('token', 'list', ...args)) as { tokens: TokenView[] }).tokens.map(({ id }) => id);
    expect(await ids('--category', 'cli-order', '--sort', 'expires')).toEqual([two.id, one.id]);
    expect(await ids('--category', 'cli-order', '--sort', 'expires', '--order', 'desc')).toEqual([
      one.id,
      two.id,
    ]);
    expect(await ids('--text', 'holidays of', '--newest')).toEqual([one.id]);
    expect(await ids('--category', 'cli-order', '--status', 'Suspended,Expired')).toEqual([one.id]);
    const wrong = await service.cli('token', 'list', '--status', 'Dead');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('It must be one or more of Active, Superseded');
  });

  it('reports when there is none', async () => {
    const { code, stdout, stderr } = await service.cli('token', 'list', '--status', 'Expired');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('rotavox token issue');
  });

  it('ends without an error when its output is not read to the end', async () => {
    await issue();
    const child = spawnRotavox(['token', 'list'], { dataDir: service.dataDir });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    expect(await exitCodeOf(child)).toBe(0);
    expect(stderr).toBe('');
  });

  it('shows everything about one, and never its token', async () => {
    const issued = await issue('--scope', 'ivr:read', '--allow-ip', '127.0.0.0/8');
    const shown = await service.cli('token', 'show', issued.id);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    for (const line of [
      /^Status +Active$/m,
      /^Validity +7 days$/m,
      /^Expires +\d{4}-.* \(6 d 23 h left\)$/m,
      /^First used +not yet$/m,
      /^Scopes +ivr:read$/m,
      /^Addresses +127\.0\.0\.0\/8$/m,
    ]) {
      expect(shown.stdout).toMatch(line);
    }
    expect(shown.stdout).not.toContain('rvx_');
    expect(TokenView.parse(await service.json('token', 'show', issued.id))).toEqual(viewOf(issued));
  });

  it('takes no name that moves the cursor', async () => {
    const args = ['token', 'issue', '--name', 'evil\u001b[2J\u009b31m', '--validity', '1'];
    const { code, stderr } = await service.cli(...args);
    expect(code).toBe(2);
    expect(stderr).toContain('evil\\u001b[2J\\u009b31m');
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });
});

describe('rotavox token suspend, resume and blacklist', () => {
  it('move a token between its states, with a reason that stays', async () => {
    const { id } = await issue();
    const suspended = await service.cli('token', 'suspend', id, '--reason', 'leaked?');
    expect(suspended).toEqual({ code: 0, stdout: '', stderr: `${id} is Suspended.\n` });
    expect((await service.cli('token', 'show', id)).stdout).toMatch(/^Reason +leaked\?$/m);
    expect(await service.cli('token', 'resume', id)).toMatchObject({ code: 0, stderr: `${id} is Active.\n` });
    expect(await service.json('token', 'blacklist', id, '--reason', 'it was')).toMatchObject({
      id,
      status: 'Blacklisted',
      reason: 'it was',
    });
  });

  it('end with 1 when the state does not allow it', async () => {
    const { id } = await issue();
    const result = await service.cli('token', 'resume', id);
    expect(result).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The token is Active; only a Suspended token can be resumed.\n',
    });
  });
});

describe('rotavox token dismiss-use', () => {
  it('dismisses who used replaced tokens, by the id of a token or of its family', async () => {
    const { id, access_token: token } = await issue();
    const call = (method: string, path: string) =>
      fetch(`${service.baseUrl}${path}`, { method, headers: { authorization: `Bearer ${token}` } });
    await call('POST', '/v1/auth/rotate');
    expect((await call('GET', '/v1/auth/token')).status).toBe(401);
    const family = id.replace('tok_', 'fam_').replace(/_1$/, '');
    const { code, stderr } = await service.cli('token', 'dismiss-use', id);
    expect([code, stderr]).toEqual([0, expect.stringContaining('A later use is reported again.')]);
    expect((await service.cli('token', 'history', id)).stdout).toContain(
      'Use of superseded tokens dismissed',
    );
    expect(await service.json('token', 'dismiss-use', family)).toMatchObject({ id: family, reuses: [] });
  });
});

describe('rotavox token history', () => {
  it('prints what happened to one token, newest first, as text and as JSON', async () => {
    const { id } = await issue();
    await issue();
    await service.cli('token', 'suspend', id, '--reason', 'for now');
    const { stdout } = await service.cli('token', 'history', id);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Token suspended +tok_\w+_1 · for now {2}by the owner$/,
    );
    expect(lines[1]).toContain(`Token issued`);
    const page = HistoryPage.parse(await service.json('token', 'history', id));
    expect(page.events.map(({ kind }) => kind)).toEqual(['token.suspended', 'token.issued']);
  });

  it('stops at a limit and prints how to continue', async () => {
    const { id } = await issue();
    await service.cli('token', 'suspend', id);
    const first = await service.cli('token', 'history', id, '--limit', '1');
    expect(first.stdout).toContain('Token suspended');
    const before = /--before (\d+)/.exec(first.stderr)?.[1];
    const second = await service.cli('token', 'history', id, '--limit', '1', '--before', before!);
    expect(second.stdout).toContain('Token issued');
    expect(second.stderr).toBe('');
  });
});

describe('rotavox status and open', () => {
  it('print where the service is and the state of its store', async () => {
    const { code, stdout } = await service.cli('status');
    expect(code).toBe(0);
    expect(stdout).toContain(service.baseUrl);
    expect(stdout).toContain(service.dataDir);
    expect(stdout).toMatch(/^Store +ok$/m);
    const status = PortalStatus.parse(await service.json('status'));
    expect(status).toMatchObject({
      base_url: service.baseUrl,
      pid: process.pid,
      store: { status: 'ok' },
    });
  });

  it('print a link that signs a browser in once', async () => {
    const { code, stdout, stderr } = await service.cli('open');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^http:\/\/\S+\?code=\S+\n$/);
    expect(stderr).toContain('works once, within 5 minutes');
    expect((await fetch(stdout.trim(), { redirect: 'manual' })).status).toBe(303);
    expect((await fetch(stdout.trim(), { redirect: 'manual' })).status).toBe(401);
    const link = (await service.json('open', '--no-browser')) as SignInLink & { opened: boolean };
    expect(SignInLink.parse(link).url).toContain(service.baseUrl);
    expect(link.opened).toBe(false);
  });
});
