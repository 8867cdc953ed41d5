import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { HistoryEvent } from '../../src/contract/history/audit-event.ts';
import type { Ivr } from '../../src/contract/menu/ivr.ts';
import type { HistoryPage, PortalStatus, Verification } from '../../src/contract/service/portal.ts';
import type { TokenPage } from '../../src/contract/token/token-list.ts';
import type { FamilyId, TokenView } from '../../src/contract/token/token.ts';
import { openStore } from '../../src/store/open-store.ts';
import { issued } from '../fixtures/make-events.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { Chain } from './chain.ts';
import { chanceOf, chosenSeed } from './chance.ts';
import { type ServiceProcess, startService } from './service-process.ts';

/** How often the service is killed; the test command takes the short form. */
const kills = Number(process.env['ROTAVOX_CHAOS_KILLS'] ?? 2);
/** So small that most kills happen during a checkpoint or the start of a new segment. */
const small = { minEvents: 60, shareOfTokens: 0, maxSegmentBytes: 24 * 1024 };

it(
  `loses nothing that was acknowledged, killed ${kills} times at random instants under load`,
  { timeout: 120_000 + kills * 15_000 },
  async () => {
    const seed = chosenSeed();
    console.log(`ROTAVOX_CHAOS_SEED=${seed} ROTAVOX_CHAOS_KILLS=${kills}`);
    const chance = chanceOf(seed);
    const folder = makeFolder();
    const chains = Array.from(
      { length: 16 },
      (_, place) =>
        new Chain(`chain ${place}`, { usesKeys: place % 2 === 0, chance: chanceOf(seed + place) }),
    );

    let service = await startService(folder, { policy: small });
    for (const chain of chains) await chain.begin(service);
    for (let kill = 1; kill <= kills; kill += 1) {
      const work = chains.map((chain) => chain.run(service));
      await Promise.race([aRandomInstant(chance.between(5, 250)), ...work]);
      await service.kill();
      await Promise.all(work);

      // Every second start is by the real command.
      service = await startService(folder, kill % 2 === 0 ? { policy: small } : {});
      for (const chain of chains) await chain.settle(service);
      await expectWhole(service, chains, `after kill ${kill}`);
    }
    expect(await service.stop()).toBe(0);
    const last = await startService(folder);
    await expectWhole(last, chains, 'after a clean stop');
    expect(await last.stop()).toBe(0);

    const sum = (of: (chain: Chain) => number) => chains.reduce((total, chain) => total + of(chain), 0);
    const tally = {
      acknowledged: sum(({ tally }) => tally.acknowledged),
      lost: sum(({ tally }) => tally.lost),
      replayed: sum(({ tally }) => tally.replayed),
      orphaned: sum(({ tally }) => tally.orphaned),
      ivrs: sum(({ ivrs }) => ivrs.size),
    };
    console.log(JSON.stringify(tally));
    expect(tally.acknowledged).toBeGreaterThan(kills);
    expect(tally.lost).toBeGreaterThan(0);
  },
);

it(
  'acknowledges nothing that is not in the file, one at a time and hundreds at once',
  { tags: ['long'] },
  async () => {
    const folder = makeFolder();
    const { store } = await openStore({ folder, policy: small });
    const journal = () =>
      readdirSync(join(folder, 'journal'))
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => readFileSync(join(folder, 'journal', name), 'utf8'))
        .join('');
    const issue = async (name: string): Promise<boolean> => {
      await store.transact(() => ({ events: [issued(name)], value: null }));
      return journal().includes(`"fam_${name}"`);
    };
    for (let place = 0; place < 20; place += 1) expect(await issue(`one${place}`)).toBe(true);
    for (const count of [2, 10, 300]) {
      const found = await Promise.all(
        Array.from({ length: count }, (_, place) => issue(`n${count}x${place}`)),
      );
      expect(
        found.filter((isThere) => !isThere),
        `of ${count} at once`,
      ).toEqual([]);
    }
    await store.close();
  },
);

it(
  'sends no answer whose events are not in the file yet, even if the answer itself changes nothing',
  { tags: ['long'] },
  async () => {
    const folder = makeFolder();
    const { store } = await openStore({ folder });
    const read = async (name: string): Promise<boolean> => {
      const isKnown = await store.transact((state) => ({
        events: [],
        value: state.tokens.family(`fam_${name}` as FamilyId) !== undefined,
      }));
      const isWritten = readFileSync(join(folder, 'journal/00000001.jsonl'), 'utf8').includes(
        `"fam_${name}"`,
      );
      return !isKnown || isWritten;
    };
    for (let round = 0; round < 50; round += 1) {
      const names = Array.from({ length: 1 + (round % 5) }, (_, place) => `r${round}x${place}`);
      const writes = names.map((name) => store.transact(() => ({ events: [issued(name)], value: null })));
      const reads = names.map(read);
      await new Promise(setImmediate);
      reads.push(...names.map(read));
      expect((await Promise.all(reads)).every(Boolean), `round ${round}`).toBe(true);
      await Promise.all(writes);
    }
    await store.close();
  },
);

/** Not a wait for a condition: the instant at which the process is killed. */
function aRandomInstant(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What must always be true of the tokens, the IVRs, the history and the journal. */
async function expectWhole(service: ServiceProcess, chains: readonly Chain[], when: string): Promise<void> {
  const tokens = await allTokens(service);
  const byFamily = Map.groupBy(tokens, ({ family_id }) => family_id);
  for (const [familyId, members] of byFamily) {
    const ordered = [...members].sort((a, b) => a.generation - b.generation);
    expect(
      ordered.map(({ generation }) => generation),
      when,
    ).toEqual(ordered.map((_, place) => place + 1));
    const statuses = ordered.map(({ status }) => status);
    expect(statuses.at(-1), `${when}: ${familyId} has an Active token`).toBe('Active');
    const older = statuses.slice(0, -1);
    expect(older, `${when}: ${familyId}`).toEqual(older.map(() => 'Superseded'));
  }
  const rotations = new Map(chains.flatMap((chain) => [...chain.rotations]));
  expect([...byFamily.keys()].sort(), `${when}: every family is there`).toEqual([...rotations.keys()].sort());
  for (const [familyId, members] of byFamily) {
    const done = rotations.get(familyId);
    expect(members.length - 1, `${when}: ${familyId} was rotated as often as was acknowledged`).toBe(done);
  }

  const events = await wholeHistory(service);
  expect(
    events.map(({ seq }) => seq),
    when,
  ).toEqual(events.map((_, place) => events.length - place));
  const rotated = Map.groupBy(
    events.filter(({ kind }) => kind === 'token.rotated'),
    ({ subject }) => subject,
  );
  for (const [familyId, members] of byFamily) {
    const sources = (rotated.get(familyId) ?? []).map(({ data }) => data['source_id']);
    expect(new Set(sources).size, `${when}: no source was rotated twice`).toBe(sources.length);
    expect(sources.length, `${when}: the history has every rotation`).toBe(members.length - 1);
  }

  const { ivrs } = (await service.owner('GET', '/portal/ivrs')) as { ivrs: Ivr[] };
  const names = new Map<string, string>(ivrs.map(({ id, name }) => [id, name]));
  for (const chain of chains) {
    for (const [id, name] of chain.ivrs) expect(names.get(id), `${when}: an acknowledged IVR`).toBe(name);
  }
  expect(events.filter(({ kind }) => kind === 'ivr.created')).toHaveLength(ivrs.length);

  const { store, repairs } = (await service.owner('GET', '/portal/status')) as PortalStatus;
  expect(store, when).toEqual({ status: 'ok', last_seq: events.length });
  // A kill can tear the last write of the journal, and never the state file.
  for (const repair of repairs) expect(repair, when).toContain('.torn');
  const verification = (await service.owner('GET', '/portal/history/verify')) as Verification;
  expect(verification, when).toMatchObject({ status: 'intact', verified_to: events.length });
}

async function allTokens(service: ServiceProcess): Promise<TokenView[]> {
  const tokens: TokenView[] = [];
  for (let after: string | null = ''; after !== null;) {
    const from: string = after === '' ? '' : `&after=${after}`;
    const page = (await service.owner('GET', `/portal/tokens?limit=1000${from}`)) as TokenPage;
    tokens.push(...page.tokens);
    after = page.next_after;
  }
  return tokens;
}

async function wholeHistory(service: ServiceProcess): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = [];
  for (let before: number | null = 0; before !== null;) {
    const from: string = before === 0 ? '' : `&before=${before}`;
    const page = (await service.owner('GET', `/portal/history?limit=1000${from}`)) as HistoryPage;
    events.push(...page.events);
    before = page.next_before;
  }
  return events;
}
