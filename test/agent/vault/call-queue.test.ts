import { describe, expect, it } from 'vitest';
import { CallHangs, CallQueue } from '../../../src/agent/vault/call-queue.ts';

/** Long enough for any call that does not hang, short enough to wait for when one does. */
const limitMs = 50;

/** A call that returns when it is told to. */
function heldCall() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { call: () => promise, comeBack: resolve, breakDown: reject };
}

describe('a lane of calls', () => {
  it('makes one call at a time, in the order of the jobs', async () => {
    const lane = new CallQueue(60_000);
    const first = heldCall();
    const made: string[] = [];
    const one = lane.run((limited) => limited(first.call).then((answer) => made.push(answer)));
    const two = lane.run((limited) => limited(async () => made.push('second')));
    await Promise.resolve();
    first.comeBack('first');
    await Promise.all([one, two]);
    expect(made).toEqual(['first', 'second']);
  });

  it('runs the calls of one job without others between them', async () => {
    const lane = new CallQueue(60_000);
    const made: string[] = [];
    const job = (name: string) =>
      lane.run(async (limited) => {
        await limited(async () => made.push(`${name} 1`));
        await limited(async () => made.push(`${name} 2`));
      });
    await Promise.all([job('a'), job('b')]);
    expect(made).toEqual(['a 1', 'a 2', 'b 1', 'b 2']);
  });

  it('passes a failure on and continues with the next job', async () => {
    const lane = new CallQueue(60_000);
    const failing = lane.run((limited) => limited(() => Promise.reject(new Error('no'))));
    const next = lane.run((limited) => limited(async () => 'yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('ends the wait for a call after its limit, and makes none for those who wait or come later', async () => {
    const lane = new CallQueue(limitMs);
    const hanging = heldCall();
    let others = 0;
    const other = () => lane.run((limited) => limited(async () => (others += 1)));
    const given = lane.run((limited) => limited(hanging.call));
    const waiting = other();
    await expect(given).rejects.toThrow(CallHangs);
    await expect(waiting).rejects.toThrow(CallHangs);
    await expect(other()).rejects.toThrow(CallHangs);
    expect(others).toBe(0);
    hanging.comeBack('late');
  });

  it.each([
    ['comes back', (call: ReturnType<typeof heldCall>) => call.comeBack('late')],
    ['fails', (call: ReturnType<typeof heldCall>) => call.breakDown(new Error('late'))],
  ])('is free again when the call that hung %s', async (_, end) => {
    const lane = new CallQueue(limitMs);
    const hanging = heldCall();
    await expect(lane.run((limited) => limited(hanging.call))).rejects.toThrow(CallHangs);
    end(hanging);
    await new Promise(setImmediate);
    expect(await lane.run((limited) => limited(async () => 'free'))).toBe('free');
  });

  it('does not go on with a job whose call was given up', async () => {
    const lane = new CallQueue(limitMs);
    const hanging = heldCall();
    let wentOn = false;
    const job = lane.run(async (limited) => {
      await limited(hanging.call);
      wentOn = true;
    });
    await expect(job).rejects.toThrow(CallHangs);
    hanging.comeBack('late');
    await new Promise(setImmediate);
    expect(wentOn).toBe(false);
  });

  it('leaves nothing to be done at the end of the process once its calls are back', async () => {
    const before = process.listenerCount('exit');
    const lane = new CallQueue(60_000);
    const held = heldCall();
    const job = lane.run((limited) => limited(held.call));
    await new Promise(setImmediate);
    expect(process.listenerCount('exit')).toBe(before + 1);
    held.comeBack('back');
    await job;
    await new Promise(setImmediate);
    expect(process.listenerCount('exit')).toBe(before);
  });
});
