import { expect, it } from 'vitest';
import { readRanges, writeRanges } from '../../src/contract/menu/read-ranges.ts';

it.each([
  ['', ''],
  ['08:00-12:00,13:00-17:00', '08:00-12:00, 13:00-17:00'],
  ['8:00 - 12:00; 13.00 - 17.30', '08:00-12:00, 13:00-17:30'],
  ['22:00-06:00', '22:00-06:00'],
  ['00:00-24:00', '00:00-24:00'],
  // The dashes of pages and word processors (WazeDev/WME-Place-Harmonizer#130).
  [
    '08:00\u201112:00, 13:00\u201317:00, 18:00\u201419:00, 20:00\u221221:00',
    '08:00-12:00, 13:00-17:00, 18:00-19:00, 20:00-21:00',
  ],
  ['9:00 to 17:00', '09:00-17:00'],
  ['9am\u20135:30 pm', '09:00-17:30'],
  ['9:00\u202fAM - 5:00\u202fPM', '09:00-17:00'],
  ['8AM\u201312PM, 1\u20135 p.m.', '08:00-12:00, 13:00-17:00'],
  ['6 PM to 12 AM', '18:00-00:00'],
  ['10 pm - 6 am', '22:00-06:00'],
  ['12 am - 12 pm', '00:00-12:00'],
])('hours are read as people write them: %j', (text, ranges) => {
  expect(writeRanges(readRanges(text) ?? [])).toBe(ranges);
  expect(readRanges(ranges)).toEqual(readRanges(text));
});

it.each([
  ...[
    '9-5',
    '9-17',
    '9-5 PM',
    '11-1 pm',
    '9 am - 17:00',
    '9 am - 5',
    '13 pm - 5 pm',
    '0 am - 5 am',
    '13-5 pm',
  ],
  ...[
    '9:0-17:00',
    '25:00-26:00',
    '09:60-17:00',
    '0900-1700',
    '09:00',
    '09:00-',
    '09:00-12:00-17:00',
    '24/7',
    ',',
  ],
])('hours that may mean something else are not read: %j', (text) => {
  expect(readRanges(text)).toBeNull();
});
