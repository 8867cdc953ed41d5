import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxCategoriesListed, type TokenSort, tokenSorts } from '../../../src/contract/token/token-list.ts';
import { type FamilyId, type TokenStatus, tokenStatuses } from '../../../src/contract/token/token.ts';
import { State } from '../../../src/core/state.ts';
import { type TokenPageQuery, TokenCatalogue } from '../../../src/core/token/token-catalogue.ts';
import { anyToken, type TokenFilter } from '../../../src/core/token/filtered-tokens.ts';
import { statusAt, type Token } from '../../../src/core/token/token-record.ts';
import { credentialNamesByFamily } from '../../../src/core/token/view-token.ts';
import { credentialAdded, credentialIdNamed } from '../../fixtures/credential-events.ts';
import { noon } from '../../fixtures/make-events.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { apply } from '../credential/credential-state.ts';

const secondMs = 1000;

interface Issue {
  readonly name?: string;
  readonly category?: string;
  readonly status?: TokenStatus;
  readonly reason?: string | null;
  readonly expiresInMs?: number;
}

/** A table with direct access to its rows, which is all that the catalogue reads. */
class Setup {
  readonly state = new State();
  readonly catalogue = new TokenCatalogue(this.state);
  nowMs = noon;
  #families = 0;

  issue({ name = 'app', category = 'general', ...row }: Issue = {}): Token {
    const id = `fam_${this.#families}` as FamilyId;
    this.#families += 1;
    this.state.tokens.addFamily(id, { name, category, validity_days: 7, scopes: [], ip_restrictions: [] });
    return this.addTo(id, row);
  }

  addTo(familyId: FamilyId, { status = 'Active', reason = null, expiresInMs = 3600 * secondMs }: Issue = {}) {
    const { tokens } = this.state;
    return tokens.add({
      familyId,
      generation: tokens.generationsOf(familyId) + 1,
      digest: `digest-${tokens.size}`,
      status,
      createdAtMs: this.nowMs,
      expiresAtMs: this.nowMs + expiresInMs,
      firstUsedAtMs: null,
      isOnlyChecked: false,
      changedAtMs: this.nowMs,
      endedAtMs: null,
      reason,
      replay: null,
    });
  }

  /** Makes it the token of a credential with this name, which may have another token so far. */
  addCredential(ordinal: number, name: string): void {
    const token = this.state.tokens.at(ordinal);
    if (token === undefined) return;
    const added = credentialAdded(name, { base_url: null });
    apply(this.state, [{ ...added, sealed: { fingerprint: token.digest } }]);
  }

  removeCredential(name: string): void {
    this.state.credentials.delete(credentialIdNamed(name));
  }

  change(ordinal: number, changes: Partial<Token>): void {
    const token = this.state.tokens.at(ordinal);
    if (token !== undefined) this.state.tokens.replace(token, { ...token, ...changes });
  }

  rotate(ordinal: number): void {
    const token = this.state.tokens.at(ordinal);
    if (token === undefined || token.generation < this.state.tokens.generationsOf(token.familyId)) return;
    this.change(ordinal, { status: 'Superseded', changedAtMs: this.nowMs, endedAtMs: this.nowMs });
    this.addTo(token.familyId);
  }

  page(wanted: Partial<TokenPageQuery> = {}) {
    const page = this.catalogue.page({ ...firstPage, ...wanted }, this.nowMs);
    if (!page.ok) throw new Error(page.refusal);
    return page.value;
  }

  names(wanted: Partial<TokenPageQuery> = {}): string[] {
    return this.page(wanted).tokens.map(({ name }) => name);
  }
}

const firstPage: TokenPageQuery = {
  filter: anyToken,
  sort: 'created',
  isDescending: false,
  after: null,
  offset: 0,
  limit: 100,
};

describe('the conditions of a list', () => {
  const setup = new Setup();
  setup.issue({ name: 'Billing sync', category: 'finance' });
  setup.issue({ name: 'crm', category: 'sales', status: 'Suspended', reason: 'Lost laptop (again)' });
  setup.issue({ name: 'nightly', category: 'Finance', status: 'Blacklisted', reason: 'leaked' });
  setup.issue({ name: 'short', expiresInMs: -1 });
  setup.rotate(0);
  setup.addCredential(1, 'Customers');

  const cases: [string, Partial<TokenFilter>, string[]][] = [
    ['none', {}, ['Billing sync', 'crm', 'nightly', 'short', 'Billing sync']],
    ['a status', { statuses: ['Active'] }, ['Billing sync']],
    ['a status that time brought', { statuses: ['Expired'] }, ['short']],
    ['several statuses', { statuses: ['Suspended', 'Blacklisted'] }, ['crm', 'nightly']],
    ['a category, as it is written', { category: 'finance' }, ['Billing sync', 'Billing sync']],
    ['the newest of each family', { isNewestOnly: true }, ['crm', 'nightly', 'short', 'Billing sync']],
    ['a family', { familyId: 'fam_1' }, ['crm']],
    ['a family that is none', { familyId: 'fam_none' }, []],
    ['a text of the name, whatever the case', { text: 'bIlLiNg' }, ['Billing sync', 'Billing sync']],
    ['a text of the name of its credential', { text: 'custom' }, ['crm']],
    ['a text of the category', { text: 'FINANCE' }, ['Billing sync', 'nightly', 'Billing sync']],
    ['a text of an id', { text: 'TOK_2_' }, ['nightly']],
    ['a text of a reason, taken as it is', { text: 'laptop (' }, ['crm']],
    ['a text that would be a pattern', { text: '.*' }, []],
    ['an empty text', { text: '', statuses: ['Suspended'] }, ['crm']],
    [
      'several conditions at once',
      { text: 'finance', isNewestOnly: true, statuses: ['Active'] },
      ['Billing sync'],
    ],
  ];
  for (const [name, filter, expected] of cases) {
    it(`are met: ${name}`, () => {
      const page = setup.page({ filter: { ...anyToken, ...filter } });
      expect(page.tokens.map((token) => token.name)).toEqual(expected);
      expect(page.total).toBe(expected.length);
    });
  }
});

describe('the order of a list', () => {
  it('is by name as a person reads: capitals, accents and numbers in their places', () => {
    const setup = new Setup();
    for (const name of ['zeta', 'app-10', 'Émile', 'App-9', 'emma', 'app-10']) setup.issue({ name });
    expect(setup.names({ sort: 'name' })).toEqual(['App-9', 'app-10', 'app-10', 'Émile', 'emma', 'zeta']);
    expect(setup.names({ sort: 'name', isDescending: true })[0]).toBe('zeta');
  });

  it('by name takes in what is issued later, one by one and many at once', () => {
    const setup = new Setup();
    const all = ['m'];
    setup.issue({ name: 'm' });
    for (const count of [1, 3, 40, 1, 2500]) {
      for (let place = 0; place < count; place += 1) {
        const name = String.fromCharCode(97 + ((place * 7 + count) % 26)).repeat((place % 3) + 1);
        all.push(name);
        setup.issue({ name });
      }
      expect(setup.names({ sort: 'name', limit: 5000 })).toEqual(all.toSorted());
    }
  });

  it('is by the name of the credential where a token has one, as soon as it has it', () => {
    const setup = new Setup();
    for (const name of ['a', 'b', 'c']) setup.issue({ name });
    expect(setup.names({ sort: 'name' })).toEqual(['a', 'b', 'c']);
    setup.addCredential(0, 'bb');
    expect(setup.names({ sort: 'name' })).toEqual(['b', 'a', 'c']);
    setup.removeCredential('bb');
    expect(setup.names({ sort: 'name' })).toEqual(['a', 'b', 'c']);
  });

  it('is by end, by status in the order of a lifetime, by category; equals stay in the order of issue', () => {
    const setup = new Setup();
    setup.issue({ name: 'a', category: 'y', expiresInMs: 9 * secondMs, status: 'Blacklisted' });
    setup.issue({ name: 'b', category: 'x', expiresInMs: 7 * secondMs });
    setup.issue({ name: 'c', category: 'x', expiresInMs: 7 * secondMs, status: 'Suspended' });
    setup.issue({ name: 'd', category: 'y', expiresInMs: 1 * secondMs });
    expect(setup.names({ sort: 'expires' })).toEqual(['d', 'b', 'c', 'a']);
    expect(setup.names({ sort: 'status' })).toEqual(['b', 'd', 'c', 'a']);
    expect(setup.names({ sort: 'category' })).toEqual(['b', 'c', 'a', 'd']);
    expect(setup.names({ sort: 'category', isDescending: true })).toEqual(['d', 'a', 'c', 'b']);
  });
});

describe('a page', () => {
  it('begins so many into the list, and says how many there are in all', () => {
    const setup = new Setup();
    for (const name of 'abcde') setup.issue({ name });
    const page = setup.page({ offset: 3, limit: 1 });
    expect(page).toMatchObject({ total: 5, next_after: 'tok_3_1', tokens: [{ name: 'd' }] });
    expect(setup.page({ offset: 4 })).toMatchObject({ next_after: null, tokens: [{ name: 'e' }] });
    expect(setup.page({ offset: 50 })).toMatchObject({ total: 5, next_after: null, tokens: [] });
  });

  it('goes on after a token that has left the list meanwhile, and leaves none out', () => {
    const setup = new Setup();
    for (const name of 'abcd') setup.issue({ name });
    const filter = { ...anyToken, statuses: ['Active' as const] };
    expect(setup.names({ filter, limit: 2 })).toEqual(['a', 'b']);
    setup.change(1, { status: 'Suspended' });
    expect(setup.names({ filter, after: 'tok_1_1' })).toEqual(['c', 'd']);
    expect(setup.names({ filter, after: 'tok_1_1', isDescending: true })).toEqual(['a']);
  });

  it('is refused when it is to begin after a token that is none', () => {
    const page = new Setup().catalogue.page({ ...firstPage, after: 'tok_none_1' }, noon);
    expect(page).toEqual({ ok: false, refusal: 'no_such_token' });
  });

  it('shows what time alone has ended, also when the list was worked out before', () => {
    const setup = new Setup();
    setup.issue({ expiresInMs: secondMs });
    const filter = { ...anyToken, statuses: ['Expired' as const] };
    expect(setup.page({ filter }).total).toBe(0);
    setup.nowMs += secondMs;
    expect(setup.page({ filter }).total).toBe(1);
    setup.nowMs -= secondMs;
    expect(setup.page({ filter }).total, 'the clock was set back').toBe(0);
  });

  it('forgets a token whose issue was taken back, and shows the one that came in its place', () => {
    const setup = new Setup();
    setup.issue({ name: 'first' });
    setup.state.undo.forget();
    setup.issue({ name: 'taken back' });
    expect(setup.names({ sort: 'name' })).toEqual(['first', 'taken back']);
    setup.state.undo.rollBack();
    expect(setup.names({ sort: 'name' })).toEqual(['first']);
    setup.state.tokens.addFamily('fam_other' as FamilyId, {
      name: 'a',
      category: 'general',
      validity_days: 1,
      scopes: [],
      ip_restrictions: [],
    });
    setup.addTo('fam_other' as FamilyId);
    expect(setup.names({ sort: 'name' })).toEqual(['a', 'first']);
  });
});

describe('the counts of the choices', () => {
  it('take every condition but their own', () => {
    const setup = new Setup();
    setup.issue({ name: 'a', category: 'x' });
    setup.issue({ name: 'ab', category: 'y', status: 'Suspended' });
    setup.issue({ name: 'b', category: 'y' });
    setup.issue({ name: 'b', category: 'z', status: 'Suspended' });
    const facets = (filter: Partial<TokenFilter>) =>
      setup.catalogue.facets({ ...anyToken, ...filter }, setup.nowMs);
    expect(facets({ statuses: ['Active'] })).toMatchObject({
      statuses: { Active: 2, Suspended: 2 },
      categories: [
        { category: 'x', tokens: 1 },
        { category: 'y', tokens: 1 },
      ],
    });
    expect(facets({ category: 'y' })).toMatchObject({
      statuses: { Active: 1, Suspended: 1 },
      categories: [
        { category: 'y', tokens: 2 },
        { category: 'x', tokens: 1 },
        { category: 'z', tokens: 1 },
      ],
    });
    expect(facets({ text: 'a' }).statuses).toMatchObject({ Active: 1, Suspended: 1 });
  });

  it('name the most used categories, and not all of a thousand', () => {
    const setup = new Setup();
    for (let place = 0; place < 1000; place += 1) setup.issue({ category: `c${place}` });
    setup.issue({ category: 'c999' });
    const { categories } = setup.catalogue.facets(anyToken, noon);
    expect(categories).toHaveLength(maxCategoriesListed);
    expect(categories[0]).toEqual({ category: 'c999', tokens: 2 });
  });
});

/** The expected list, computed in the simplest way. */
function plainly({ state, nowMs }: Setup, { filter, sort, isDescending }: TokenPageQuery): string[] {
  const { tokens } = state;
  const credentialNames = credentialNamesByFamily(state);
  const has = (text: string | null) => (text ?? '').toLowerCase().includes((filter.text ?? '').toLowerCase());
  const rows = [...tokens.values()]
    .map((token) => ({
      ...token,
      ...tokens.family(token.familyId)!.configuration,
      status: statusAt(token, nowMs),
      credential: credentialNames.get(token.familyId) ?? '',
      isNewest: token.generation === tokens.generationsOf(token.familyId),
    }))
    .filter(
      (row) =>
        (filter.statuses?.includes(row.status) ?? true) &&
        (filter.familyId === null || row.familyId === filter.familyId) &&
        (filter.category === null || row.category === filter.category) &&
        (!filter.isNewestOnly || row.isNewest) &&
        [row.name, row.credential, row.category, row.id, row.reason].some(has),
    );
  const changedOf = ({ ordinal }: { ordinal: number }): number => {
    const token = tokens.at(ordinal)!;
    const hasEndedByTime = statusAt(token, nowMs) !== token.status;
    return (hasEndedByTime ? token.expiresAtMs : token.changedAtMs) ?? 0;
  };
  const keys: Record<TokenSort, (row: (typeof rows)[number]) => number | string> = {
    created: () => 0,
    changed: (row) => Math.floor(changedOf(row) / secondMs),
    expires: ({ expiresAtMs }) => Math.floor(expiresAtMs / secondMs),
    name: ({ credential, name }) => (credential === '' ? name : `${credential} ${name}`),
    category: ({ category }) => category,
    status: ({ status }) => tokenStatuses.indexOf(status),
  };
  const key = keys[sort];
  rows.sort((a, b) => {
    if (key(a) === key(b)) return a.ordinal - b.ordinal;
    return key(a) < key(b) ? -1 : 1;
  });
  return (isDescending ? rows.reverse() : rows).map(({ id }) => id);
}

const filters: fc.Arbitrary<TokenFilter> = fc.record({
  statuses: fc.option(fc.uniqueArray(fc.constantFrom(...tokenStatuses), { minLength: 1 })),
  familyId: fc.option(fc.constantFrom('fam_0', 'fam_3'), { freq: 4 }),
  category: fc.option(fc.constantFrom('x', 'y')),
  text: fc.option(fc.constantFrom('a', 'B', '_1', 'leak')),
  isNewestOnly: fc.boolean(),
});

const lists = fc.record({
  filter: filters,
  sort: fc.constantFrom(...tokenSorts),
  isDescending: fc.boolean(),
});

const happenings: fc.Arbitrary<(setup: Setup) => void> = fc.oneof(
  fc
    .tuple(fc.constantFrom('a', 'b', 'ab'), fc.constantFrom('x', 'y'), fc.integer({ min: 1, max: 40 }))
    .map(([name, category, seconds]) => (setup: Setup) => {
      setup.issue({ name, category, expiresInMs: seconds * secondMs });
    }),
  fc.nat(30).map((ordinal) => (setup: Setup) => setup.rotate(ordinal)),
  fc.tuple(fc.nat(5), fc.constantFrom('aa', 'ba')).map(
    ([ordinal, name]) =>
      (setup: Setup) =>
        setup.addCredential(ordinal, name),
  ),
  fc.constantFrom('aa', 'ba').map((name) => (setup: Setup) => setup.removeCredential(name)),
  fc.tuple(fc.nat(30), fc.constantFrom(...tokenStatuses), fc.constantFrom(null, 'leaked')).map(
    ([ordinal, status, reason]) =>
      (setup: Setup) =>
        setup.change(ordinal, { status, reason }),
  ),
  fc.integer({ min: -5, max: 15 }).map((seconds) => (setup: Setup) => {
    setup.nowMs += seconds * secondMs;
  }),
  fc.constant((setup: Setup) => setup.state.undo.rollBack()),
  fc.constant((setup: Setup) => setup.state.undo.forget()),
  // More changes than any reader can catch up with.
  fc.constant((setup: Setup) => {
    for (let times = 0; times < 4500; times += 1) setup.change(0, {});
  }),
);

describe('a clock that is set back', () => {
  it('brings back what had ended by time alone since the list was first looked at', () => {
    const setup = new Setup();
    const active = () => setup.catalogue.facets(anyToken, setup.nowMs).statuses.Active;
    expect(active()).toBe(0);
    setup.issue({ expiresInMs: secondMs });
    setup.nowMs += secondMs;
    setup.issue();
    expect(active()).toBe(1);
    setup.nowMs -= secondMs;
    expect(active()).toBe(2);
  });
});

describe('whatever happens between the pages', () => {
  it('the pages of a list are together what meets the filter, in order, each token once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(happenings, fc.boolean()), { maxLength: 40, size: 'max' }),
        fc.array(lists, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 7 }),
        (story, wishes, limit) => {
          const setup = new Setup();
          for (const [happen, isLookedAt] of story) {
            happen(setup);
            if (!isLookedAt) continue;
            for (const wanted of wishes) {
              const whole = { ...firstPage, ...wanted };
              const expected = plainly(setup, whole);
              expect(setup.page(whole).tokens.map(({ id }) => id)).toEqual(expected.slice(0, 100));
              const { statuses } = setup.catalogue.facets(wanted.filter, setup.nowMs);
              for (const status of tokenStatuses) {
                const only = { ...whole, filter: { ...wanted.filter, statuses: [status] } };
                expect(statuses[status]).toBe(plainly(setup, only).length);
              }
            }
          }
          for (const wanted of wishes) {
            const expected = plainly(setup, { ...firstPage, ...wanted });
            const byAfter: string[] = [];
            let after: string | null = null;
            do {
              const page: ReturnType<Setup['page']> = setup.page({ ...wanted, after, limit });
              byAfter.push(...page.tokens.map(({ id }) => id));
              after = page.next_after;
            } while (after !== null);
            expect(byAfter).toEqual(expected);
            const byOffset: string[] = [];
            for (let offset = 0; offset < expected.length; offset += limit)
              byOffset.push(...setup.page({ ...wanted, offset, limit }).tokens.map(({ id }) => id));
            expect(byOffset).toEqual(expected);
          }
        },
      ),
      { numRuns: propertyRuns(150) },
    );
  });

  it('a list that is worked out in steps is right although things happen between them', () => {
    const setup = new Setup();
    for (let place = 0; place < 12_000; place += 1) setup.issue({ name: `n${place % 100}` });
    const wanted = {
      ...firstPage,
      sort: 'name' as const,
      filter: { ...anyToken, statuses: ['Active' as const] },
    };
    let steps = 0;
    while (!setup.catalogue.step(wanted, setup.nowMs)) {
      steps += 1;
      setup.change(steps, { status: 'Suspended' });
      setup.change(11_999 - steps, { status: 'Suspended' });
      setup.issue({ name: `n${steps}` });
    }
    expect(steps).toBeGreaterThan(4);
    const { tokens, total } = setup.page({ ...wanted, limit: 20_000 });
    expect(total).toBe(12_000 - steps);
    expect(tokens).toHaveLength(total);
    expect(tokens.every(({ status }) => status === 'Active')).toBe(true);
    expect(tokens.map(({ name }) => Number(name.slice(1)))).toEqual(
      tokens.map(({ name }) => Number(name.slice(1))).toSorted((a, b) => a - b),
    );
  });
});
