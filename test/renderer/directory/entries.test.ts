import { describe, expect, it } from 'vitest';
import { entryErrors } from '../../../src/renderer/directory/entry-form.tsx';
import { findEntries } from '../../../src/renderer/directory/found-entries.tsx';

describe('an entry as it is typed', () => {
  it('is right with an id and a name', () => {
    expect(entryErrors({ id: '101', name: 'Reception', text: null })).toEqual({});
    expect(entryErrors({ id: 'hours', name: 'Hours', text: '' })).toEqual({});
  });

  it('is told field by field what is wrong', () => {
    const errors = entryErrors({ id: 'a|b', name: ' ', text: 'x'.repeat(1601) });
    expect(errors.id).toContain('without |');
    expect(errors.name).toBe('This must be a text of 1 to 100 characters.');
    expect(errors.text).toContain('at most 1600');
  });
});

describe('a search of entries', () => {
  const all = [
    { id: '101', name: 'Reception', text: null },
    { id: 'hours', name: 'Opening hours', text: 'We are open from 9 to 5.' },
  ];
  it.each([
    ['', ['101', 'hours']],
    ['RECEP', ['101']],
    ['open 9', ['hours']],
    ['nothing', []],
  ])('for “%s” looks at id, name and text', (text, ids) => {
    expect(findEntries(all, text).map(({ id }) => id)).toEqual(ids);
  });
});
