import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { withIo } from '../../src/cli/command-io.ts';
import { endAfterFailure } from '../../src/cli/end-after-failure.ts';

/** A process, as far as it is needed here, that has run for a second. */
class Program extends EventEmitter {
  exitCode = 0;
  readonly exits: number[] = [];

  uptime(): number {
    return 1;
  }

  exit(): void {
    this.exits.push(this.exitCode);
  }
}

/** A service whose start, end and failures a test decides. */
function watched({ starting = Promise.resolve() }: { starting?: Promise<unknown> } = {}) {
  const program = new Program();
  const stop = Promise.withResolvers<undefined>();
  let said = '';
  let closes = 0;
  const stderr = new Writable({
    write(chunk: Buffer, _encoding, done) {
      said += chunk.toString();
      done();
    },
  });
  const io = { env: {}, stdin: Readable.from([]), stdout: stderr, stderr };
  const close = (): Promise<void> => {
    closes += 1;
    expect(said).not.toContain('No saved data is lost');
    return Promise.resolve();
  };
  void withIo(io, () =>
    endAfterFailure(
      starting.then(() => ({ close })),
      stop.promise,
      program,
    ),
  );
  return {
    program,
    stop: () => stop.resolve(undefined),
    said: () => said,
    closes: () => closes,
    fail: (event: 'uncaughtException' | 'unhandledRejection', failure: unknown) =>
      withIo(io, () => program.emit(event, failure)),
  };
}

const failure = Object.assign(new Error('on purpose: /callback?code=a-secret'), { input: 'a-secret' });

it.each([
  ['thrown', 'uncaughtException', failure, 1],
  ['rejected', 'unhandledRejection', failure, 1],
  ['again and again', 'uncaughtException', failure, 1000],
  ['no error', 'uncaughtException', 'on purpose: ?code=a-secret', 1],
] as const)(
  'a failure (%s) is said without secrets, the service is closed once, and waits to end with 1',
  async (_what, event, error, times) => {
    const service = watched();
    for (let time = 0; time < times; time += 1) service.fail(event, error);
    await expect.poll(service.said).toContain('No saved data is lost');
    expect(service.said()).toContain('unexpected error');
    expect(service.said()).toContain('on purpose');
    expect(service.said()).not.toContain('a-secret');
    expect(service.said().split('unexpected error').length).toBeLessThan(8);
    expect([service.closes(), service.program.exits]).toEqual([1, []]);
    service.stop();
    await expect.poll(() => service.program.exits).toEqual([1]);
  },
);

it('a failure while it starts lets the start end, and closes what it has opened', async () => {
  const starting = Promise.withResolvers<undefined>();
  const service = watched({ starting: starting.promise });
  service.stop();
  service.fail('uncaughtException', failure);
  await new Promise(setImmediate);
  expect([service.closes(), service.program.exits]).toEqual([0, []]);
  starting.resolve(undefined);
  await expect.poll(() => service.program.exits).toEqual([1]);
  expect(service.closes()).toBe(1);
});

it('a failure of a start that fails itself ends all the same', async () => {
  const starting = Promise.reject(new Error('no port'));
  const service = watched({ starting });
  service.stop();
  service.fail('unhandledRejection', failure);
  await expect.poll(() => service.program.exits).toEqual([1]);
  expect(service.said()).toContain('No saved data is lost');
});
