import type { Command } from 'commander';
import type { CredentialView } from '../../contract/credential-view.ts';
import { tokenPageOf } from '../../contract/provider-inputs.ts';
import { endsOnRequest } from '../../contract/provider.ts';
import { type EndItem, revokeAllHelp, revokeAllText } from '../../text/revoke-all.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { openPortal, type Portal } from '../portal.ts';
import { askWhether, canAsk } from '../read-token.ts';
import { print, printJson, say } from '../terminal.ts';

interface RevokeOptions extends GlobalOptions {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** Something to end, and how. */
interface Planned extends EndItem {
  /** Whether only a person can. */
  readonly byPerson: boolean;
  readonly end: () => Promise<Ended>;
}

interface Ended {
  readonly outcome: 'ended' | 'ended_before' | 'alive';
  readonly message: string | null;
}

export function revokeAllCommand(credential: Command): void {
  addCommand(credential, 'revoke-all', revokeAllHelp)
    .option('--dry-run', revokeAllHelp.dryRun)
    .option('--yes', revokeAllHelp.yes)
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      await revokeAll(command.optsWithGlobals<RevokeOptions>());
    });
}

async function revokeAll(options: RevokeOptions): Promise<void> {
  const portal = openPortal(options);
  const plan = await planOf(portal);
  if (!options.json) showPlan(plan);
  if (options.dryRun || plan.length === 0) {
    if (options.json) printJson({ planned: plan.map(asJson) });
    else if (plan.length > 0) say(revokeAllText.dryRun);
    return;
  }
  if (!options.yes) {
    if (!canAsk()) throw wrongUsage(revokeAllText.noTerminal);
    if (!(await askWhether(revokeAllText.ask)))
      throw new CommandFailure(exitCodes.failed, revokeAllText.notAgreed);
  }
  const results: (Planned & Ended)[] = [];
  for (const item of plan) {
    const ended = await item.end().catch(whyAlive);
    results.push({ ...item, ...ended });
    if (!options.json) print(resultText(item, ended));
  }
  if (options.json)
    printJson({
      results: results.map((one) => ({ ...asJson(one), outcome: one.outcome, message: one.message })),
    });
  const failed = results.filter(({ byPerson, outcome }) => !byPerson && outcome === 'alive');
  if (failed.length > 0) throw new CommandFailure(exitCodes.failed, revokeAllText.failed(failed.length));
}

function showPlan(plan: readonly Planned[]): void {
  if (plan.length === 0) print(revokeAllText.nothing);
  const [ours, others] = [plan.filter(({ byPerson }) => !byPerson), plan.filter(({ byPerson }) => byPerson)];
  if (ours.length > 0) print(revokeAllText.ends(ours.length));
  for (const item of ours) print(revokeAllText.item(item));
  if (others.length > 0) print(revokeAllText.byPerson(others.length));
  for (const item of others) print(revokeAllText.personItem(item));
}

function resultText(item: EndItem, { outcome, message }: Ended): string {
  if (outcome === 'alive') return revokeAllText.alive(item, message ?? '');
  return outcome === 'ended' ? revokeAllText.ended(item) : revokeAllText.endedBefore(item);
}

function asJson({ kind, name, service, page, byPerson }: Planned) {
  return { kind, name, service, page, by_person: byPerson };
}

/** What fails is said at its place, and the others are ended all the same. */
function whyAlive(error: unknown): Ended {
  if (error instanceof CommandFailure) return { outcome: 'alive', message: error.message };
  throw error;
}

/** Tokens of apps first, because they work here at once; then credentials, and at last the tokens that were issued here. */
async function planOf(portal: Portal): Promise<Planned[]> {
  const { credentials } = await portal.ask('listCredentials', { query: { planned: 'false' } });
  const { credentials: proxied } = await portal.ask('listProxies');
  const apps = proxied.flatMap(({ tokens }) =>
    tokens
      .filter((one) => !one.is_expired)
      .map(({ id, app }) => ofOurs('app', app, () => portal.ask('revokeAppToken', { params: { id } }))),
  );
  // A credential with a token that was issued here ends with that token.
  const others = credentials
    .filter(({ service }) => service === 'remote')
    .map((one) => plannedOf(portal, one));
  return [...apps, ...others, ...(await tokensOf(portal))];
}

function plannedOf(portal: Portal, { name, provider, base_url: baseUrl }: CredentialView): Planned {
  return {
    kind: 'credential',
    name,
    service: baseUrl,
    page: tokenPageOf(provider, baseUrl),
    byPerson: !endsOnRequest(provider),
    end: () => portal.ask('endCredential', { params: { name } }),
  };
}

/** Those that work, or can work again. */
async function tokensOf(portal: Portal): Promise<Planned[]> {
  const found = new Map<string, Planned>();
  let after: string | undefined;
  let isLast = false;
  do {
    const page = await portal.ask('listTokens', {
      query: { status: 'Active,Suspended', limit: '200', ...(after === undefined ? {} : { after }) },
    });
    for (const { id, name } of page.tokens)
      found.set(
        id,
        ofOurs('token', name, () =>
          portal.ask('blacklistToken', { params: { id }, body: { reason: revokeAllText.reason } }),
        ),
      );
    // A service that answers the same page again has no other.
    isLast = page.next_after === null || page.next_after === after;
    after = page.next_after ?? undefined;
  } while (!isLast);
  return [...found.values()];
}

/** What is valid at this service only, which ends it at once. */
function ofOurs(kind: 'app' | 'token', name: string, end: () => Promise<unknown>): Planned {
  return {
    kind,
    name,
    service: null,
    page: null,
    byPerson: false,
    end: async () => {
      await end();
      return { outcome: 'ended', message: null };
    },
  };
}
