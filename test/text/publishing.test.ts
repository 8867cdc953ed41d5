import { describe, expect, it } from 'vitest';
import { publishRefusal, publishText } from '../../src/text/menu/publishing.ts';
import { expectSentences } from './problems.ts';

const baseUrl = 'https://voice.example.com';
const lostReply = 'The service does not answer.';

const outcomes: Record<keyof typeof publishText, string> = {
  publishedHere: publishText.publishedHere(3, 2),
  publishedAt: publishText.publishedAt(3, baseUrl, 1),
  created: publishText.created('41'),
  replaced: publishText.replaced('41'),
  replacedHere: publishText.replacedHere('41', 7),
  recreating: publishText.recreating('41'),
  notRecorded: publishText.notRecorded('The disk is full.'),
  notSent: publishText.notSent(lostReply),
  lost: publishText.lost(lostReply),
  losesMenus: publishText.losesMenus,
  replyLost: publishText.replyLost,
  replyWithoutId: publishText.replyWithoutId,
  storedWithoutId: publishText.storedWithoutId,
  noList: publishText.noList,
  noneSame: publishText.noneSame(12),
  adopted: publishText.adopted('41'),
  idUnknown: publishText.idUnknown,
  unusableId: publishText.unusableId(baseUrl, { beginning: 'a b', characters: 3, rule: 'has no spaces' }),
};

describe('an outcome of publishing', () => {
  it.each(Object.entries(outcomes))('is whole sentences: %s', (_, text) => {
    expectSentences(text);
  });

  it.each([
    [outcomes.publishedHere, 'Published as version 3 in this service: 2 menus.'],
    [outcomes.publishedAt, `Published as version 3 at ${baseUrl}: 1 menu.`],
    [outcomes.replacedHere, 'Replaced 41, which is now version 7.'],
  ])('says what was stored, and where: %s', (text, expected) => {
    expect(text).toBe(expected);
  });

  it.each([outcomes.notRecorded, outcomes.lost])(
    'says that publishing again creates no menu twice: %s',
    (text) => {
      expect(text).toContain('Publish again: menus that are stored there already are found');
    },
  );

  it('says that nothing was sent only when that is certain', () => {
    expect(outcomes.notSent).toContain('Nothing was sent.');
    expect(outcomes.lost).toContain('The service may have stored the menu.');
  });

  it('shows the beginning of an id that is too long, and its length', () => {
    const text = publishText.unusableId(baseUrl, {
      beginning: 'abc',
      characters: 5000,
      rule: 'has 1 to 128 characters',
    });
    expect(text).toContain('“abc…” (5000 characters)');
    expect(outcomes.unusableId).toContain('“a b”, and an id has no spaces');
  });
});

describe('a menu that another service did not store', () => {
  it.each([
    [302, 'redirects to another address, where the token was not sent (302)'],
    [400, 'refused the menu (400: “No.”). Change the draft'],
    [401, 'does not accept the token of “crm” (401: “No.”). Test the credential.'],
    [403, 'It needs the scope ivr:write'],
    [404, 'has no such call (404: “No.”)'],
    [405, 'has no such call (405: “No.”)'],
    [429, 'Publish again later.'],
    [500, 'may have stored the menu all the same'],
    [503, 'may have stored the menu all the same'],
  ])('is reported with the reason and what to do: %i', (status, words) => {
    const text = publishRefusal({ status, said: 'No.', credential: 'crm' });
    expectSentences(text.replaceAll('base_url', 'address'));
    expect(text).toContain(words);
  });

  it('is reported with the status alone when the reply says nothing', () => {
    expect(publishRefusal({ status: 422, said: null, credential: 'crm' })).toContain(
      'refused the menu (422). ',
    );
  });
});
