import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutputMask } from '../../src/cli/mask-output.ts';
import { hasTerminals, inTerminal, shellLine } from './in-terminal.ts';
import { StandInService } from './stand-in-service.ts';
import { formatTable } from '../../src/cli/format-table.ts';
import { plainDocument, plainText } from '../../src/cli/terminal.ts';
import { type AddressOptions, chosenAddress } from '../../src/cli/chosen-network.ts';

const mask = '••••';

/** The output for each chunk of input. */
async function passed(values: readonly string[], chunks: readonly Buffer[]): Promise<Buffer[]> {
  const output = new OutputMask();
  for (const value of values) output.hide(value);
  async function* given() {
    yield* chunks;
  }
  const out: Buffer[] = [];
  for await (const chunk of output.pass(given())) out.push(chunk);
  return out;
}

/** The plain replacement on the whole text: leftmost first, and the longest of those that begin at the same place. */
function replaced(text: string, values: readonly string[]): string {
  const longestFirst = values.filter((value) => value !== '').sort((a, b) => b.length - a.length);
  let out = '';
  for (let at = 0; at < text.length;) {
    const value = longestFirst.find((one) => text.startsWith(one, at));
    out += value === undefined ? text.charAt(at) : mask;
    at += value?.length ?? 1;
  }
  return out;
}

/** Bytes cut at places, each a share of the whole. */
function cut(bytes: Buffer, shares: readonly number[]): Buffer[] {
  const places = [
    0,
    ...shares.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b),
    bytes.length,
  ];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

// Few letters, so that tokens overlap themselves and each other.
const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 6 });
const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

describe('masked output', () => {
  it('is the plain replacement of the whole text, however it is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', 'b', '•'), maxLength: 40 }),
        fc.array(word, { minLength: 1, maxLength: 3 }),
        shares,
        async (text, values, places) => {
          const out = await passed(values, cut(Buffer.from(text), places));
          expect(Buffer.concat(out).toString()).toBe(replaced(text, values));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('is the same for values as long as tokens, between any other bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[ABab01._~+/-]{20,300}$/),
        fc.array(fc.oneof(fc.constant('value'), fc.constant('beginning'), fc.uint8Array({ maxLength: 50 })), {
          maxLength: 8,
        }),
        shares,
        async (value, parts, places) => {
          const beginning = value.slice(0, value.length / 2);
          const bytesOf = (part: (typeof parts)[number]): Uint8Array =>
            typeof part === 'string' ? Buffer.from(part === 'value' ? value : beginning) : part;
          const bytes = Buffer.concat(parts.map(bytesOf));
          const out = await passed([value], cut(bytes, places));
          // latin1: every byte is one character, so that no byte is changed by the comparison.
          const maskBytes = Buffer.from(mask).toString('latin1');
          expect(Buffer.concat(out).toString('latin1')).toBe(
            bytes.toString('latin1').replaceAll(value, maskBytes),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    ['aab', ['aa', 'ab'], `a${mask}`],
    ['aab', ['a', 'a', 'a', 'b'], `a${mask}`],
    ['abab', ['aba', 'bab'], `${mask}ab`],
    ['abac', ['ab', 'abac'], `ab${mask}`],
    ['aa', ['a', 'a', 'a'], `${mask}a`],
  ])('replaces %s in the chunks %o', async (value, chunks, expected) => {
    const out = await passed(
      [value],
      chunks.map((chunk) => Buffer.from(chunk)),
    );
    expect(Buffer.concat(out).toString()).toBe(expected);
  });

  it('holds nothing back but an end that may be the beginning of a value', async () => {
    const chunks = ['no ', 'rvx_', 'no rv', 'rvx_12', '34 ', 'rvx_'].map((chunk) => Buffer.from(chunk));
    const out = await passed(['rvx_1234'], chunks);
    expect(out.map(String)).toEqual(['no ', 'rvx_no ', 'rv', `${mask} `, 'rvx_']);
  });

  it('passes a chunk without a value on as it is, not as a copy', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const [out] = await passed(['rvx_1234'], [chunk]);
    expect(out?.buffer).toBe(chunk.buffer);
    expect(out).toHaveLength(chunk.length);
  });

  it('hides a token as soon as it is passed on, and the earlier ones still', async () => {
    const output = new OutputMask();
    output.hide('first');
    async function* given() {
      yield Buffer.from('first second|');
      output.hide('second');
      yield Buffer.from('first sec');
      yield Buffer.from('ond');
    }
    let out = '';
    for await (const chunk of output.pass(given())) out += chunk.toString();
    expect(out).toBe(`${mask} second|${mask} ${mask}`);
  });

  it('hides nothing for a value that is empty', async () => {
    expect((await passed([''], [Buffer.from('all of it')])).map(String)).toEqual(['all of it']);
  });
});

describe.skipIf(!hasTerminals)('a secret that is asked for on a terminal', () => {
  it('is read without being shown, up to the line break', async () => {
    const service = await StandInService.start();
    const terminal = inTerminal(shellLine(['credential', 'add', 'pbx']), service.dataDir);
    await terminal.shows('Token for pbx (not shown');
    terminal.type('rvx_typo');
    terminal.type('\u007f\u007fed_value\r');
    expect(await terminal.ended).toBe(0);
    expect(service.calls).toEqual([
      { call: 'POST /portal/credentials', body: { name: 'pbx', value: 'rvx_tyed_value' } },
    ]);
    expect(terminal.screen()).toContain('pbx is added.');
    expect(terminal.screen()).not.toMatch(/rvx_|value\r/);
  });

  for (const [what, keys, tags] of [
    ['an empty line', '\r', []],
    ['the end of the input', '\u0004', ['long']],
  ] as const)
    it(`is refused when it is ${what}`, { tags: [...tags] }, async () => {
      const service = await StandInService.start();
      const terminal = inTerminal(shellLine(['credential', 'replace', 'pbx']), service.dataDir);
      await terminal.shows('Token for pbx (not shown');
      terminal.type(keys);
      expect(await terminal.ended).toBe(2);
      expect(terminal.screen()).toContain('No token was entered for pbx');
      expect(service.calls).toEqual([]);
    });

  for (const [what, keys, tags] of [
    ['Ctrl-C', '\u0003', []],
    ['a line', 'rvx_abc\r', ['long']],
  ] as const)
    it(`leaves the terminal as it was after ${what}`, { tags: [...tags] }, async () => {
      const service = await StandInService.start();
      const command = shellLine(['credential', 'add', 'pbx']);
      const terminal = inTerminal(
        `trap : INT; echo "before $(stty -g)"; ${command}; echo "ended $?"; echo "after $(stty -g)"`,
        service.dataDir,
      );
      await terminal.shows('Token for pbx (not shown');
      terminal.type(keys);
      await terminal.ended;
      const [, before] = /before (\S+)/.exec(terminal.screen()) ?? [];
      const [, after] = /after (\S+)/.exec(terminal.screen()) ?? [];
      expect(before).toMatch(/^[\da-f:]+$/);
      expect(after).toBe(before);
      expect(terminal.screen()).toContain(`ended ${keys === '\u0003' ? '130' : '0'}`);
    });
});

describe('a table', () => {
  it('aligns its columns, also under wide characters and combined ones', () => {
    expect(
      formatTable(
        [
          ['メニュー', 'a'],
          ['e\u0301te\u0301', 'b'],
          ['plain', 'c'],
        ],
        ['name', 'x'],
      ),
    ).toEqual(['NAME      X', 'メニュー  a', 'e\u0301te\u0301       b', 'plain     c']);
  });

  it('has no blanks at the end of a line', () => {
    expect(
      formatTable([
        ['a', ''],
        ['bbb', 'c'],
      ]),
    ).toEqual(['a', 'bbb  c']);
  });
});

describe('a text from elsewhere', () => {
  it.each([
    ['\u001b[31mred', '\\u001b[31mred'],
    ['two\nlines\tand a tab', 'two lines and a tab'],
    ['\u202eturned', '\\u202eturned'],
    ['\u009b2J', '\\u009b2J'],
    ['\u007f\u061c\u2028\u2029', '\\u007f\\u061c\\u2028\\u2029'],
    ['\r\n', '\\u000d '],
    ['Suspend “\u2068קו\u2069”?', 'Suspend “קו”?'],
    ['\u2069\u2068', '\\u2069\\u2068'],
    ['Grüße, メニュー 👋', 'Grüße, メニュー 👋'],
  ])('is shown without what would move the terminal: %j', (text, expected) => {
    expect(plainText(text)).toBe(expected);
  });

  it('keeps its lines where it is a document', () => {
    expect(plainDocument('a\tb\r\nc\rd\n\u001b')).toBe('a\tb\r\nc\\u000dd\n\\u001b');
  });
});

const everywhere = { host: '0.0.0.0', port: 7682 };
const here = { host: '127.0.0.1', port: 7001 };
const tls = { tlsCert: 'cert.pem', tlsKey: 'key.pem' };
const name = { allowHost: ['rotavox.example.com'] };

describe('where serve listens', () => {
  it('is on loopback without --listen, and with one that names loopback', () => {
    expect(chosenAddress({ host: '::1', port: 0 })).toEqual({ hostname: '::1', port: 0, network: undefined });
    expect(chosenAddress({ listen: here })).toEqual({
      hostname: '127.0.0.1',
      port: 7001,
      network: undefined,
    });
  });

  it('is an address for other machines beside it, with TLS or behind a proxy', () => {
    const chosen = chosenAddress({ listen: everywhere, ...tls, ...name, port: 7681 });
    expect(chosen).toMatchObject({ hostname: undefined, port: 7681 });
    expect(chosen.network).toMatchObject({
      listen: everywhere,
      allowedHosts: name.allowHost,
      trustedProxies: [],
    });
    expect(chosen.network?.tls?.certFile).toMatch(/^\/.*cert\.pem$/);
    const proxied = chosenAddress({ listen: here, behindProxy: ['127.0.0.1'], ...name });
    expect(proxied.network).toMatchObject({ tls: null, trustedProxies: ['127.0.0.1'] });
    // One address is a name by itself.
    expect(chosenAddress({ listen: { host: '10.0.0.5', port: 443 }, ...tls }).network?.allowedHosts).toEqual(
      [],
    );
  });

  it.each<[string, AddressOptions, string]>([
    [
      'another machine without TLS or a proxy',
      { listen: everywhere, ...name },
      'Add --tls-cert and --tls-key',
    ],
    ['a certificate without its key', { listen: everywhere, tlsCert: 'c', ...name }, 'belong together'],
    ['a key without a certificate', { listen: everywhere, tlsKey: 'k', ...name }, 'belong together'],
    ['an empty file', { listen: everywhere, tlsCert: '', tlsKey: 'k' }, 'each need a file'],
    ['TLS without an address', { ...tls }, 'add --listen'],
    ['a proxy without an address', { behindProxy: ['10.0.0.2'] }, 'add --listen'],
    ['a name without an address', { ...name }, 'add --listen'],
    ['every address without a name', { listen: everywhere, ...tls }, 'Name it with --allow-host'],
    ['a proxy without a name', { listen: here, behindProxy: ['10.0.0.2'] }, 'Name it with --allow-host'],
    ['a name on loopback', { listen: here, ...name }, 'leave out --allow-host'],
    ['two ports on loopback', { listen: here, port: 7002 }, 'use either --listen or --host and --port'],
  ])('is wrong usage with %s', (_what, options, message) => {
    expect(() => chosenAddress(options)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining(message) as string }) as Error,
    );
  });
});
