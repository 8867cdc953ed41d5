import { expect, it } from 'vitest';
import type { EventKind } from '../../../src/contract/history/audit-event.ts';
import type { PublishReply } from '../../../src/contract/menu/ivr-draft.ts';
import { baseUrlOf } from '../../../src/service/service-context.ts';
import { RefusingLedger } from '../../agent/full-disk-setup.ts';
import { twoMenus } from '../../fixtures/ivr-documents.ts';
import { noon } from '../../fixtures/make-events.ts';
import { makeSetup, rotate } from '../attacks/attack-setup.ts';
import { OpenService } from '../open-service.ts';

async function setups() {
  const other = await (await OpenService.start()).listen();
  const ledgers: RefusingLedger[] = [];
  const here = await makeSetup({
    clock: () => noon,
    wrapLedger: (store) => {
      const ledger = new RefusingLedger(store, () => noon);
      ledgers.push(ledger);
      return ledger;
    },
  });
  const { value } = await other.issue();
  await here.owner('POST', '/portal/credentials', {
    name: 'elsewhere',
    value,
    base_url: baseUrlOf(other.app),
  });
  const created = await here.owner('POST', '/portal/ivrs/drafts', { document: twoMenus });
  const { id } = JSON.parse(created.text) as { id: string };
  const publish = async () => {
    const { status, text } = await here.call({
      method: 'POST',
      path: `/portal/ivrs/drafts/${id}/publish`,
      body: { revision: 1, credential: 'elsewhere' },
      bearer: here.service.sessions.portalKey,
    });
    return { status, reply: JSON.parse(text) as PublishReply };
  };
  const refuse = (kinds: EventKind | 'nothing') => {
    for (const ledger of ledgers) ledger.refuses = kinds;
  };
  return { other, publish, refuse };
}

it('a menu that was stored but could not be recorded is reported as stored, and is found again', async () => {
  const { other, publish, refuse } = await setups();
  refuse('draft.menu_stored');
  const { status, reply } = await publish();
  expect([status, reply.outcome, reply.exchanges.length]).toEqual([200, 'failed', 1]);
  expect(reply.message).toContain('could not be recorded');
  expect(other.store.state.ivrs.size).toBe(1);
  refuse('nothing');
  const again = await publish();
  expect(again.reply.outcome).toBe('published');
  expect(again.reply.exchanges[0]?.message).toContain('adopted');
  expect(other.store.state.ivrs.size).toBe(2);
});

it('nothing is sent that could not be recorded before', async () => {
  const { other, publish, refuse } = await setups();
  refuse('draft.menu_sent');
  expect((await publish()).status).toBe(503);
  expect(other.store.state.ivrs.size).toBe(0);
});

it('a Superseded token is refused as ever when the disk cannot note its use, and the use is noted later', async () => {
  const ledgers: RefusingLedger[] = [];
  const setup = await makeSetup({
    wrapLedger: (store) => {
      const ledger = new RefusingLedger(store, Date.now);
      ledgers.push(ledger);
      return ledger;
    },
  });
  const { access_token: value } = await setup.issue();
  expect((await rotate(setup, value)).status).toBe(200);

  for (const ledger of ledgers) ledger.refuses = 'token.reused';
  const refused = await rotate(setup, value);
  expect([refused.status, refused.text]).toEqual([
    401,
    expect.stringContaining('The provided token is invalid.'),
  ]);
  const reuses = () => setup.events.filter(({ kind }) => kind === 'token.reused');
  expect(reuses()).toEqual([]);

  for (const ledger of ledgers) ledger.refuses = 'nothing';
  expect((await rotate(setup, value)).status).toBe(401);
  expect(reuses()).toHaveLength(1);
});
