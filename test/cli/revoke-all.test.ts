import { describe, expect, it } from 'vitest';
import { startFaultyProxy } from '../fakes/faulty-proxy.ts';
import { startGitlabServer } from '../fakes/start-gitlab-server.ts';
import { hasTerminals, inTerminal, shellLine } from './in-terminal.ts';
import { type CalledService, rotavox } from './rotavox.ts';
import { serviceHere } from './service-here.ts';

const ofGitlab = ['--provider', 'gitlab', '--input', 'kind=personal', '--base-url'];

function add({ dataDir }: CalledService, name: string, value: string, ...options: string[]) {
  return rotavox(['credential', 'add', name, ...options], { dataDir, stdin: value });
}

const works = async ({ baseUrl }: CalledService, token: string): Promise<boolean> => {
  const reply = await fetch(`${baseUrl}/v1/auth/token`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return reply.status === 200;
};

describe('rotavox credential revoke-all', () => {
  it('shows its plan, ends what can be ended, and says what only a person can end, also when it is run again', async () => {
    const running = await serviceHere();
    const elsewhere = await serviceHere();
    const cli = (...args: string[]) => running.cli(...args);
    const json = (...args: string[]) => running.json(...args);
    const all = (...options: string[]) => cli('credential', 'revoke-all', ...options);
    // A token of this service that a credential keeps, and one that an app has.
    await cli('token', 'issue', '--name', 'kept', '--validity', '7', '--keep-as', 'kept');
    const kept = (await cli('get', 'kept')).stdout.trim();
    const issued = (await json('token', 'issue', '--name', 'app', '--validity', '7')) as {
      access_token: string;
    };
    const gitlab = await startGitlabServer(() => Date.now());
    const token = gitlab.issue();
    expect(await add(running, 'deploy', token.value, ...ofGitlab, gitlab.baseUrl)).toMatchObject({ code: 0 });
    const far = (await elsewhere.json('token', 'issue', '--name', 'far', '--validity', '7')) as {
      access_token: string;
    };
    const farUrl = elsewhere.baseUrl;
    expect(await add(running, 'far', far.access_token, '--base-url', farUrl)).toMatchObject({ code: 0 });
    expect(await cli('proxy', 'token', 'deploy', '--app', 'script')).toMatchObject({ code: 0 });

    const plan = [
      'Rotavox ends 4 tokens:',
      '  app of the proxy “script”',
      `  credential “deploy” at ${gitlab.baseUrl}`,
      '  token issued here “app”',
      '  token issued here “kept”',
      'Only you can end 1 other:',
      `  credential “far” at ${farUrl}: ${farUrl}`,
    ];
    const dry = await all('--dry-run');
    expect(dry.code).toBe(0);
    expect(dry.stdout.split('\n').filter(Boolean).sort()).toEqual([...plan].sort());
    expect(dry.stderr).toContain('nothing was ended');
    expect((await all()).code).toBe(2);
    expect([await works(running, kept), gitlab.isAlive(token.value)]).toEqual([true, true]);

    const done = await all('--yes');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    for (const line of [
      'Ended: token issued here “kept”.',
      `Ended: credential “deploy” at ${gitlab.baseUrl}.`,
      'Ended: app of the proxy “script”.',
      `Still works: credential “far” at ${farUrl}. Its service has no call`,
    ])
      expect(done.stdout).toContain(line);
    expect([
      await works(running, kept),
      await works(running, issued.access_token),
      gitlab.isAlive(token.value),
      await works(elsewhere, far.access_token),
    ]).toEqual([false, false, false, true]);
    expect(await json('credential', 'show', 'deploy')).toMatchObject({ state: 'refused' });

    const again = await all('--yes', '--json');
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({
      results: [
        { name: 'deploy', outcome: 'ended_before' },
        { name: 'far', outcome: 'alive', by_person: true, page: farUrl },
      ],
    });
    expect(`${done.stdout}${again.stdout}`).not.toContain(token.value);
  });

  it('ends with 1 when a service does not answer, and has ended the others', { tags: ['long'] }, async () => {
    const running = await serviceHere();
    const gitlab = await startGitlabServer(() => Date.now());
    const proxy = await startFaultyProxy(() => gitlab.baseUrl);
    proxy.meets = () => true;
    expect(await add(running, 'deploy', gitlab.issue().value, ...ofGitlab, proxy.baseUrl)).toMatchObject({
      code: 0,
    });
    proxy.otherwise = { status: 503 };
    await running.cli('token', 'issue', '--name', 'app', '--validity', '7');
    const all = await running.cli('credential', 'revoke-all', '--yes');
    expect(all.code).toBe(1);
    expect(all.stdout).toContain('Still works: credential “deploy”');
    expect(all.stdout).toContain('Ended: token issued here “app”.');
    expect(all.stderr).toContain('1 token could not be ended.');
  });

  it.skipIf(!hasTerminals)(
    'asks on a terminal, and ends nothing without a yes',
    { tags: ['long'] },
    async () => {
      const running = await serviceHere();
      await running.cli('token', 'issue', '--name', 'app', '--validity', '7');
      const answer = async (typed: string): Promise<number | null> => {
        const terminal = inTerminal(`exec ${shellLine(['credential', 'revoke-all'])}`, running.dataDir);
        await terminal.shows('End all of them now? [y/N]');
        terminal.type(`${typed}\r`);
        return terminal.ended;
      };
      expect(await answer('')).toBe(1);
      expect(await running.json('token', 'list')).toMatchObject({ tokens: [{ status: 'Active' }] });
      expect(await answer('y')).toBe(0);
      expect(await running.json('token', 'list')).toMatchObject({ tokens: [{ status: 'Blacklisted' }] });
    },
  );
});
