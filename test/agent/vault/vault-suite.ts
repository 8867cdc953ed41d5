import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Vault, VaultEntry } from '../../../src/core/vault.ts';

export interface VaultFixture {
  readonly vault: Vault;
  readonly close?: () => void | Promise<void>;
}

/** Far longer than a token, but a value may be any text. */
const longBytes = 8_190;

/** What every vault has to do, the fake and the real ones. One vault is used for the whole suite, as in the program. */
export function describeVaultSuite(name: string, open: () => VaultFixture | Promise<VaultFixture>): void {
  describe(`${name}, as every vault`, () => {
    let fixture: VaultFixture;
    const used = new Map<string, VaultEntry>();
    const run = randomBytes(6).toString('hex');

    /** An entry of this run only: on a person's own keychain, no other entry is touched. */
    function entry(account: string, service = 'rotavox'): VaultEntry {
      const one = { service, account: `test-${run}-${account}` };
      used.set(JSON.stringify(one), one);
      return one;
    }

    beforeAll(async () => {
      fixture = await open();
    });
    afterAll(async () => {
      for (const one of used.values()) await fixture.vault.remove(one);
      await fixture.close?.();
    });

    it('is there', async () => {
      expect(await fixture.vault.contact()).toBeUndefined();
    });

    it('reads null where there is no entry', async () => {
      expect(await fixture.vault.read(entry('never-written'))).toBeNull();
    });

    it.each([
      ['a token', 'rvx_3kd9'],
      ['one character', 'x'],
      ['spaces around and a line break within', '  first\r\nsecond\n\t'],
      ['quotes, backslashes, dollar signs', `"'\\$HOME\`%PATH%{}`],
      ['accents composed and apart, kept as they are', 'é e\u0301'],
      ['scripts, directions and emoji', 'Ключ 鍵 مفتاح 🔑👩‍👩‍👧 \u202eabc'],
      ['8 KB', '0123456789'.repeat(longBytes / 10)],
      ['8 KB of three bytes each', '鍵'.repeat(longBytes / 3)],
    ])('gives back %s', async (label, value) => {
      const one = entry(`value ${label}`);
      await fixture.vault.write(one, value);
      expect(await fixture.vault.read(one)).toBe(value);
    });

    it('keeps the value that was written last', async () => {
      const one = entry('overwritten');
      await fixture.vault.write(one, 'a first value, the longer one');
      await fixture.vault.write(one, 'second');
      expect(await fixture.vault.read(one)).toBe('second');
    });

    it('deletes an entry, and does nothing quietly where there is none', async () => {
      const one = entry('removed');
      await fixture.vault.write(one, 'value');
      await fixture.vault.remove(one);
      expect(await fixture.vault.read(one)).toBeNull();
      await fixture.vault.remove(one);
      await fixture.vault.write(one, 'again');
      expect(await fixture.vault.read(one)).toBe('again');
    });

    it('keeps entries with similar names apart', async () => {
      const entries = [
        ...['key', 'ke', 'key2', 'key/pending', 'key.pending', ' key', 'key ', 'ключ', 'k*', 'k?y'].map(
          (account) => entry(account),
        ),
        ...['rotavox2', 'rotavo', 'rotavox app'].map((service) => entry('key', service)),
      ];
      for (const [index, one] of entries.entries()) await fixture.vault.write(one, `value ${index}`);
      await fixture.vault.remove(entries[1]!);
      const found = await Promise.all(entries.map((one) => fixture.vault.read(one)));
      expect(found).toEqual(entries.map((_, index) => (index === 1 ? null : `value ${index}`)));
    });

    it('holds many entries', async () => {
      const entries = Array.from({ length: 100 }, (_, index) => entry(`many-${index}`));
      await Promise.all(entries.map((one) => fixture.vault.write(one, one.account)));
      const found = await Promise.all(entries.map((one) => fixture.vault.read(one)));
      expect(found).toEqual(entries.map(({ account }) => account));
    });

    it('lets calls take effect in the order in which they were made, however many come at once', async () => {
      const entries = Array.from({ length: 4 }, (_, index) => entry(`mixed-${index}`));
      const anyCall = fc.record({
        kind: fc.constantFrom('write' as const, 'read' as const, 'remove' as const),
        entry: fc.constantFrom(...entries),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(anyCall, { minLength: 200, maxLength: 200 }), async (calls) => {
          for (const one of entries) await fixture.vault.remove(one);
          const model = new Map<VaultEntry, string>();
          const expected: (string | null)[] = [];
          const answers = calls.map(({ kind, entry: one }, index) => {
            if (kind === 'write') {
              model.set(one, `value ${index}`);
              expected.push(null);
              return fixture.vault.write(one, `value ${index}`).then(() => null);
            }
            if (kind === 'remove') {
              model.delete(one);
              expected.push(null);
              return fixture.vault.remove(one).then(() => null);
            }
            expected.push(model.get(one) ?? null);
            return fixture.vault.read(one);
          });
          expect(await Promise.all(answers)).toEqual(expected);
          const left = await Promise.all(entries.map((one) => fixture.vault.read(one)));
          expect(left).toEqual(entries.map((one) => model.get(one) ?? null));
        }),
        { numRuns: 2, endOnFailure: true },
      );
    });

    it.each([
      ['an empty value', ''],
      ['a value with NUL', 'secret\0more'],
      ['a value with half a surrogate pair', 'secret\ud83d'],
    ])('takes %s for a bug, keeps what it has and does not repeat the value', async (label, value) => {
      const one = entry(label);
      await fixture.vault.write(one, 'kept');
      const refusal = await fixture.vault.write(one, value).catch((error: unknown) => String(error));
      expect(refusal).toContain('Broken invariant');
      expect(refusal).not.toContain('secret');
      expect(await fixture.vault.read(one)).toBe('kept');
    });

    it.each([
      ['service', { service: '', account: 'a' }],
      ['account', { service: 'rotavox', account: '' }],
      ['account with NUL', { service: 'rotavox', account: 'a\0b' }],
    ])('takes an unusable %s for a bug, whatever is asked', async (_, one) => {
      await expect(fixture.vault.read(one)).rejects.toThrow('Broken invariant');
      await expect(fixture.vault.write(one, 'value')).rejects.toThrow('Broken invariant');
      await expect(fixture.vault.remove(one)).rejects.toThrow('Broken invariant');
    });
  });
}
