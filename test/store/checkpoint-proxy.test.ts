import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../src/contract/history/audit-event.ts';
import { type AppTokenId, defaultAppLimits, type ProxyRuleId } from '../../src/contract/credential/proxy.ts';
import { isoInstant } from '../../src/core/iso-instant.ts';
import { openStore } from '../../src/store/open-store.ts';
import { credentialAdded, credentialIdNamed } from '../fixtures/credential-events.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { digest, noon } from '../fixtures/make-events.ts';

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

function issued(id: string): EventDraft<'proxy.token_issued'> {
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
      issued('app_new'),
      issued('app_used'),
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
