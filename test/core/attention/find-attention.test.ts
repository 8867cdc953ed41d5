import { describe, expect, it } from 'vitest';
import type { Attention, AttentionList } from '../../../src/contract/window/attention.ts';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import type { VaultStatus } from '../../../src/contract/credential/credential-view.ts';
import {
  attentionSubjects,
  listAttention,
  type ReferenceData,
} from '../../../src/core/attention/find-attention.ts';
import type { ProxyRuleId, RuleMethod } from '../../../src/contract/credential/proxy.ts';
import type { TeamHost } from '../../../src/contract/service/team.ts';
import { defaultDestinationRules, type PbxId } from '../../../src/contract/calls/pbx.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import { State } from '../../../src/core/state.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import {
  credentialAdded,
  credentialIdNamed,
  credentialPaused,
  deliveryFailed,
  lifetime,
  rotationBegun,
  rotationFailed,
  targetAdded,
  valueTaken,
} from '../../fixtures/credential-events.ts';
import { digest, issued, moved, noon, rotated, tokenIdNamed } from '../../fixtures/make-events.ts';
import { apply, describeProblem, stateAfter } from '../credential/credential-state.ts';
import { follower, leader, missing } from '../../fixtures/team-hosts.ts';

const hourMs = 3_600_000;
const vault: VaultStatus = { kind: 'keychain', description: 'The keychain', status: 'ok', message: null };
const locked: VaultStatus = { ...vault, status: 'locked', message: 'The keychain is locked. Unlock it.' };
const well: ReferenceData = {
  vault,
  store: { status: 'ok', last_seq: 1 },
  pbxs: [],
  repairs: [],
  movedFrom: null,
  team: null,
};

function list(
  state: State,
  { atMs = noon, ...around }: Partial<ReferenceData> & { atMs?: number } = {},
): AttentionList {
  const context = {
    nowMs: atMs,
    zone: () => 0,
    embeddedUrl: 'http://127.0.0.1:7682',
    describe: describeProblem,
  };
  return listAttention(state, { ...well, ...around }, context);
}

function items(events: EventDraft[], around: Parameters<typeof list>[1] = {}): Attention[] {
  return list(stateAfter(...events), around).items;
}

function ruleAdded(method: RuleMethod, path: string): EventDraft {
  const id = credentialIdNamed('a');
  const data = { rule_id: `rule_${path}` as ProxyRuleId, credential_id: id, method, path, app: null };
  return {
    kind: 'proxy.rule_added',
    subject: id,
    actor: { kind: 'owner' },
    data: { ...data, private_network: false },
  };
}

/** A credential with a trouble since noon. */
function failing(name: string, kind: Parameters<typeof rotationFailed>[1], nextTryMs: number | null = null) {
  return [credentialAdded(name), rotationBegun(name), rotationFailed(name, kind, { nextTryMs })];
}

const reused: EventDraft = {
  kind: 'token.reused',
  subject: 'fam_f',
  actor: { kind: 'bearer', token_id: tokenIdNamed('f'), address: '10.1.2.3', user_agent: 'old-app/1.0' },
  data: { token_id: tokenIdNamed('f'), successor_id: tokenIdNamed('f', 2) },
};

describe('a telephone system', () => {
  const office = {
    id: 'pbx_1' as PbxId,
    name: 'office',
    url: 'http://127.0.0.1:8088',
    user: 'rotavox',
    insecure_http: false,
    destinations: defaultDestinationRules,
    created_at: isoInstant(noon),
    calls: 0,
  };
  const unreachable = (next_try_at: string | null) =>
    ({
      status: 'unreachable',
      since: isoInstant(noon),
      trouble: { code: 'not_reached', detail: 'ECONNREFUSED' },
      next_try_at,
    }) as const;

  it('is reported when it was unreachable for ten seconds, or needs a person', () => {
    const soon = { ...office, state: unreachable(isoInstant(noon + 1000)) };
    expect(items([], { pbxs: [soon], atMs: noon + 9_000 })).toEqual([]);
    expect(items([], { pbxs: [soon], atMs: noon + 10_000 })).toMatchObject([
      { kind: 'pbx_unreachable', name: 'office', pbx_trouble: { code: 'not_reached' } },
    ]);
    const waiting = { ...office, state: unreachable(null) };
    expect(items([], { pbxs: [waiting] })).toHaveLength(1);
  });

  it('is not reported while it is connected', () => {
    const state = { status: 'connected', since: isoInstant(noon), version: '22.1.0' } as const;
    expect(items([], { pbxs: [{ ...office, state }] })).toEqual([]);
  });
});

describe('data that may also be in use elsewhere', () => {
  const movedFrom = { reason: 'other_machine', name: 'old-laptop', folder: '/data' } as const;
  const two = [credentialAdded('a'), credentialAdded('b')];

  it('are reported, with no next rotation, and with what is due', () => {
    const early = list(stateAfter(...two), { movedFrom });
    expect(early).toMatchObject({
      items: [{ kind: 'moved', from: movedFrom, waiting: [] }],
      next_rotation: null,
    });
    expect(list(stateAfter(...two)).next_rotation).not.toBeNull();
    const late = items(two, { movedFrom, atMs: noon + 6 * dayMs });
    expect(late).toMatchObject([{ kind: 'moved', waiting: [{ name: 'a' }, { name: 'b' }] }]);
    expect([...attentionSubjects(late).credentials]).toEqual(['a', 'b']);
  });
});

describe('a host of the team', () => {
  const of = (...hosts: TeamHost[]) => items([], { team: { epoch: 1, hosts } });

  it('is reported once it has not reported for ten seconds, and not any more when it does', () => {
    expect(of(leader, { ...follower, seen_seconds_ago: 9 })).toEqual([]);
    expect(of(leader, { ...follower, seen_seconds_ago: 10 })).toMatchObject([{ kind: 'host_missing' }]);
    expect(of(leader, follower)).toEqual([]);
  });

  it('is reported with whether another one could take over', () => {
    const item = {
      kind: 'host_missing',
      id: 'h3',
      name: 'gamma',
      address: missing.address,
      since: isoInstant(noon - hourMs),
    };
    expect(of(leader, follower, missing)).toEqual([{ ...item, has_successor: true }]);
    expect(of(leader, missing)).toEqual([{ ...item, has_successor: false }]);
  });

  it('is not reported while it leads, which is who answers', () => {
    expect(of({ ...leader, seen_seconds_ago: 60 }, follower)).toEqual([]);
  });
});

describe('nothing needs the owner', () => {
  it.each<[string, EventDraft[], number]>([
    ['of an empty service', [], noon],
    ['of a credential in the middle of its lifetime', [credentialAdded('a')], noon],
    ['of one that is due or being rotated', [credentialAdded('a'), rotationBegun('a')], noon + 6 * dayMs],
    ['of a pause that ends in time', [credentialAdded('a'), credentialPaused('a', noon + dayMs)], noon],
    ['of a pause while there is time', [credentialAdded('a'), credentialPaused('a')], noon + 8.9 * dayMs],
    ['of an Active token that has more than a day', [issued('f')], noon + 5.9 * dayMs],
    [
      'of one that an app rotates by itself, a day before its end',
      [issued('f'), rotated('f', 1)],
      noon + 6.2 * dayMs,
    ],
    ['of a Suspended one that has more than a day', [issued('f'), moved('token.suspended', 'f')], noon],
    ['of tokens that ended', [issued('f'), issued('g'), moved('token.blacklisted', 'g')], noon + 8 * dayMs],
    [
      'of a token that was used again four days ago',
      [issued('f'), rotated('f', 1), reused],
      noon + 4 * dayMs,
    ],
  ])('%s', (_what, events, atMs) => {
    expect(items(events, { atMs })).toEqual([]);
  });

  it('of a vault that does not work while nothing is kept in it', () => {
    expect(items([issued('f')], { vault: locked })).toEqual([]);
  });
});

describe('what needs the owner', () => {
  it.each<[string, EventDraft[], number, Attention]>([
    [
      'a credential whose new value nobody received',
      failing('a', 'reply_lost'),
      noon,
      {
        kind: 'credential',
        name: 'a',
        expires_at: isoInstant(lifetime.expiresAtMs),
        service: 'remote',
        origin: 'https://api.example.com',
        state: 'reply_lost',
        trouble: 'reply_lost',
        message: 'It says reply_lost.',
        next_try_at: null,
      },
    ],
    [
      'a credential that is refused for now, with its next attempt',
      failing('a', 'refused', noon + hourMs),
      noon,
      {
        kind: 'credential',
        name: 'a',
        expires_at: isoInstant(lifetime.expiresAtMs),
        service: 'remote',
        origin: 'https://api.example.com',
        state: 'refused',
        trouble: 'refused',
        message: 'It says refused.',
        next_try_at: isoInstant(noon + hourMs),
      },
    ],
    [
      'a pause that a value does not outlive',
      [credentialAdded('a'), credentialPaused('a')],
      noon + 9 * dayMs,
      { kind: 'paused_ends', name: 'a', expires_at: isoInstant(lifetime.expiresAtMs), paused_until: null },
    ],
    [
      'a pause that ends after the value',
      [credentialAdded('a'), credentialPaused('a', noon + 11 * dayMs)],
      noon + 9 * dayMs,
      {
        kind: 'paused_ends',
        name: 'a',
        expires_at: isoInstant(lifetime.expiresAtMs),
        paused_until: isoInstant(noon + 11 * dayMs),
      },
    ],
    [
      'a target that does not take the value',
      [credentialAdded('a'), targetAdded('a'), deliveryFailed('a', null)],
      noon,
      {
        kind: 'delivery',
        name: 'a',
        target_id: 'tgt_x' as never,
        target: { kind: 'file', path: '/srv/app/token' },
        message: 'The folder is not there.',
        next_try_at: null,
      },
    ],
    [
      'a token that is used again after it was replaced',
      [issued('f'), rotated('f', 1), reused],
      noon + 2 * dayMs,
      {
        kind: 'reuse',
        family_id: 'fam_f' as never,
        name: 'billing',
        token_id: tokenIdNamed('f'),
        at: isoInstant(noon),
        address: '10.1.2.3',
        user_agent: 'old-app/1.0',
        uses: [
          {
            token_id: tokenIdNamed('f'),
            successor_id: tokenIdNamed('f', 2),
            address: '10.1.2.3',
            user_agent: 'old-app/1.0',
            count: 1,
            first_at: isoInstant(noon),
            last_at: isoInstant(noon),
          },
        ],
        credential: null,
      },
    ],
    [
      'a rule of the proxy from before that is too wide',
      [credentialAdded('a'), ruleAdded('*', '/**'), ruleAdded('GET', '/v1/ivr/*')],
      noon,
      {
        kind: 'wide_rules',
        name: 'a',
        rules: [
          {
            id: 'rule_/**' as ProxyRuleId,
            method: '*',
            path: '/**',
            becomes: [
              { method: 'GET', path: '/v1/ivrs' },
              { method: 'GET', path: '/v1/ivr/*' },
            ],
          },
        ],
      },
    ],
    [
      'an Active token that ends within a day and that nobody rotates',
      [issued('f')],
      noon + 6 * dayMs,
      {
        kind: 'ends_unkept',
        family_id: 'fam_f' as never,
        token_id: tokenIdNamed('f'),
        name: 'billing',
        expires_at: isoInstant(noon + 7 * dayMs),
        validity_days: 7,
        rotations: 0,
      },
    ],
    [
      'an Active token that an app has rotated before, and is late with now',
      [issued('f'), rotated('f', 1)],
      noon + 6.3 * dayMs,
      {
        kind: 'ends_unkept',
        family_id: 'fam_f' as never,
        token_id: tokenIdNamed('f', 2),
        name: 'billing',
        expires_at: isoInstant(noon + 7 * dayMs),
        validity_days: 7,
        rotations: 1,
      },
    ],
    [
      'an Active token of one day, in the second half of it',
      [issued('f', noon + dayMs)],
      noon + 12 * hourMs,
      {
        kind: 'ends_unkept',
        family_id: 'fam_f' as never,
        token_id: tokenIdNamed('f'),
        name: 'billing',
        expires_at: isoInstant(noon + dayMs),
        validity_days: 7,
        rotations: 0,
      },
    ],
    [
      'a Suspended token that ends within a day',
      [issued('f'), moved('token.suspended', 'f')],
      noon + 6 * dayMs,
      {
        kind: 'suspended_ends',
        family_id: 'fam_f' as never,
        token_id: tokenIdNamed('f'),
        name: 'billing',
        expires_at: isoInstant(noon + 7 * dayMs),
        reason: 'because',
      },
    ],
  ])('is %s', (_what, events, atMs, expected) => {
    expect(items(events, { atMs })).toEqual([expected]);
  });

  it.each(['value_missing', 'invalid', 'blacklisted', 'expired'] as const)(
    'is a credential in the trouble “%s”, which waits for a person',
    (kind) => {
      expect(items(failing('a', kind))).toMatchObject([
        { kind: 'credential', trouble: kind, next_try_at: null },
      ]);
    },
  );

  it('is a service that is away, once for all its credentials, the first to end first', () => {
    const earlier = { expires_at: isoInstant(noon + 2 * dayMs) };
    const found = items([
      ...failing('late', 'unreachable', noon + 2 * hourMs),
      credentialAdded('soon', earlier),
      rotationBegun('soon'),
      rotationFailed('soon', 'unreachable', { nextTryMs: noon + hourMs }),
      credentialAdded('elsewhere', { base_url: 'https://other.example.com/api' }),
      rotationBegun('elsewhere'),
      rotationFailed('elsewhere', 'unreachable', { nextTryMs: noon + hourMs }),
      ...failing('broken', 'service_failed', noon + hourMs),
    ]);
    expect(
      found.map(
        (item) =>
          item.kind === 'failing' && [item.trouble, item.origin, ...item.credentials.map(({ name }) => name)],
      ),
    ).toEqual([
      ['unreachable', 'https://api.example.com', 'soon', 'late'],
      ['service_failed', 'https://api.example.com', 'broken'],
      ['unreachable', 'https://other.example.com', 'elsewhere'],
    ]);
    expect(found[0]).toMatchObject({ next_try_at: isoInstant(noon + hourMs) });
  });

  it('is a vault that is locked, once, with the credentials that wait for it; deliveries then say nothing of their own', () => {
    const events = [
      credentialAdded('fine'),
      ...failing('waiting', 'vault', noon + hourMs),
      credentialAdded('owed'),
      targetAdded('owed'),
      deliveryFailed('owed', noon + hourMs),
    ];
    const found = items(events, { vault: locked });
    expect(found).toMatchObject([
      { kind: 'vault', message: locked.message, waiting: [{ name: 'waiting' }, { name: 'owed' }] },
    ]);
    expect([...attentionSubjects(found).credentials].sort()).toEqual(['owed', 'waiting']);
  });

  it('is a store that refuses changes, before anything else, and a journal that was mended, after it', () => {
    const found = items(failing('a', 'reply_lost'), {
      store: {
        status: 'refusing',
        last_seq: 1,
        code: 'ENOSPC',
        reason: 'The disk is full.',
        since: isoInstant(noon),
      },
      repairs: ['The last line was torn.'],
    });
    expect(found.map(({ kind }) => kind)).toEqual(['store_refusing', 'credential', 'journal_repaired']);
  });

  it('leaves out a family that a credential keeps, but not that its replaced token is still used', () => {
    const kept = credentialAdded('keeper', { base_url: null });
    const events = [
      issued('f'),
      rotated('f', 1),
      reused,
      { ...kept, sealed: { fingerprint: digest('f-2') } },
    ];
    const found = items(events, { atMs: noon + 2 * dayMs });
    expect(found).toMatchObject([{ kind: 'reuse', credential: 'keeper' }]);
    expect([...attentionSubjects(found).credentials]).toEqual(['keeper']);
  });

  it('is a hundred things at most, and how many more there are', () => {
    const many = Array.from({ length: 130 }, (_, place) => issued(`f${place}`, noon + dayMs));
    const { items, left_out } = list(stateAfter(...many), { atMs: noon + 0.6 * dayMs });
    expect([items.length, left_out]).toEqual([100, 30]);
  });
});

describe('the next rotation', () => {
  it('is none where nothing is rotated, or all of it is paused', () => {
    expect(list(new State()).next_rotation).toBeNull();
    expect(list(stateAfter(credentialAdded('a'), credentialPaused('a'))).next_rotation).toBeNull();
  });

  it('is the first of any credential', () => {
    const state = stateAfter(credentialAdded('a'), credentialAdded('b'));
    apply(state, [valueTaken('a', 2, 'rotated', noon + 3 * dayMs)], noon + 3 * dayMs);
    const next = list(state, { atMs: noon + 3 * dayMs }).next_rotation;
    expect(next?.name).toBe('b');
    expect(Date.parse(next!.at)).toBeGreaterThan(noon + 4 * dayMs);
  });
});
