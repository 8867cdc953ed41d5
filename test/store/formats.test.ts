import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { currentFormat } from '../../src/store/formats.ts';
import { openStore } from '../../src/store/open-store.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { noon, tokenIdNamed } from '../fixtures/make-events.ts';

const formats = join(import.meta.dirname, '../fixtures/formats');

describe('a data folder of every format there ever was', () => {
  it('is among the fixtures', () => {
    const expected = Array.from({ length: currentFormat }, (_, place) => String(place + 1));
    expect(readdirSync(formats)).toEqual(expected);
  });

  for (const format of readdirSync(formats)) {
    it(`opens: format ${format}`, async () => {
      const folder = makeFolder();
      cpSync(join(formats, format), folder, { recursive: true });
      const { store, repairs } = await openStore({ folder, clock: () => noon });
      expect(repairs).toEqual([]);
      const { state } = store;
      expect(state.tokens.get(tokenIdNamed('a', 2))?.status).toBe('Superseded');
      expect(state.tokens.get(tokenIdNamed('a', 3))?.status).toBe('Active');
      expect(state.tokens.get(tokenIdNamed('b'))).toMatchObject({ status: 'Suspended', reason: 'because' });
      expect(state.tokens.get(tokenIdNamed('c'))?.status).toBe('Blacklisted');
      expect(state.accessTokens.size).toBe(1);
      expect(state.settings.sms_templates_enabled).toBe(true);
      expect([...state.ivrs.values()]).toMatchObject([{ id: 'ivr_sample', sms_template: ['31', '32'] }]);
      expect(await store.verify()).toMatchObject({ status: 'intact', verified_to: 10 });
      await store.close();
    });
  }
});
