import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HistoryEvent } from '../../src/contract/history/audit-event.ts';
import { HistoryPage, Verification } from '../../src/contract/service/portal.ts';
import { IssuedToken } from '../../src/contract/token/token.ts';
import { type CalledService, exitCodeOf, spawnRotavox } from './rotavox.ts';
import { serviceHere, serviceHereOn } from './service-here.ts';

async function issue(service: CalledService, name: string): Promise<IssuedToken> {
  return IssuedToken.parse(await service.json('token', 'issue', '--name', name, '--validity', '7'));
}

/** A `rotavox history --follow`, read line by line. */
function follow(service: CalledService, ...args: string[]) {
  const child = spawnRotavox(['history', '--follow', ...args], { dataDir: service.dataDir });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exitCodeOf(child);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const said: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  return {
    child,
    said,
    nextLine: async () => String((await lines.next()).value),
    nextEvent: async () => HistoryEvent.parse(JSON.parse(String((await lines.next()).value))),
  };
}

describe('rotavox history', () => {
  it('shows everything newest first: local time, what, which, by whom', async () => {
    const service = await serviceHere();
    const issued = await issue(service, 'nightly');
    await fetch(`${service.baseUrl}/v1/auth/rotate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${issued.access_token}`, 'user-agent': 'curl/8' },
    });
    await service.cli('settings', 'set', 'sms_templates_enabled', 'true');
    const { code, stdout, stderr } = await service.cli('history');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const time = String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}`;
    const successor = issued.id.replace(/1$/, '2');
    const [changed, rotated, ...older] = stdout.trimEnd().split('\n');
    expect(changed).toMatch(
      new RegExp(`${time}Settings changed +sms templates enabled: true {2}by the owner$`),
    );
    expect(rotated).toMatch(
      new RegExp(
        `${time}Token rotated +${issued.id} → ${successor} {2}by ${issued.id} from 127.0.0.1 \\(curl/8\\)$`,
      ),
    );
    expect(older.at(-1)).toMatch(
      new RegExp(`${time}Token issued +${issued.id} · nightly · \\d+ days? {2}by the owner$`),
    );
    expect(stdout).not.toContain('rvx_');
  });

  it(
    'filters by subject and kind, stops at a limit, continues before an event',
    { tags: ['long'] },
    async () => {
      const service = await serviceHere();
      const [a, b] = [await issue(service, 'a'), await issue(service, 'b')];
      await service.cli('token', 'suspend', a.id);
      const ofFamily = HistoryPage.parse(await service.json('history', '--subject', b.family_id));
      expect(ofFamily.events.map(({ kind }) => kind)).toEqual(['token.issued']);
      const issues = HistoryPage.parse(await service.json('history', '--kind', 'token.issued'));
      expect(issues.events.map(({ seq }) => seq)).toEqual([2, 1]);
      const last = HistoryPage.parse(await service.json('history', '--limit', '1'));
      expect(last).toMatchObject({ events: [{ seq: 3 }], next_before: 3 });
      expect((await service.cli('history', '--limit', '1')).stderr).toContain('--before 3');
      const earlier = HistoryPage.parse(await service.json('history', '--before', '3'));
      expect(earlier).toMatchObject({ events: [{ seq: 2 }, { seq: 1 }], next_before: null });
    },
  );

  it(
    'searches: by group, by result, by text in the event, in a name and in its own words',
    { tags: ['long'] },
    async () => {
      const service = await serviceHere();
      const [a] = [await issue(service, 'billing-sync'), await issue(service, 'nightly')];
      await service.cli('token', 'suspend', a.id, '--reason', 'Holiday');
      await service.cli('settings', 'set', 'sms_templates_enabled', 'true');
      const seqs = async (...args: string[]) =>
        HistoryPage.parse(await service.json('history', ...args)).events.map(({ seq }) => seq);
      expect(await seqs('--kind', 'token.')).toEqual([3, 2, 1]);
      expect(await seqs('--kind', 'token.issued,settings.changed')).toEqual([4, 2, 1]);
      expect(await seqs('--result', 'attention')).toEqual([3]);
      expect(await seqs('--text', 'holiday')).toEqual([3]);
      expect(await seqs('--text', 'billing-SYNC')).toEqual([3, 1]);
      expect(await seqs('--text', 'settings changed')).toEqual([4]);
      expect(await seqs('--text', 'billing', '--result', 'ok')).toEqual([1]);
      expect((await service.cli('history', '--text', 'holiday')).stdout).toMatch(
        /Token suspended .+ · Holiday/,
      );
    },
  );

  it('follows a search and shows nothing else', { tags: ['long'] }, async () => {
    const service = await serviceHere();
    const first = await issue(service, 'a');
    const following = follow(service, '--json', '--result', 'attention', '--text', 'lunch');
    await service.cli('token', 'suspend', first.id, '--reason', 'Lunch break');
    expect(await following.nextEvent()).toMatchObject({ data: { reason: 'Lunch break' } });
    await service.cli('token', 'resume', first.id, '--reason', 'Lunch is over');
    await service.cli('token', 'suspend', first.id, '--reason', 'Work');
    await service.cli('token', 'blacklist', first.id, '--reason', 'Out to lunch');
    expect(await following.nextEvent()).toMatchObject({ data: { reason: 'Out to lunch' } });
  });

  it('follows: the past first, then each new event once, newest last, until Ctrl-C', async () => {
    const service = await serviceHere();
    await issue(service, 'one');
    await issue(service, 'two');
    const following = follow(service);
    expect(await following.nextLine()).toContain('· one ·');
    expect(await following.nextLine()).toContain('· two ·');
    await issue(service, 'three');
    expect(await following.nextLine()).toContain('· three ·');
    await Promise.all(['x', 'y', 'z'].map((name) => issue(service, name)));
    const names = [await following.nextLine(), await following.nextLine(), await following.nextLine()];
    expect(names.map((line) => /· (\w) ·/.exec(line)?.[1]).sort()).toEqual(['x', 'y', 'z']);
    following.child.kill('SIGINT');
    expect(await exitCodeOf(following.child)).toBe(0);
  });

  it('follows with --json, one event a line, only those asked for', { tags: ['long'] }, async () => {
    const service = await serviceHere();
    const first = await issue(service, 'a');
    const following = follow(service, '--json', '--kind', 'token.suspended', '--subject', first.family_id);
    // Reported as past or as new: from here on it follows.
    await service.cli('token', 'suspend', first.id, '--reason', 'the first');
    expect(await following.nextEvent()).toMatchObject({ data: { reason: 'the first' } });
    const other = await issue(service, 'b');
    await service.cli('token', 'suspend', other.id, '--reason', 'not asked for');
    await service.cli('token', 'resume', first.id);
    await service.cli('token', 'suspend', first.id, '--reason', 'the second');
    expect(await following.nextEvent()).toMatchObject({ data: { reason: 'the second' } });
    following.child.kill('SIGTERM');
    expect(await exitCodeOf(following.child)).toBe(0);
  });

  it('follows across a restart of the service and leaves nothing out', { tags: ['long'] }, async () => {
    const service = await serviceHere();
    await issue(service, 'before');
    const following = follow(service, '--json');
    expect(await following.nextEvent()).toMatchObject({ seq: 1 });
    await service.stop();
    await expect.poll(() => following.said.join('\n'), { timeout: 20_000 }).toContain('lost');
    const again = await serviceHereOn(service.dataDir);
    await issue(again, 'meanwhile');
    expect(await following.nextEvent()).toMatchObject({
      seq: 2,
      data: { configuration: { name: 'meanwhile' } },
    });
    expect(following.said.join('\n')).toContain('Connected again');
    await issue(again, 'after');
    expect(await following.nextEvent()).toMatchObject({ seq: 3 });
  });

  it('stops following quietly when its reader has gone', { tags: ['long'] }, async () => {
    const service = await serviceHere();
    await issue(service, 'one');
    const { child, said, nextLine } = follow(service);
    await nextLine();
    child.stdout.destroy();
    // The first event after that may still fit into the pipe.
    let count = 0;
    const exited = once(child, 'exit');
    while (child.exitCode === null && count < 20) await issue(service, `more ${String((count += 1))}`);
    expect((await exited)[0]).toBe(0);
    expect(said).toEqual([]);
  });
});

describe('rotavox history --verify', () => {
  it('reports that the journal is intact and how far', async () => {
    const service = await serviceHere();
    await issue(service, 'a');
    await issue(service, 'b');
    const { code, stdout, stderr } = await service.cli('history', '--verify');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('The journal is intact: 2 events in 1 file, every hash and every link checked.\n');
    expect(Verification.parse(await service.json('history', '--verify'))).toMatchObject({
      status: 'intact',
      verified_to: 2,
    });
  });

  it('names the place of a damage and ends with 1', async () => {
    const service = await serviceHere();
    await issue(service, 'a');
    await issue(service, 'b');
    const [segment] = await readdir(join(service.dataDir, 'journal'));
    const path = join(service.dataDir, 'journal', segment!);
    await writeFile(path, (await readFile(path, 'utf8')).replace('"name":"b"', '"name":"z"'));
    const inWords = await service.cli('history', '--verify');
    expect(inWords).toMatchObject({ code: 1, stdout: '' });
    expect(inWords.stderr).toContain(`damaged at ${path}, line 3`);
    expect(inWords.stderr).toContain('Events 1 to 1 are intact');
    const inJson = await service.cli('history', '--verify', '--json');
    expect(inJson.code).toBe(1);
    expect(Verification.parse(JSON.parse(inJson.stdout))).toMatchObject({ status: 'damaged', line: 3 });
  });
});
