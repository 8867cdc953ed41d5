import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTextType, scrubbedBody } from '../../../src/service/proxy/scrub-body.ts';
import { secret } from './proxy-setup.ts';

/** What arrives of a body in these parts, and how often the token was found. */
async function scrub(parts: readonly string[]): Promise<{ text: string; found: number }> {
  let found = 0;
  const body = Readable.from(parts.map((part) => Buffer.from(part)));
  const arrived = await text(scrubbedBody(body, secret, () => (found += 1)));
  return { text: arrived, found };
}

const inAddress = encodeURIComponent(secret);
const basic = Buffer.from(`user:${secret}`).toString('base64');
const forms = {
  raw: secret,
  'in an address': inAddress,
  'in an address in lower case': inAddress.toLowerCase().replace('5fa9', '5fA9'),
  'in JSON with escaped slashes': secret.replaceAll('/', String.raw`\/`),
};

describe('the token in the text of an answer', () => {
  it.each(Object.entries(forms))('is replaced by as many asterisks: %s', async (_name, form) => {
    const { text: arrived, found } = await scrub([`{"is":"${form}","ä":1} ${form}`]);
    expect(arrived).toBe(`{"is":"${'*'.repeat(form.length)}","ä":1} ${'*'.repeat(form.length)}`);
    expect(found).toBe(1);
  });

  it('is found in base64 beside other text, wherever it stands there', async () => {
    for (const user of ['user:', 'me:', 'a:', '']) {
      const coded = Buffer.from(`${user}${secret} more`).toString('base64');
      const { text: arrived } = await scrub([`Basic ${coded}`]);
      expect(arrived).toHaveLength(6 + coded.length);
      expect(Buffer.from(arrived.slice(6), 'base64').toString('latin1')).not.toContain(secret.slice(3, -3));
    }
  });

  it('is found however the text is cut into parts', async () => {
    const whole = `a ${secret} b ${inAddress}${secret} c ${basic} ${secret.slice(0, -1)} end`;
    const { text: expected } = await scrub([whole]);
    expect(expected).not.toContain(secret);
    const cuts = fc.array(fc.nat(whole.length), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const sorted = [0, ...places.toSorted((a, b) => a - b), whole.length];
        const parts = sorted.slice(1).map((end, at) => whole.slice(sorted[at], end));
        expect((await scrub(parts.filter((part) => part !== ''))).text).toBe(expected);
      }),
    );
  });

  it('changes nothing else, and holds nothing back but what could be its beginning', async () => {
    const source = new Readable({ read: () => undefined });
    const scrubbed = scrubbedBody(source, secret, () => undefined);
    const next = async (): Promise<string> => {
      const before = scrubbed.read() as Buffer | null;
      if (before !== null) return String(before);
      const { promise, resolve } = Promise.withResolvers<string>();
      scrubbed.once('readable', () => resolve(String(scrubbed.read())));
      return promise;
    };
    source.push('data: 1\n\n');
    expect(await next()).toBe('data: 1\n\n');
    source.push(`data: ${secret.slice(0, 5)}`);
    expect(await next()).toBe('data: ');
    source.push('\n\n');
    expect(await next()).toBe(`${secret.slice(0, 5)}\n\n`);
    source.push(secret.slice(0, 7));
    source.push(null);
    expect(await text(scrubbed)).toBe(secret.slice(0, 7));
  });

  it('ends with the body that it is made from, and that one with it', async () => {
    for (const isOurs of [false, true]) {
      const body = new Readable({ read: () => undefined });
      const scrubbed = scrubbedBody(body, secret, () => undefined);
      const ended = Promise.all(
        [body, scrubbed].map(
          (one) => new Promise((resolve) => one.on('error', resolve).on('close', resolve)),
        ),
      );
      (isOurs ? scrubbed : body).destroy(new Error('cut'));
      await ended;
      expect([body.destroyed, scrubbed.destroyed]).toEqual([true, true]);
    }
  });
});

it.each([
  ['application/json; charset=utf-8', true],
  ['application/problem+json', true],
  ['TEXT/event-stream', true],
  ['application/x-ndjson', true],
  ['application/atom+xml', true],
  [undefined, true],
  ['application/octet-stream', false],
  ['image/png', false],
  ['application/zip', false],
])('a body of the type %s is text: %s', (type, isText) => {
  expect(isTextType(type)).toBe(isText);
});
