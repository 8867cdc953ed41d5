import { expect, it } from 'vitest';
import { attentionText } from '../../src/text/window/attention-text.ts';
import { namesText, tokenNameText } from '../../src/text/credential/credentials.ts';
import { isolated, quotedName } from '../../src/text/names.ts';
import { reuseNoticeText } from '../../src/text/window/notices-text.ts';
import { moveDialogText } from '../../src/text/token/token-list-text.ts';
import { windowTitle } from '../../src/text/window/window.ts';

const name = 'تقرير';
const whole = `\u2068${name}\u2069`;

it.each([
  ['letters from right to left', name, whole],
  ['Hebrew beside Latin letters', 'crm קו', '\u2068crm קו\u2069'],
  ['an override', 'a\u202eb', '\u2068a\u202eb\u2069'],
  ['an isolate that would end ours', 'a\u2069b', '\u2068ab\u2069'],
  ['Latin, Cyrillic and Han letters', 'crm Ключ 鍵', 'crm Ключ 鍵'],
])('a name with %s leaves the order of its sentence alone', (_what, given, expected) => {
  expect(isolated(given)).toBe(expected);
  expect(quotedName(given)).toBe(`“${expected}”`);
});

it('titles, questions, labels and notices isolate the names in them', () => {
  const item = {
    kind: 'suspended_ends',
    family_id: 'fam_a',
    token_id: 'tok_a_1',
    name,
    reason: null,
  } as const;
  const expiring = { ...item, expires_at: '2026-01-01T00:00:00.000Z' } as unknown as Parameters<
    typeof attentionText
  >[0];
  expect(attentionText(expiring, 0).title).toBe(`“${whole}” is suspended and expires soon`);
  expect(windowTitle(name)).toBe(`${whole} — Rotavox`);
  expect(moveDialogText.title('suspend', name)).toBe(`Suspend “${whole}”?`);
  expect(tokenNameText({ name, kept_fresh_by: 'crm' })).toBe(`crm (${whole})`);
  expect(namesText([name, 'crm'])).toBe(`“${whole}” and “crm”`);
  expect(reuseNoticeText([name], { address: '::1', user_agent: null }, 0).title).toContain(`“${whole}”`);
});
