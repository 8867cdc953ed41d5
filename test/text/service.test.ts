import { describe, expect, it } from 'vitest';
import {
  logText,
  refusalText,
  uncertainTokenNote,
  windowsNotBuilt,
} from '../../src/text/service/service-text.ts';
import { expectSentences } from './problems.ts';

const refusals: Record<keyof typeof refusalText, string> = {
  noSuchIvr: refusalText.noSuchIvr,
  noSuchCall: refusalText.noSuchCall,
  cannotMove: refusalText.cannotMove('Blacklisted', ['Active', 'Suspended'], 'blacklist'),
  noSuchToken: refusalText.noSuchToken,
  noSession: refusalText.noSession,
  noHost: refusalText.noHost,
  hostRuns: refusalText.hostRuns('https://10.0.0.5:7682'),
  browserNotRemembered: refusalText.browserNotRemembered,
  tooManyRunning: refusalText.tooManyRunning(256),
  tooManyWindows: refusalText.tooManyWindows(64),
  audioGone: refusalText.audioGone('Welcome'),
  bodyTooLarge: refusalText.bodyTooLarge('20 MB'),
};

describe('a refusal of the service', () => {
  it.each(Object.entries(refusals))('is whole sentences: %s', (_, text) => {
    expectSentences(text);
  });

  it.each([
    [
      refusalText.cannotMove('Superseded', ['Active'], 'suspend'),
      'The token is Superseded; only an Active token can be suspended.',
    ],
    [
      refusalText.cannotMove('Active', ['Suspended'], 'resume'),
      'The token is Active; only a Suspended token can be resumed.',
    ],
    [
      refusalText.cannotMove('Expired', ['Active', 'Suspended'], 'blacklist'),
      'The token is Expired; only an Active or Suspended token can be blacklisted.',
    ],
  ])('says which tokens can be changed: %s', (text, expected) => {
    expect(text).toBe(expected);
  });

  it.each([
    [refusals.audioGone, '“Welcome”'],
    [refusals.tooManyWindows, '64'],
    [refusals.bodyTooLarge, '20 MB'],
  ])('names what it is about: %s', (text, name) => {
    expect(text).toContain(name);
  });
});

it('a token that may not work is returned with the reason', () => {
  const note = uncertainTokenNote('The service has suspended it.');
  expectSentences(note);
  expect(note).toContain('The service has suspended it.');
});

it('without the built windows, the page says how to build them and where the API is described', () => {
  expect(windowsNotBuilt).toContain('npm run build');
  expect(windowsNotBuilt).toContain('/docs');
});

it.each(Object.values(logText))('a line of the log has no period, because parameters follow: %s', (line) => {
  expect(line).toMatch(/^[A-Z].*[a-z]$/);
});
