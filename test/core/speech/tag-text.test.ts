import { describe, expect, it } from 'vitest';
import { type SpokenTag, withTag } from '../../../src/core/speech/tag-text.ts';

/** With the selection between `[` and `]`, or at `|`; the same in the result. */
function tagged(marked: string, tag: SpokenTag): string | null {
  const from = marked.search(/[[|]/);
  const to = marked.includes(']') ? marked.indexOf(']') - 1 : from;
  const made = withTag(marked.replace(/[[\]|]/g, ''), { from, to }, tag);
  if (made === null) return null;
  expect(made.selected.from).toBe(made.selected.to);
  return `${made.text.slice(0, made.selected.from)}|${made.text.slice(made.selected.to)}`;
}

describe('a tag around what is selected', () => {
  it.each<[string, SpokenTag, string | null]>([
    ['One|two', { kind: 'pause' }, 'One<break time="500ms"/>|two'],
    ['[One] two', { kind: 'pause' }, 'One<break time="500ms"/>| two'],
    ['|', { kind: 'pause' }, '<break time="500ms"/>|'],
    ['Code [4711].', { kind: 'digits' }, 'Code <say-as interpret-as="digits">4711</say-as>|.'],
    ['Code[ 4711 ]now', { kind: 'digits' }, 'Code <say-as interpret-as="digits">4711</say-as>| now'],
    ['Code 47|11.', { kind: 'digits' }, 'Code <say-as interpret-as="digits">4711</say-as>|.'],
    ['Code| now', { kind: 'digits' }, null],
    [
      'Ask [Rotavox] now',
      { kind: 'alias', say: 'Roh ta vox' },
      'Ask <sub alias="Roh ta vox">Rotavox</sub>| now',
    ],
    ['Ask D|r. Smith', { kind: 'alias', say: 'doctor' }, 'Ask <sub alias="doctor">Dr.</sub>| Smith'],
    ['[Dr.]', { kind: 'alias', say: ' a "b" <c>|d ' }, '<sub alias="a b c d">Dr.</sub>|'],
    ['One [ ] two', { kind: 'alias', say: 'x' }, null],
    ['One <break ti|me="1s"/>', { kind: 'pause' }, null],
    ['One <break ti|me="1s"/>', { kind: 'alias', say: 'x' }, null],
    ['[One <break time="1s"/>]', { kind: 'alias', say: 'x' }, null],
    ['<sub alias="doctor">D|r.</sub>', { kind: 'alias', say: 'x' }, null],
    ['<say-as interpret-as="digits">4|7</say-as>', { kind: 'pause' }, null],
    // What is wrong already must not keep a person from going on.
    ['<b>One| two', { kind: 'pause' }, '<b>One<break time="500ms"/>| two'],
    ['5 < 6 and [7] > 2', { kind: 'digits' }, '5 < 6 and <say-as interpret-as="digits">7</say-as>| > 2'],
  ])('%s', (marked, tag, result) => {
    expect(tagged(marked, tag)).toBe(result);
  });
});
