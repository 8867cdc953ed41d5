import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { handOverLines } from '../../../src/core/calls/asterisk-lines.ts';
import { entryName } from '../../../src/core/ivr/export/dialplan-names.ts';
import { AddPbx } from '../../../src/contract/calls/pbx.ts';
import { promptsBaseUrl } from '../../../src/core/calls/asterisk-lines.ts';
import {
  ariSetupLines,
  httpSetupLines,
  isDialledNumber,
  newPbxPassword,
  numberLine,
  setupUrls,
} from '../../../src/core/calls/setup-lines.ts';

test.each([
  ['http://127.0.0.1:8088', 'loopback'],
  ['http://localhost:8088/asterisk', 'loopback'],
  ['http://[::1]:8088', 'loopback'],
  ['https://127.0.0.2', 'loopback'],
  ['https://pbx.example.com:8089', 'public'],
  ['https://127.0.0.1.example.com', 'public'],
  ['http://[fd00::1]:8088/', 'public'],
])('Asterisk at %s fetches prompts at the %s address', (pbxUrl, address) => {
  expect(promptsBaseUrl(pbxUrl, { loopback: 'loopback', public: 'public' })).toBe(address);
});

describe('the lines of the setup', () => {
  test('a new password needs no escapes in ari.conf and is accepted by the contract', () => {
    const password = newPbxPassword(Uint8Array.from({ length: 255 }, (_, byte) => byte));
    expect(password).toMatch(/^[A-Za-z0-9]{255}$/);
    const pbx = { name: 'office', url: setupUrls.here, user: 'rotavox', password };
    expect(AddPbx.safeParse(pbx).success).toBe(true);
    expect(ariSetupLines(pbx).lines).toEqual([
      '[general]',
      'enabled = yes',
      '',
      '[rotavox]',
      'type = user',
      'read_only = no',
      'password_format = plain',
      `password = ${password}`,
    ]);
  });

  test('another computer needs TLS, this one listens on loopback only', () => {
    expect(httpSetupLines('here').lines).toContain('bindaddr = 127.0.0.1');
    expect(httpSetupLines('elsewhere').lines).toContain('tlsenable = yes');
  });

  test('a number leads to the context of its menu, and cannot be a pattern or more than a number', () => {
    const menu = { name: 'Reception', id: 'ivr_1' };
    expect(numberLine('700', menu)).toBe(`exten => 700,1,Goto(${entryName(menu)}_calls,s,1)`);
    expect(['700', '+49301234', '*5'].every(isDialledNumber)).toBe(true);
    expect(['', '_X.', '700,1', '7 0', '${X}'].some(isDialledNumber)).toBe(false);
  });
});

test('the guide for Asterisk has the lines that the windows show', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../resources/asterisk/README.md'), 'utf8');
  const { lines } = handOverLines({ name: 'Reception', id: 'ivr_1' });
  const withoutNames = (text: string): string =>
    text.replaceAll(/rotavox_reception_[0-9a-f]{8}/g, 'rotavox_reception').replaceAll('ivr_1', 'ivr_…');
  const indented = lines.filter((line) => !line.startsWith(';')).map((line) => `   ${line}`);
  expect(withoutNames(guide)).toContain(withoutNames(indented.join('\n')));
});
