import { describe, expect, it } from 'vitest';
import { searchList } from '../../../src/renderer/kit/search-list.ts';

const list = ['Jörg Müller 101', 'Anna Sales 102', 'Sales night service'];
const found = (sought: string) => searchList(list, sought, (one) => one);

describe('what is looked for by words', () => {
  it('has every one of them, in whatever order', () => {
    expect(found('102 sales')).toEqual(['Anna Sales 102']);
    expect(found('sales')).toEqual(list.slice(1));
    expect(found('sales 101')).toEqual([]);
  });

  it('is found without upper case and accents, and with them', () => {
    expect(found('jorg mULL')).toEqual(['Jörg Müller 101']);
    expect(found('Müller')).toEqual(['Jörg Müller 101']);
  });

  it('is everything while nothing is looked for', () => {
    expect(found('')).toBe(list);
    expect(found('  \t')).toBe(list);
  });
});
