import { type AskPortal, type Ended, type EndItem, planRevocation } from '../../client/revocation.ts';
import { endAllReason } from '../../text/token/end-all.ts';
import { revokeAllHelp, revokeAllText } from '../../text/token/revoke-all-text.ts';
import { customCommand } from '../command-table.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { openPortal } from '../open-portal.ts';
import { askToAgree } from '../read-token.ts';
import { print, printJson, say } from '../terminal.ts';

interface RevokeOptions extends GlobalOptions {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json: boolean;
}

export const revokeAllCommand = customCommand({
  help: revokeAllHelp,
  options: { '--dry-run': revokeAllHelp.dryRun, '--yes': revokeAllHelp.yes },
  run: revokeAll,
});

async function revokeAll(options: RevokeOptions): Promise<void> {
  const portal = openPortal(options);
  const ask: AskPortal = (name, ...input) => portal.ask(name, ...input);
  const plan = await planRevocation(ask, endAllReason);
  if (!options.json) showPlan(plan);
  if (options.dryRun || plan.length === 0) {
    if (options.json) printJson({ planned: plan.map(asJson) });
    else if (plan.length > 0) say(revokeAllText.dryRun);
    return;
  }
  if (!options.yes) await askToAgree(revokeAllText);
  const results: (EndItem & Ended)[] = [];
  for (const item of plan) {
    const ended = await item.end(ask).catch(whyAlive);
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

function showPlan(plan: readonly EndItem[]): void {
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

function asJson({ kind, name, service, page, byPerson }: EndItem) {
  return { kind, name, service, page, by_person: byPerson };
}

/** What fails is said at its place, and the others are ended all the same. */
function whyAlive(error: unknown): Ended {
  if (error instanceof CommandFailure) return { outcome: 'alive', message: error.message };
  throw error;
}
