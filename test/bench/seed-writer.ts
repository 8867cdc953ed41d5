/**
 * Fills a data folder: `node seed-writer.ts <folder> <tokens> <events>`.
 *
 * Everything goes through core's decisions and the store's own `transact`, so nothing here knows the format on disk.
 *
 * With as many events as tokens, each token is Active and alone in its family: every lookup by a client is a cold one.
 * With more events there are five generations to a family, the newest Active, and the rest are suspensions and
 * resumptions of nine of ten families in turn, which do not change the number of tokens.
 */
import type { FamilyId } from '../../src/contract/token/token.ts';
import type { Decision } from '../../src/core/ledger.ts';
import type { State } from '../../src/core/state.ts';
import { issueToken } from '../../src/core/token/issue-token.ts';
import { moveToken } from '../../src/core/token/move-token.ts';
import { rotateToken } from '../../src/core/token/rotate-token.ts';
import { tokenIdOf } from '../../src/core/token/token-record.ts';
import { mintId, mintToken } from '../../src/service/secrets/token-value.ts';
import { openStore } from '../../src/store/open-store.ts';

/** Decisions that share a write: far fewer syncs than one each, and still small batches. */
const decisionsPerTurn = 500;
const generationsPerFamily = 5;

interface Family {
  readonly id: FamilyId;
  /** Of the newest token. */
  digest: string;
  generations: number;
  isSuspended: boolean;
}

const [folder, tokensText, eventsText] = process.argv.slice(2);
if (folder === undefined) throw new Error('folder, tokens and events are needed');
const tokens = Number(tokensText);
const events = Number(eventsText);

// Checkpoints on the way would only cost time: `close` writes one at the end.
const { store } = await openStore({ folder, policy: { minEvents: Infinity } });
let waiting: Promise<unknown>[] = [];

async function transact(
  decide: (state: State, nowMs: number) => Decision<{ readonly ok: boolean }>,
): Promise<void> {
  waiting.push(
    store.transact(decide).then(({ ok }) => {
      if (!ok) throw new Error('the seed was refused');
    }),
  );
  if (waiting.length < decisionsPerTurn) return;
  const turn = waiting;
  waiting = [];
  await Promise.all(turn);
}

const generations = events > tokens ? generationsPerFamily : 1;
const families: Family[] = [];
for (let count = 0; count < tokens / generations; count += 1) {
  const family: Family = {
    id: mintId('fam_') as FamilyId,
    digest: mintToken('api').digest,
    generations: 1,
    isSuspended: false,
  };
  families.push(family);
  const configuration = {
    name: `App ${count}`,
    category: 'general',
    validity_days: 30,
    scopes: [],
    ip_restrictions: [],
  };
  const { digest } = family;
  await transact((_state, nowMs) =>
    issueToken({ familyId: family.id, digest, configuration, expiresAtMs: null }, nowMs),
  );
}
for (let generation = 2; generation <= generations; generation += 1) {
  for (const family of families) {
    const source = family.digest;
    const { digest } = mintToken('api');
    family.digest = digest;
    family.generations = generation;
    await transact((state, nowMs) =>
      rotateToken(
        state,
        {
          presented: { digest: source, mayUse: () => true },
          keyDigest: null,
          mint: () => ({ value: '', digest }),
          actorFor: (tokenId) => ({
            kind: 'bearer',
            token_id: tokenId,
            address: '127.0.0.1',
            user_agent: 'rotavox-bench/1',
          }),
        },
        nowMs,
      ),
    );
  }
}
const moving = families.slice(Math.ceil(families.length / 10));
for (let written = tokens; written < events; written += 1) {
  const family = moving[written % moving.length]!;
  const move = family.isSuspended ? 'resume' : 'suspend';
  family.isSuspended = !family.isSuspended;
  const tokenId = tokenIdOf(family.id, family.generations);
  await transact((state, nowMs) => moveToken(state, { tokenId, move, reason: 'Holiday' }, nowMs));
}
await Promise.all(waiting);
await store.close();
console.log(JSON.stringify({ seeded: events }));
