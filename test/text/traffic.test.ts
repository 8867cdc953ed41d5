import { expect, test } from 'vitest';
import { exitTrafficText, isGivenUp, menuTrafficText } from '../../src/text/menu/traffic.ts';

const traffic = {
  menu: 'ivr_a',
  entered: 100,
  keys: { '1': 60, '*': 1 },
  wrong_keys: 8,
  timeouts: 20,
  hung_up: 30,
  led: { wrong_key: 2, timeout: 5 },
};

test('the traffic of a menu is told in one line, with where many give up', () => {
  expect(menuTrafficText(traffic)).toBe(
    'Entered 100 times. Key 1: 60 · Key star: 1 · Wrong key: 8 (2 left by it) · Timeout: 20 (5 left by it) · ' +
      'Hung up: 30 (30 %). Many callers give up here.',
  );
  expect(menuTrafficText({ ...traffic, entered: 0 })).toBe('No call entered in this period.');
});

test('few hang-ups say nothing, however large their share', () => {
  expect(isGivenUp({ entered: 4, hung_up: 2 })).toBe(false);
  expect(isGivenUp({ entered: 100, hung_up: 24 })).toBe(false);
  expect(isGivenUp({ entered: 100, hung_up: 25 })).toBe(true);
});

test('an exit says how often it was taken', () => {
  expect(exitTrafficText({ kind: 'key', key: '1' }, { count: 60, led: null, entered: 100 })).toBe(
    'Key 1 was pressed 60 times (60 % of 100 calls)',
  );
  expect(exitTrafficText({ kind: 'timeout' }, { count: 20, led: 5, entered: 100 })).toBe(
    '20 timeouts; 5 calls left by this exit',
  );
});
