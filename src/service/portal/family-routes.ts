import type { FastifyInstance } from 'fastify';
import { eventKinds, type HistoryEvent } from '../../contract/audit-event.ts';
import type { IssueRecord } from '../../contract/token-family.ts';
import type { Ledger } from '../../core/ledger.ts';
import { viewFamily } from '../../core/token/view-family.ts';
import { invariant } from '../../core/unreachable.ts';
import { addRoute } from '../add-route.ts';
import { refuse } from '../refuse.ts';
import type { ServiceContext } from '../service-context.ts';

/** `/portal/families*`: a token and everything rotated from it. */
export function addFamilyRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger } = context;

  addRoute(app, context, 'readFamily', async ({ params, reply }) => {
    const family = await ledger.transact((state, nowMs) => ({
      events: [],
      value: viewFamily(state, params.id, nowMs),
    }));
    if (family === null) {
      refuse(reply, 'not_found', {
        message:
          'There is no token family with this id. `rotavox token list` shows tokens with their families.',
      });
      return null;
    }
    return { ...family, issued: await readIssue(ledger, family.id) };
  });
}

/**
 * Reads what was recorded when a family began: its first event in the journal.
 *
 * From disk on purpose: it is what the present state is compared with, so it may not come from there.
 */
async function readIssue(ledger: Ledger, familyId: string): Promise<IssueRecord> {
  const oldest = (await ledger.findEvents({ subject: familyId })).at(-1);
  invariant(oldest !== undefined, `the journal has the issue of ${familyId}`);
  const seq = oldest.from - oldest.count + 1;
  const [event] = await ledger.history({ subject: familyId, before: seq + 1, limit: 1 });
  invariant(event?.kind === 'token.issued', `the history of ${familyId} begins with its issue`);
  return issueRecordOf(event);
}

function issueRecordOf({ seq, at, data }: HistoryEvent): IssueRecord {
  const { configuration, expires_at } = eventKinds['token.issued'].data.parse(data);
  return { seq, at, configuration, expires_at };
}
