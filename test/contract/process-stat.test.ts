import { expect, it } from 'vitest';
import { readProcessStat } from '../../src/contract/credential/process-stat.ts';

const rest = '0 0 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0';

it.each([
  [
    '4711 (git) S 4710 ' + rest + ' 987654 1 2 3',
    { name: 'git', hasEnded: false, parent: 4710, started: 987654 },
  ],
  ['1 (a) b) c) R 0 ' + rest + ' 12 1', { name: 'a) b) c', hasEnded: false, parent: 0, started: 12 }],
  ['4711 (git) Z 4710 ' + rest + ' 987654 1', { name: 'git', hasEnded: true, parent: 4710, started: 987654 }],
  ['', null],
  ['4711 (git)', null],
  ['4711 (git) S x ' + rest + ' 1', null],
  ['4711 (git) S 1 2 3', null],
])('%j is read', (text, stat) => {
  expect(readProcessStat(text)).toEqual(stat);
});
