import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../src/contract/history/audit-event.ts';
import { applyEvent } from '../../src/core/apply-event.ts';
import type { Credential } from '../../src/core/credential/credential-state.ts';
import { isoInstant } from '../../src/core/iso-instant.ts';
import { State } from '../../src/core/state.ts';
import { credentialOfRecord, credentialRecordOf } from '../../src/store/credential-record.ts';
import { openStore } from '../../src/store/open-store.ts';
import {
  credentialAdded,
  credentialIdNamed,
  credentialPaused,
  delivered,
  deliveryFailed,
  rotationBegun,
  rotationFailed,
  targetAdded,
  targetsOfEveryKind,
  valueTaken,
} from '../fixtures/credential-events.ts';
import { credentialSteps, decideStep } from '../fixtures/credential-steps.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { digest, issued, moved, noon, rotated, tokenIdNamed } from '../fixtures/make-events.ts';
import { type AppTokenId, defaultAppLimits, type ProxyRuleId } from '../../src/contract/credential/proxy.ts';
import { ownUserAgent } from '../../src/contract/service/own-call.ts';
import type { Token } from '../../src/core/token/token-record.ts';

/** Credentials in which every optional field is empty once and set once. */
const everyShape: EventDraft[] = [
  credentialAdded('new'),
  credentialAdded('embedded', { base_url: null, validity_days: null }),
  credentialAdded('nightly', {
    policy: { fraction: 2 / 3, preferred_hours: { from: '22:00', to: '06:00' } },
  }),
  // The usual service, but not the usual inputs.
  credentialAdded('certified', { provider: { id: 'rotavox', inputs: { client_certificate: 'AB:CD' } } }),
  credentialAdded('paused'),
  credentialPaused('paused'),
  credentialAdded('paused-until'),
  credentialPaused('paused-until', noon + 12_345),
  credentialAdded('rotating'),
  rotationBegun('rotating', 'owner'),
  credentialAdded('failing'),
  rotationBegun('failing'),
  rotationFailed('failing', 'unreachable', { mayHaveActed: true, nextTryMs: noon + 1 }),
  credentialAdded('lost'),
  rotationBegun('lost'),
  rotationFailed('lost', 'reply_lost'),
  credentialAdded('rotated'),
  rotationBegun('rotated'),
  valueTaken('rotated', 2),
  credentialAdded('delivering'),
  ...targetsOfEveryKind.map((target, place) => targetAdded('delivering', target, `t${place}`)),
  delivered('delivering', 1, 't0'),
  delivered('delivering', 1, 't3', 'reloaded\n“\ud800”'),
  deliveryFailed('delivering', noon + 5, 1, 't1'),
  deliveryFailed('delivering', null, 1, 't2'),
  // A year of five digits, and a text that is not well formed.
  credentialAdded('far', { expires_at: isoInstant(Date.parse('+010000-06-01T00:00:00.000Z')) }),
  rotationBegun('far'),
  {
    ...rotationFailed('far', 'unsafe'),
    data: { ...rotationFailed('far', 'unsafe').data, message: '“\ud800”\n\u0000' },
  },
];

function rowsOf(state: State): Credential[] {
  return [...state.credentials.values()];
}

describe('the state file', () => {
  it('gives every credential back as it was, in its place, and so does the journal', async () => {
    const folder = makeFolder();
    const clock = { nowMs: noon };
    const open = () => openStore({ folder, clock: () => clock.nowMs });
    const { store } = await open();
    await store.transact(() => ({ events: everyShape, value: null }));
    for (const [place, step] of fc.sample(credentialSteps, { numRuns: 300, seed: 1 }).entries()) {
      clock.nowMs += step.waitMs;
      await store.transact((state, nowMs) => decideStep(state, step, { nowMs, place }));
    }
    const before = rowsOf(store.state);
    expect(before.length).toBeGreaterThan(9);
    await store.close();

    const fromState = await open();
    expect(fromState.repairs).toEqual([]);
    expect(rowsOf(fromState.store.state)).toEqual(before);
    await fromState.store.close();

    rmSync(join(folder, 'state.json'));
    const fromJournal = await open();
    expect(rowsOf(fromJournal.store.state)).toEqual(before);
    await fromJournal.store.close();
  });

  it('shows a credential with readable names and instants', async () => {
    const folder = makeFolder();
    const { store } = await openStore({ folder, clock: () => noon });
    await store.transact(() => ({ events: everyShape, value: null }));
    await store.close();
    const file = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as {
      credentials: { name: string }[];
    };
    expect(file.credentials.find(({ name }) => name === 'failing')).toMatchObject({
      base_url: 'https://api.example.com',
      obtained_at: '2026-01-10T12:00:00.000Z',
      expires_at: '2026-01-20T12:00:00.000Z',
      pause: null,
      rotation: { idempotency_key: 'key-1', begun_at: '2026-01-10T12:00:00.000Z', may_have_acted: true },
      trouble: { kind: 'unreachable', next_try_at: '2026-01-10T12:00:00.001Z' },
      targets: [],
    });
  });
});

describe('the record of a credential', () => {
  it('gives it back as it was, however it came to be so', () => {
    fc.assert(
      fc.property(fc.array(credentialSteps, { maxLength: 60, size: 'max' }), (steps) => {
        const state = new State();
        let nowMs = noon;
        for (const [place, step] of steps.entries()) {
          nowMs += step.waitMs;
          for (const draft of decideStep(state, step, { nowMs, place }).events) {
            applyEvent(state, { ...draft, seq: 1, at: isoInstant(nowMs) });
          }
        }
        for (const credential of rowsOf(state)) {
          const record: unknown = JSON.parse(JSON.stringify(credentialRecordOf(credential)));
          expect(credentialOfRecord(record as ReturnType<typeof credentialRecordOf>)).toEqual(credential);
        }
      }),
    );
  });

  it('may be from before notes, the instants of last attempts and previous tokens were kept', () => {
    const state = new State();
    for (const draft of everyShape) applyEvent(state, { ...draft, seq: 1, at: isoInstant(noon) });
    for (const credential of rowsOf(state)) {
      const record = JSON.stringify(credentialRecordOf(credential), (key, value: unknown) =>
        key === 'note' || key === 'last_try_at' || key === 'past_lives' ? undefined : value,
      );
      const { trouble, targets } = credential;
      expect(credentialOfRecord(JSON.parse(record) as ReturnType<typeof credentialRecordOf>)).toEqual({
        ...credential,
        pastTokens: [],
        trouble: trouble && { ...trouble, lastTryMs: null },
        targets: targets.map((target) => ({
          ...target,
          note: null,
          failure: target.failure && { ...target.failure, lastTryMs: null },
        })),
      });
    }
  });
});

const credential_id = credentialIdNamed('a');
const of = { subject: credential_id, actor: { kind: 'owner' } } as const;

function rule(id: string, more: object = {}): EventDraft<'proxy.rule_added'> {
  const data = {
    rule_id: id as ProxyRuleId,
    credential_id,
    method: 'GET',
    path: '/x',
    app: null,
    private_network: false,
  } as const;
  return { kind: 'proxy.rule_added', ...of, data: { ...data, ...more } };
}

function appTokenIssued(id: string): EventDraft<'proxy.token_issued'> {
  return {
    kind: 'proxy.token_issued',
    ...of,
    data: {
      app_token_id: id as AppTokenId,
      credential_id,
      app: 'agent',
      expires_at: isoInstant(noon + 1000),
      limits: defaultAppLimits,
    },
    sealed: { digest: digest(id) },
  };
}

const used: EventDraft<'proxy.used'> = {
  kind: 'proxy.used',
  ...of,
  data: {
    credential_id,
    minute: isoInstant(noon),
    uses: [
      {
        token_id: 'app_used' as AppTokenId,
        app: 'agent',
        generation: 3,
        method: 'GET',
        route: '/x',
        status: 200,
        refusal: null,
        count: 4,
        bytes_in: 1,
        bytes_out: 2,
        duration_ms: 3,
        last_at: isoInstant(noon + 500),
      },
    ],
  },
};

describe('rules and app tokens on disk', () => {
  it('are the same from the state file and from the journal', async () => {
    const folder = makeFolder();
    const { store } = await openStore({ folder, clock: () => noon });
    const events = [
      credentialAdded('a'),
      rule('rule_1'),
      rule('rule_2', { method: '*', path: '/**', app: 'agent', private_network: true, scrub: true }),
      appTokenIssued('app_new'),
      appTokenIssued('app_used'),
      used,
    ];
    await store.transact(() => ({ events, value: null }));
    const [rules, tokens] = [[...store.state.proxyRules.values()], [...store.state.appTokens.values()]];
    expect(tokens.map(({ use }) => use)).toEqual([
      { requests: 0, lastAtMs: null, lastGeneration: null },
      { requests: 4, lastAtMs: noon + 500, lastGeneration: 3 },
    ]);
    await store.close();
    for (const isRebuilt of [false, true]) {
      if (isRebuilt) rmSync(join(folder, 'state.json'));
      const again = await openStore({ folder, clock: () => noon });
      expect([...again.store.state.proxyRules.values()]).toEqual(rules);
      expect([...again.store.state.appTokens.values()]).toEqual(tokens);
      await again.store.close();
    }
  });
});

/** Tokens in every status that the owner or a rotation can cause, each changed a minute after the previous one. */
const story = [
  issued('active'),
  issued('suspended'),
  moved('token.suspended', 'suspended'),
  issued('resumed'),
  moved('token.suspended', 'resumed'),
  moved('token.resumed', 'resumed'),
  issued('blacklisted'),
  moved('token.blacklisted', 'blacklisted'),
  issued('rotated'),
  rotated('rotated', 1),
  issued('checked'),
  {
    kind: 'token.first_used',
    subject: 'fam_checked',
    actor: {
      kind: 'bearer',
      token_id: tokenIdNamed('checked'),
      address: '127.0.0.1',
      user_agent: ownUserAgent,
    },
    data: { token_id: tokenIdNamed('checked') },
  } satisfies EventDraft<'token.first_used'>,
];

async function writtenFolder(minuteMs: number): Promise<{ folder: string; tokens: Token[] }> {
  const folder = makeFolder();
  let nowMs = noon;
  const { store } = await openStore({ folder, clock: () => nowMs });
  for (const event of story) {
    nowMs += minuteMs;
    await store.transact(() => ({ events: [event], value: null }));
  }
  const tokens = [...store.state.tokens.values()];
  await store.close();
  return { folder, tokens };
}

describe('the state file', () => {
  it.each([60_000, 0])('gives tokens back as they were, with %d ms between the changes', async (minuteMs) => {
    const { folder, tokens } = await writtenFolder(minuteMs);
    const { store } = await openStore({ folder, clock: () => noon });
    expect([...store.state.tokens.values()]).toEqual(tokens);
    expect(tokens.filter(({ isOnlyChecked }) => isOnlyChecked)).toHaveLength(1);
    await store.close();
  });

  it('of an older program does not contain when a token was suspended, and the time stays unknown', async () => {
    const { folder } = await writtenFolder(60_000);
    const path = join(folder, 'state.json');
    const body = readFileSync(path, 'utf8').replace(/"crc32":\d+\}\n$/, '');
    const older = body.replace(/,"changed_at":"[^"]+"/g, '');
    expect(older).not.toBe(body);
    writeFileSync(path, `${older}"crc32":${crc32(older)}}\n`);
    const { store } = await openStore({ folder, clock: () => noon });
    const changedAtMs = (name: string) => store.state.tokens.get(tokenIdNamed(name))?.changedAtMs;
    expect(changedAtMs('suspended')).toBeNull();
    expect(changedAtMs('active')).toBe(noon + 60_000);
    expect(changedAtMs('rotated')).toBe(noon + 10 * 60_000);
    await store.close();
  });
});
