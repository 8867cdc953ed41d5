import type { FastifyInstance, FastifyReply } from 'fastify';
import { indexAddress } from '../../contract/credential/connected-tools.ts';
import type { ToolObstacle } from '../../contract/credential/tool-command.ts';
import type { ConnectionId, ConnectionRecord } from '../../contract/credential/tool-connection.ts';
import { noSuchConnection } from '../../core/connection/change-connection.ts';
import { readPlace } from '../../core/connection/match-connection.ts';
import { findCredential } from '../../core/credential/find-credential.ts';
import { refused, type Result } from '../../core/result.ts';
import { addRoutes } from '../http/add-route.ts';
import { answerRefusal, refuseCredential } from '../http/refuse.ts';
import type { ServiceContext } from '../service-context.ts';

/** How many calls about a tool may wait for the one that is being answered. */
const mostWaiting = 15;

/** Why the service connects no tools itself; null: it does. */
export function toolObstacle({ team, toolCommands }: ServiceContext): ToolObstacle | null {
  return team === null ? toolCommands.obstacle : 'of_team';
}

/** `/portal/connections/…`: tools that a window connects, checks and disconnects. The commands of a terminal do that themselves. */
// see decisions/connections.md
export function addToolRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, toolCommands } = context;
  const turns = new Turns();
  // A tool that hangs would keep the program from ending for as long as it may take.
  app.addHook('preClose', (done) => {
    toolCommands.end();
    done();
  });

  addRoutes(app, context, {
    connectTool: ({ body, reply }) => {
      const found = findCredential(ledger.state, body.credential);
      if (!found.ok) return refuseCredential(reply, found.refusal);
      if (readPlace(indexAddress(body.url), (address) => URL.parse(address)) === null)
        return refuseCredential(reply, noPlace);
      // Of what is typed, a window wants to know the last only.
      const isWanted = () => !body.dry_run || !reply.raw.destroyed;
      return answer(body.tool, reply, async () => (isWanted() ? toolCommands.connect(body) : refused('')));
    },
    checkTool: ({ params, reply }) =>
      withConnection(params.id, reply, ({ id, tool }) => answer(tool, reply, () => toolCommands.check(id))),
    disconnectTool: ({ params, body, reply }) =>
      withConnection(params.id, reply, ({ id, tool }) =>
        answer(tool, reply, () => toolCommands.disconnect(id, { isDryRun: body.dry_run })),
      ),
  });

  function withConnection<T>(
    id: string,
    reply: FastifyReply,
    act: (connection: ConnectionRecord) => Promise<T | null>,
  ): Promise<T | null> | null {
    const record = ledger.state.connections.get(id as ConnectionId);
    return record === undefined ? refuseCredential(reply, noSuchConnection(id)) : act(record);
  }

  /** Runs a command when those before it about the same tool have ended. */
  async function answer<T>(
    tool: string,
    reply: FastifyReply,
    run: () => Promise<Result<T, string>>,
  ): Promise<T | null> {
    const why = toolObstacle(context);
    if (why !== null)
      return refuseCredential(reply, { problem: 'conflict', reason: { code: 'tools_not_here', why } });
    const turn = turns.take(tool, run);
    if (turn === null)
      return refuseCredential(reply, { problem: 'conflict', reason: { code: 'tools_busy' } });
    const ended = await turn;
    return ended.ok ? ended.value : answerRefusal(reply, 'conflict', { message: ended.refusal });
  }
}

const noPlace = { problem: 'bad_request', field: 'url', reason: { code: 'no_connection_url' } } as const;

/** One at a time for each tool: its connections share a file, which the second would find locked, and the link to our program. */
class Turns {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #counts = new Map<string, number>();

  /** Null: too many wait already. */
  take<T>(tool: string, act: () => Promise<T>): Promise<T> | null {
    const count = this.#counts.get(tool) ?? 0;
    if (count > mostWaiting) return null;
    this.#counts.set(tool, count + 1);
    const turn = this.#inTurn(tool, act);
    this.#last.set(tool, turn);
    return turn;
  }

  async #inTurn<T>(tool: string, act: () => Promise<T>): Promise<T> {
    await this.#last.get(tool)?.catch(() => undefined);
    try {
      return await act();
    } finally {
      const count = (this.#counts.get(tool) ?? 1) - 1;
      this.#counts.set(tool, count);
      if (count === 0) {
        this.#counts.delete(tool);
        this.#last.delete(tool);
      }
    }
  }
}
