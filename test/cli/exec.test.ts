import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CommandRun } from '../../src/cli/command-run.ts';
import { endAs } from '../../src/cli/command-failure.ts';
import { hasTerminals, inTerminal, shellLine } from './in-terminal.ts';
import {
  builtRotavox,
  type CliProcess,
  exitCodeOf,
  freshDataDir,
  rotavox,
  rotavoxHere,
  spawnRotavox,
} from './rotavox.ts';
import { fine, refusal, StandInService } from './stand-in-service.ts';

const mask = '••••';

/** The arguments of a command that runs a piece of JavaScript. */
function js(code: string): string[] {
  return ['--', process.execPath, '-e', code];
}

/** A shell that runs a line. */
function sh(line: string): string[] {
  return ['--', 'sh', '-c', line];
}

/** In this process, until the command and what it has left running have ended. */
async function exec(service: StandInService, ...args: string[]) {
  return rotavox(['exec', 'pbx', ...args], { dataDir: service.dataDir });
}

/** In a process of its own, as it is shipped. */
async function execBuilt(service: StandInService, ...args: string[]) {
  return builtRotavox(['exec', 'pbx', ...args], { dataDir: service.dataDir });
}

/** A `rotavox exec` that keeps running, with its output line by line. */
function start(service: StandInService, ...args: string[]) {
  const child = spawnRotavox(['exec', 'pbx', ...args], { dataDir: service.dataDir });
  onTestFinished(async () => {
    child.kill('SIGTERM'); // so that its command is ended too
    child.stdin.destroy();
    await exitCodeOf(child);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const said: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  return { child, said, nextLine: async () => String((await lines.next()).value) };
}

async function endOf(child: CliProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  const code = await exitCodeOf(child);
  return { code, signal: child.signalCode };
}

/** A file beside the data folder, for what a command must not print. */
function fileBeside(service: StandInService, name: string): string {
  return join(dirname(service.dataDir), name);
}

describe('rotavox exec', () => {
  it('gives the token in the environment, under ROTAVOX_TOKEN or the variable that is named', async () => {
    const service = await StandInService.start();
    const file = fileBeside(service, 'seen');
    const see = sh(`printf '%s' "\${ROTAVOX_TOKEN-none} \${PBX_TOKEN-none}" > '${file}'`);
    expect(await exec(service, ...see)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await readFile(file, 'utf8')).toBe(`${service.value} none`);
    await exec(service, '--env', 'PBX_TOKEN', ...see);
    expect(await readFile(file, 'utf8')).toBe(`none ${service.value}`);
  });

  it.skipIf(process.platform !== 'linux')('never has the token in the arguments of a process', async () => {
    const service = await StandInService.start();
    const file = fileBeside(service, 'seen');
    await execBuilt(service, ...sh(`cat /proc/$$/cmdline /proc/$PPID/cmdline > '${file}'`));
    const seen = await readFile(file, 'utf8');
    expect(seen).toContain('exec\0pbx');
    expect(seen).not.toContain(service.value);
  });

  it('gives the address of the service, for programs that call it', async () => {
    const service = await StandInService.start();
    const { stdout } = await exec(service, ...sh('echo "$ROTAVOX_URL"'));
    expect(stdout).toBe(`${service.baseUrl}\n`);
  });

  it('passes arguments on unchanged, even those that look like our options', { tags: ['long'] }, async () => {
    const service = await StandInService.start();
    const words = ['--env', 'X', '--', '--help', 'a b', '', '*', '--data-dir', '$HOME', '-e'];
    const show = 'console.log(JSON.stringify(process.argv.slice(1)))';
    for (const ours of [[], ['--env', 'Y'], ['--no-masking']]) {
      const { stdout } = await execBuilt(service, ...ours, ...js(show), '--', ...words);
      expect(JSON.parse(stdout)).toEqual(words);
    }
  });

  it('masks the token in stdout and stderr, also when it is printed in pieces', async () => {
    const service = await StandInService.start();
    const print = `
      const { writeSync } = require('fs');
      const value = process.env.ROTAVOX_TOKEN;
      const nap = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      for (const character of 'a ' + value + ' ' + value.slice(0, 9)) { writeSync(1, character); nap(); }
      writeSync(2, 'Bearer ' + value + '\\n');`;
    const { code, stdout, stderr } = await exec(service, ...js(print));
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `a ${mask} ${service.value.slice(0, 9)}`,
      stderr: `Bearer ${mask}\n`,
    });
  });

  it('shows the token only with --no-masking', { tags: ['long'] }, async () => {
    const service = await StandInService.start();
    const print = 'console.log(process.env.ROTAVOX_TOKEN)';
    expect((await execBuilt(service, ...js(print))).stdout).toBe(`${mask}\n`);
    expect((await execBuilt(service, '--no-masking', ...js(print))).stdout).toBe(`${service.value}\n`);
  });

  it('passes on every byte of a long output, and stdin to the command', { tags: ['long'] }, async () => {
    const service = await StandInService.start();
    const child = spawnRotavox(['exec', 'pbx', '--', 'cat'], { dataDir: service.dataDir });
    const sent = Buffer.alloc(8 * 1024 * 1024);
    for (let at = 0; at < sent.length; at += 1) sent[at] = (at * 31) % 251;
    child.stdin.end(sent);
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(sent)).toBe(true);
    expect(await endOf(child)).toEqual({ code: 0, signal: null });
  });

  it('takes it quietly when its reader has gone, and lets the command know', async () => {
    const service = await StandInService.start();
    const child = spawnRotavox(['exec', 'pbx', '--', 'yes'], { dataDir: service.dataDir });
    const stderr = text(child.stderr);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    // `yes` ends by SIGPIPE, by which Node cannot: the exit code is 128 plus its number, as in a shell.
    if (process.platform === 'linux') expect(await endOf(child)).toEqual({ code: 141, signal: null });
    else expect((await endOf(child)).code).not.toBe(0);
    expect(await stderr).toBe('');
  });

  it.skipIf(process.platform !== 'linux')(
    'lets the command open its output by name, still masked',
    async () => {
      const service = await StandInService.start();
      const script = 'echo "$ROTAVOX_TOKEN" > /dev/stdout; echo "$ROTAVOX_TOKEN" | tee /dev/stderr';
      const { code, stdout, stderr } = await exec(service, '--', 'sh', '-c', script);
      expect({ code, stdout, stderr }).toEqual({
        code: 0,
        stdout: `${mask}\n${mask}\n`,
        stderr: `${mask}\n`,
      });
    },
  );

  it('masks as well where it can have no pipe and has to do with a socket', async () => {
    const service = await StandInService.start();
    const result = await builtRotavox(['exec', 'pbx', ...sh('echo "$ROTAVOX_TOKEN"')], {
      dataDir: service.dataDir,
      env: { TMPDIR: '/nowhere' },
    });
    expect(result).toEqual({ code: 0, stdout: `${mask}\n`, stderr: '' });
  });

  it.skipIf(!existsSync('/dev/full'))(
    'says so when its output cannot be written, and ends with the command',
    { tags: ['long'] },
    async () => {
      const service = await StandInService.start();
      for (const [end, code] of [
        ['0', 1],
        ['3', 3],
      ] as const) {
        const line = `${shellLine(['exec', 'pbx', '--', 'sh', '-c', `yes 2>/dev/null; exit ${end}`])} > /dev/full`;
        const child = spawn('sh', ['-c', line], {
          env: { ...process.env, ROTAVOX_DATA_DIR: service.dataDir },
          stdio: ['ignore', 'ignore', 'pipe'],
        });
        const said = await text(child.stderr);
        expect(said).toBe('Not everything could be printed (ENOSPC): stdout is not complete.\n');
        if (child.exitCode === null) await once(child, 'exit');
        expect(child.exitCode).toBe(code);
      }
    },
  );

  it('waits for what the command has left running, and passes on what that prints', async () => {
    const service = await StandInService.start();
    const later = sh('(sleep 0.2; echo "$ROTAVOX_TOKEN later") & exit 4');
    const { code, stdout } = await exec(service, ...later);
    expect({ code, stdout }).toEqual({ code: 4, stdout: `${mask} later\n` });
  });
});

describe('how rotavox exec ends', () => {
  it.each([0, 1, 7, 255])('is with the exit code of the command: %i', async (code) => {
    const service = await StandInService.start();
    expect(await exec(service, ...sh(`exit ${String(code)}`))).toMatchObject({ code, stderr: '' });
  });

  it('is with 127 when the command is not found', async () => {
    const service = await StandInService.start();
    const { code, stderr } = await exec(service, '--', 'no-such-program');
    expect(code).toBe(127);
    expect(stderr).toContain('no-such-program was not found');
  });

  it('is with 126 when the command cannot be executed', async () => {
    const service = await StandInService.start();
    const file = fileBeside(service, 'not-executable');
    await writeFile(file, 'echo no', { mode: 0o600 });
    const { code, stderr } = await exec(service, '--', file);
    expect(code).toBe(126);
    expect(stderr).toContain(`${file} cannot be started (EACCES)`);
  });

  const signals = ['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;
  const dumps = [
    ['SIGABRT', 134],
    ['SIGSEGV', 139],
  ] as const;

  it.each([...signals, ...dumps.map(([signal]) => signal)])(
    'is decided by the signal that killed the command: %s',
    async (signal) => {
      const service = await StandInService.start();
      const line = sh(`ulimit -c 0; kill -${signal.slice(3)} $$`);
      const { end } = await rotavoxHere(['exec', 'pbx', ...line], { dataDir: service.dataDir });
      expect(end).toEqual({ kind: 'killed', signal });
    },
  );

  const isBySignal = async (signal: NodeJS.Signals) => {
    const service = await StandInService.start();
    const { child } = start(service, ...sh(`kill -${signal.slice(3)} $$`));
    expect(await endOf(child)).toEqual({ code: null, signal });
  };

  // Node has a listener of its own for it.
  it('is by the signal that killed the command: SIGUSR1', () => isBySignal('SIGUSR1'));

  it.each(signals.filter((signal) => signal !== 'SIGUSR1'))(
    'is by the signal that killed the command: %s',
    { tags: ['long'] },
    isBySignal,
  );

  it('is with 128 and the number of a signal that dumps memory: SIGABRT', { tags: ['long'] }, async () => {
    const service = await StandInService.start();
    const { child } = start(service, ...sh('ulimit -c 0; kill -ABRT $$'));
    expect(await endOf(child)).toEqual({ code: 134, signal: null });
  });

  /** What is done to end this process, which goes on here: the signal that it sends to itself, and the exit code if that does not end it. */
  function askedToEndAs(signal: NodeJS.Signals): { sent: readonly unknown[]; code: unknown } {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
      throw new Error('ended');
    });
    onTestFinished(() => {
      kill.mockRestore();
      exit.mockRestore();
    });
    expect(() => endAs({ kind: 'killed', signal })).toThrow('ended');
    return { sent: kill.mock.calls, code: exit.mock.calls[0]?.[0] };
  }

  it.each(signals)('is by the same signal, sent to itself: %s', (signal) => {
    expect(askedToEndAs(signal).sent).toEqual([[process.pid, signal]]);
  });

  it.each(dumps)('is with 128 and its number after a signal that dumps memory: %s (%i)', (signal, code) => {
    expect(askedToEndAs(signal)).toEqual({ sent: [], code });
  });

  it(
    'is with 1 and a reason when there is no such credential or no token, and nothing is run',
    { tags: ['long'] },
    async () => {
      const service = await StandInService.start();
      const unknown = await rotavox(['exec', 'other', '--', 'echo', 'ran'], { dataDir: service.dataDir });
      expect(unknown).toEqual({ code: 1, stdout: '', stderr: 'That is not_found.\n' });
      service.answers.set(
        'GET /portal/credentials/pbx/value',
        refusal(503, 'vault_unavailable', 'It is locked.'),
      );
      expect(await exec(service, '--', 'echo', 'ran')).toEqual({
        code: 1,
        stdout: '',
        stderr: 'It is locked.\nTo do: rotavox credential list\n',
      });
    },
  );

  it('is with 3 when Rotavox does not run', async () => {
    const service = await StandInService.start();
    await service.stop();
    expect(await exec(service, '--', 'echo', 'ran')).toMatchObject({ code: 3, stdout: '' });
  });
});

describe('a signal to rotavox exec', () => {
  /** Prints when it is ready, then the name of every signal that it gets; SIGTERM ends it with 7. */
  const listener = `
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH', 'SIGTERM'])
      process.on(signal, () => { console.log(signal); if (signal === 'SIGTERM') process.exit(7); });
    setInterval(() => {}, 1000);
    console.log('ready');`;

  it('reaches the command, which alone decides what becomes of it', async () => {
    const service = await StandInService.start();
    const { child, nextLine } = start(service, ...js(listener));
    expect(await nextLine()).toBe('ready');
    for (const signal of [
      'SIGINT',
      'SIGHUP',
      'SIGQUIT',
      'SIGUSR1',
      'SIGUSR2',
      'SIGWINCH',
      'SIGINT',
    ] as const) {
      child.kill(signal);
      expect(await nextLine()).toBe(signal);
    }
    child.kill('SIGTERM');
    expect(await nextLine()).toBe('SIGTERM');
    expect(await endOf(child)).toEqual({ code: 7, signal: null });
  });

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const name = `ends both by it when nobody minds: ${signal}`;
    it(name, { tags: signal === 'SIGTERM' ? [] : ['long'] }, async () => {
      const service = await StandInService.start();
      const { child, nextLine } = start(service, '--', 'sh', '-c', 'echo $$; exec sleep 1000');
      const pid = Number(await nextLine());
      child.kill(signal);
      expect(await endOf(child)).toEqual({ code: null, signal });
      expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    });
  }

  it('ends the waiting for what the command has left running', async () => {
    const service = await StandInService.start();
    const { child, nextLine } = start(service, '--', 'sh', '-c', 'sleep 1000 & echo $!');
    const left = Number(await nextLine());
    onTestFinished(() => void process.kill(left, 'SIGKILL'));
    // The command itself may end a moment after its line; a signal before that is for the command.
    await expect
      .poll(() => {
        child.kill('SIGINT');
        return child.signalCode;
      })
      .toBe('SIGINT');
  });

  it.skipIf(!hasTerminals)(
    'that a key of the terminal sends to both arrives once',
    { tags: ['long'] },
    async () => {
      const service = await StandInService.start();
      const count = `
      let count = 0;
      process.on('SIGINT', () => { if ((count += 1) === 1) setTimeout(() => process.exit(40 + count), 500); });
      setInterval(() => {}, 1000);
      console.log('ready');`;
      const terminal = inTerminal(`exec ${shellLine(['exec', 'pbx', ...js(count)])}`, service.dataDir);
      await terminal.shows('ready');
      terminal.type('\u0003');
      expect(await terminal.ended).toBe(41);
    },
  );
});

describe('rotavox exec --restart-on-rotate', () => {
  /** Prints the number of this start and a name for its token, never the token; ends when it is told to. */
  function worker(names: Readonly<Record<string, string>>): string[] {
    return js(`
      const names = ${JSON.stringify(names)};
      const name = Object.keys(names).find((name) => names[name] === process.env.ROTAVOX_TOKEN);
      process.on('SIGTERM', () => { console.log(name + ' told to end'); process.exit(0); });
      process.stdin.on('data', (text) => process.exit(Number(text)));
      setInterval(() => {}, 1000);
      console.log('started with ' + name);`);
  }
  const first = 'rvx_first_value_of_all';
  const second = 'rvx_second_value';
  const third = 'rvx_third_value';

  it('starts the command again with each new token, of this credential only', async () => {
    const service = await StandInService.start();
    const names = { first, second, third };
    const { child, said, nextLine } = start(service, '--restart-on-rotate', ...worker(names));
    expect(await nextLine()).toBe('started with first');
    await expect.poll(() => service.followers).toBe(1);
    service.tell('credential.rotated', 'crd_other');
    service.tell('credential.rotation_begun');
    service.value = second;
    service.tell('credential.rotated');
    expect(await nextLine()).toBe('first told to end');
    expect(await nextLine()).toBe('started with second');
    service.tell('credential.rotated'); // reported again, with the token that it already has
    service.value = third;
    service.tell('credential.value_replaced');
    expect(await nextLine()).toBe('second told to end');
    expect(await nextLine()).toBe('started with third');
    expect(said).toEqual(
      Array(2).fill('rotavox: pbx has a new token; the command is started again with it.'),
    );
    child.stdin.write('9');
    expect(await endOf(child)).toEqual({ code: 9, signal: null });
  });

  it(
    'keeps running while the service is away, and gets the newest token when it is back',
    { tags: ['long'] },
    async () => {
      const service = await StandInService.start();
      const { child, nextLine } = start(service, '--restart-on-rotate', ...worker({ first, second }));
      expect(await nextLine()).toBe('started with first');
      await expect.poll(() => service.followers).toBe(1);
      await service.stop();
      service.value = second;
      await service.start();
      expect(await nextLine()).toBe('first told to end');
      expect(await nextLine()).toBe('started with second');
      child.stdin.write('0');
      expect(await endOf(child)).toEqual({ code: 0, signal: null });
    },
  );

  it(
    'reports once that the token no longer works, leaves the command running, and continues when it works',
    { tags: ['long'] },
    async () => {
      const service = await StandInService.start();
      service.answers.set('GET /portal/credentials/pbx', [200, { ...fine, family_id: 'fam_a' }]);
      const { child, said, nextLine } = start(service, '--restart-on-rotate', ...worker({ first, second }));
      expect(await nextLine()).toBe('started with first');
      await expect.poll(() => service.followers).toBe(1);
      const suspended = refusal(409, 'token_unusable', 'The token is suspended.');
      service.answers.set('GET /portal/credentials/pbx/value', suspended);
      service.tell('token.suspended', 'fam_a');
      await expect.poll(() => said).toHaveLength(1);
      service.tell('token.suspended', 'fam_a');
      service.tell('token.suspended', 'fam_of_another');
      expect(said).toEqual([
        'rotavox: The token of pbx does not work, and the command continues with it: The token is suspended.',
      ]);
      service.answers.delete('GET /portal/credentials/pbx/value');
      service.value = second;
      service.tell('credential.value_replaced');
      expect(await nextLine()).toBe('first told to end');
      expect(await nextLine()).toBe('started with second');
      expect(said).toHaveLength(2);
      child.kill('SIGTERM');
      await endOf(child);
    },
  );

  it('asks again while the vault is locked, and reports it once', { tags: ['long'] }, async () => {
    const service = await StandInService.start();
    const { child, said, nextLine } = start(service, '--restart-on-rotate', ...worker({ first, second }));
    expect(await nextLine()).toBe('started with first');
    await expect.poll(() => service.followers).toBe(1);
    const locked = refusal(503, 'vault_unavailable', 'The keychain is locked.');
    service.answers.set('GET /portal/credentials/pbx/value', locked);
    service.value = second;
    service.tell('credential.rotated');
    await expect.poll(() => said).toHaveLength(1);
    expect(said[0]).toBe('rotavox: The token of pbx cannot be read: The keychain is locked.');
    service.answers.clear();
    expect(await nextLine()).toBe('first told to end');
    expect(await nextLine()).toBe('started with second');
    expect(said).toHaveLength(2);
    child.kill('SIGTERM');
    await endOf(child);
  });

  it('keeps the command when the credential is removed', { tags: ['long'] }, async () => {
    const service = await StandInService.start();
    const { child, said, nextLine } = start(service, '--restart-on-rotate', ...worker({ first }));
    expect(await nextLine()).toBe('started with first');
    await expect.poll(() => service.followers).toBe(1);
    service.tell('credential.removed');
    await expect.poll(() => said).toHaveLength(1);
    expect(said[0]).toContain('pbx was removed');
    child.stdin.write('3');
    expect(await endOf(child)).toEqual({ code: 3, signal: null });
  });

  it('masks every token that it has passed on, including previous ones', { tags: ['long'] }, async () => {
    const service = await StandInService.start();
    const file = fileBeside(service, 'all');
    const remember = `
      const { appendFileSync, readFileSync } = require('fs');
      appendFileSync(${JSON.stringify(file)}, process.env.ROTAVOX_TOKEN + ',');
      console.log(readFileSync(${JSON.stringify(file)}, 'utf8'));
      setInterval(() => {}, 1000);`;
    const { child, nextLine } = start(service, '--restart-on-rotate', ...js(remember));
    expect(await nextLine()).toBe(`${mask},`);
    await expect.poll(() => service.followers).toBe(1);
    service.value = second;
    service.tell('credential.rotated');
    expect(await nextLine()).toBe(`${mask},${mask},`);
    child.kill('SIGTERM');
    expect(await endOf(child)).toEqual({ code: null, signal: 'SIGTERM' });
    expect(await readFile(file, 'utf8')).toBe(`${first},${second},`);
  });

  it('ends when it is told to end while it waits for the command to end', async () => {
    const service = await StandInService.start();
    const stubborn = `
      let told = 0;
      process.on('SIGTERM', () => { told += 1; console.log('told ' + told); if (told === 2) process.exit(6); });
      setInterval(() => {}, 1000);
      console.log('started');`;
    const { child, nextLine } = start(service, '--restart-on-rotate', ...js(stubborn));
    expect(await nextLine()).toBe('started');
    await expect.poll(() => service.followers).toBe(1);
    service.value = second;
    service.tell('credential.rotated');
    expect(await nextLine()).toBe('told 1');
    child.kill('SIGTERM');
    expect(await nextLine()).toBe('told 2');
    expect(await endOf(child)).toEqual({ code: 6, signal: null });
  });
});

describe('rotavox exec with several credentials', () => {
  /** A service with a second credential. */
  async function withTwo() {
    const service = await StandInService.start();
    const other = { ...fine, id: 'crd_2', name: 'lab' };
    let value = 'lab_first_value';
    service.otherwise = (call) => {
      if (call === 'GET /portal/credentials/lab') return [200, other];
      if (call === 'GET /portal/credentials/lab/value')
        return [200, { name: 'lab', value, generation: 1, expires_at: fine.expires_at }];
      if (call === 'GET /portal/credentials/pbx') return [200, fine];
      if (call === 'GET /portal/credentials/pbx/value')
        return [200, { name: 'pbx', value: service.value, generation: 1, expires_at: fine.expires_at }];
      return refusal(404, 'not_found');
    };
    return { service, setLab: (token: string) => (value = token) };
  }
  const both = ['--env', 'PBX=pbx', '--env', 'LAB=lab'];
  const run = (service: StandInService, ...args: string[]) =>
    rotavox(['exec', ...args], { dataDir: service.dataDir });

  it('gives each token in its own variable and masks all of them', async () => {
    const { service } = await withTwo();
    const file = fileBeside(service, 'seen');
    const see = sh(`
      printf '%s' "$PBX $LAB $AGAIN \${ROTAVOX_TOKEN-none}" > '${file}'
      echo "$PBX $LAB"; echo "$LAB" >&2`);
    expect(await run(service, ...both, '--env', 'AGAIN=lab', ...see)).toEqual({
      code: 0,
      stdout: `${mask} ${mask}\n`,
      stderr: `${mask}\n`,
    });
    expect(await readFile(file, 'utf8')).toBe(`${service.value} lab_first_value lab_first_value none`);
  });

  it('names the credential that is unknown or dead, and runs nothing', { tags: ['long'] }, async () => {
    const { service } = await withTwo();
    const unknown = await run(service, '--env', 'A=pbx', '--env', 'B=other', '--', 'echo', 'ran');
    expect(unknown).toEqual({ code: 1, stdout: '', stderr: 'other: That is not_found.\n' });
    service.answers.set(
      'GET /portal/credentials/lab/value',
      refusal(409, 'token_unusable', 'The token was blacklisted.'),
    );
    const dead = await run(service, ...both, '--', 'echo', 'ran');
    expect(dead).toMatchObject({ code: 1, stdout: '' });
    expect(dead.stderr).toMatch(/^lab: The token was blacklisted\.\n/);
  });

  it('says that NAME is left out, where it stands before the command', async () => {
    const { service } = await withTwo();
    const { code, stdout, stderr } = await run(service, 'pbx', '--env', 'LAB=lab', '--', 'echo', 'ran');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('pbx is a credential, not a command.');
    expect(stderr).not.toContain('was not found');
  });

  it('restarts the command for a new token of any of them', async () => {
    const { service, setLab } = await withTwo();
    const show = `
      const digits = (text) => text.replace(/\\D/g, '');
      process.on('SIGTERM', () => process.exit(0));
      process.stdin.on('data', () => process.exit(5));
      setInterval(() => {}, 1000);
      console.log('pbx ' + digits(process.env.PBX) + ', lab ' + digits(process.env.LAB));`;
    service.value = 'pbx_token_1';
    setLab('lab_token_1');
    const child = spawnRotavox(['exec', ...both, '--restart-on-rotate', ...js(show)], {
      dataDir: service.dataDir,
    });
    const stderr = text(child.stderr);
    onTestFinished(async () => {
      child.kill('SIGTERM');
      await exitCodeOf(child);
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const nextLine = async () => String((await lines.next()).value);
    expect(await nextLine()).toBe('pbx 1, lab 1');
    await expect.poll(() => service.followers).toBe(2);
    setLab('lab_token_2');
    service.tell('credential.rotated', 'crd_2');
    expect(await nextLine()).toBe('pbx 1, lab 2');
    service.value = 'pbx_token_2';
    service.tell('credential.rotated');
    expect(await nextLine()).toBe('pbx 2, lab 2');
    child.stdin.write('end');
    expect(await endOf(child)).toEqual({ code: 5, signal: null });
    expect((await stderr).trim().split('\n')).toEqual([
      'rotavox: lab has a new token; the command is started again with it.',
      'rotavox: pbx has a new token; the command is started again with it.',
    ]);
  });
});

describe('a command that runs with a token', () => {
  it('is killed when it does not end in time for the next one', async () => {
    const folder = dirname(await freshDataDir());
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'starts');
    await writeFile(file, '');
    const starts = async (): Promise<string> => readFile(file, 'utf8');
    const deaf = `trap '' TERM; echo "$V $$" >> '${file}'; [ "$V" = two ] && exit 8; exec sleep 1000`;
    const run = new CommandRun({
      command: ['sh', '-c', deaf],
      tokens: { V: 'one' },
      baseUrl: 'http://127.0.0.1:7682',
      isMasked: false,
      killAfterMs: 50,
    });
    await expect.poll(starts).toMatch(/^one \d+\n$/);
    expect(run.restartWith({ V: 'one' })).toBe(false);
    expect(run.restartWith({ V: 'two' })).toBe(true);
    expect(await run.ended()).toEqual({ kind: 'exited', code: 8 });
    expect(await starts()).toMatch(/^one \d+\ntwo \d+\n$/);
    const [, pid] = /^one (\d+)/.exec(await starts()) ?? [];
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  });
});
