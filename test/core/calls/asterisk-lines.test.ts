import { describe, expect, test } from 'vitest';
import { AddPbx } from '../../../src/contract/pbx.ts';
import { handOverLines, newPbxPassword } from '../../../src/core/calls/asterisk-lines.ts';

describe('the lines for Asterisk', () => {
  test('each way to the fallback menu ends the time limit first', () => {
    const { menu, number } = handOverLines({ number: '700', ivr: 'ivr_abc', entry: 'rotavox_reception' });
    expect(number.lines).toEqual(['exten => 700,1,Goto(rotavox_reception_call,s,1)']);
    expect(menu.lines).toEqual([
      '#include rotavox_reception.conf',
      '',
      '[rotavox_reception_call]',
      'exten => s,1,Set(TIMEOUT(absolute)=15)',
      ' same => n,Stasis(rotavox,ivr_abc)',
      ' same => n,Set(TIMEOUT(absolute)=0)',
      ' same => n,Goto(rotavox_reception,s,1)',
      'exten => T,1,Set(TIMEOUT(absolute)=0)',
      ' same => n,Goto(rotavox_reception,s,1)',
    ]);
  });

  test('a new password needs no escapes in ari.conf and is accepted by the contract', () => {
    const password = newPbxPassword(Uint8Array.from({ length: 256 }, (_, byte) => byte).slice(0, 255));
    expect(password).toMatch(/^[A-Za-z0-9]{255}$/);
    expect(
      AddPbx.safeParse({ name: 'office', url: 'http://127.0.0.1:8088', user: 'rotavox', password }).success,
    ).toBe(true);
  });
});
