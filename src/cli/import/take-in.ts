/**
 * Takes in one token after the other, as it was shown. Each credential is added first, so that its token is in the vault before anything
 * else is touched; a plain copy goes last, when the tool has got the token in the new way.
 */
import { isDeepStrictEqual } from 'node:util';
import type { AddCredential } from '../../contract/credential/credential.ts';
import type { ImportItem, TokenUse } from '../../core/credential/plan-import.ts';
import { importText } from '../../text/cli/cli-import.ts';
import { connectText } from '../../text/cli/cli-connect.ts';
import { receiptLine } from '../../text/cli/cli-delivery.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { CommandFailure } from '../command-failure.ts';
import { checkConnection, launcherOf } from '../connect/check-connection.ts';
import {
  disconnect,
  placeAt,
  planConnection,
  type PlannedConnection,
  sameAs,
} from '../connect/connect-tool.ts';
import { dockerSetup, withoutPassword } from '../connect/docker-setup.ts';
import { gitSetup } from '../connect/git-setup.ts';
import { asBytes, asText, changeFile, readBytes, type ToolSetup } from '../connect/tool-setting.ts';
import type { Portal } from '../open-portal.ts';
import { withoutGitLogin } from './stored-logins.ts';

type ConnectionUse = Extract<TokenUse, { kind: 'connection' }>;

const setups: Readonly<Record<ConnectionUse['tool'], ToolSetup>> = { git: gitSetup, docker: dockerSetup };

/** An item that can be done, with the setting of its tool if it needs one. */
export interface Step {
  readonly item: ImportItem;
  readonly planned: PlannedConnection | null;
}

/** What became of it: sentences about it. */
export interface TakenIn {
  readonly ok: boolean;
  readonly lines: readonly string[];
}

/** The setting that the tool of a file gets; null where it has one already. Rejects where it cannot have one. */
export async function plannedFor(
  portal: Portal,
  { found: { use }, isConnected }: ImportItem,
  how: Pick<Parameters<typeof planConnection>[3], 'isDryRun' | 'id' | 'options'>,
): Promise<PlannedConnection | null> {
  if (use.kind === 'target' || isConnected) return null;
  const setup = setups[use.tool];
  const at = placeAt(use.url);
  if (at === null) return null;
  // The password that is in the way is the one that is taken in.
  await setup.require({ ...at, scheme: 'basic', mayReplace: true });
  const wanted = { url: use.url, at, username: use.username, scheme: 'basic' } as const;
  const former = await sameAs(portal, setup, at);
  return planConnection(portal, setup, wanted, { ...how, former, mayReplace: false });
}

export class TakingIn {
  readonly #portal: Portal;
  readonly #file: string;
  readonly #body: Omit<AddCredential, 'name' | 'value' | 'base_url' | 'provider'>;
  readonly #options: GlobalOptions;
  /** As it was shown, or as the step before has left it. */
  #content: string | null;
  readonly #failed = new Set<string>();
  readonly #added = new Set<string>();

  constructor(
    portal: Portal,
    {
      file,
      content,
      body,
      options,
    }: {
      readonly file: string;
      readonly content: Buffer;
      /** What a person has said of each new credential. */
      readonly body: Omit<AddCredential, 'name' | 'value' | 'base_url' | 'provider'>;
      readonly options: GlobalOptions;
    },
  ) {
    this.#portal = portal;
    this.#file = file;
    this.#content = content.toString('latin1');
    this.#body = body;
    this.#options = options;
  }

  async take({ item, planned }: Step): Promise<TakenIn> {
    try {
      if (readBytes(this.#file) !== this.#content)
        return { ok: false, lines: [importText.changedMeanwhile(this.#file)] };
      if (this.#failed.has(item.credential))
        return { ok: false, lines: [importText.notAdded(item.credential)] };
      await this.#add(item);
      return item.found.use.kind === 'target'
        ? await this.#addTarget(item)
        : await this.#connect(item, item.found.use, planned);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      return { ok: false, lines: error.lines };
    }
  }

  async #add({ credential, isNew, provider, baseUrl, found }: ImportItem): Promise<void> {
    if (!isNew || this.#added.has(credential)) return;
    try {
      await this.#portal.ask('addCredential', {
        body: { name: credential, value: found.token, provider, base_url: baseUrl, ...this.#body },
      });
      this.#added.add(credential);
    } catch (error) {
      this.#failed.add(credential);
      throw error;
    }
  }

  async #addTarget({ credential, found: { use } }: ImportItem): Promise<TakenIn> {
    if (use.kind !== 'target') return { ok: true, lines: [] };
    const { targets } = await this.#portal.ask('addTarget', {
      params: { name: credential },
      body: use.target,
    });
    const added = targets.findLast(({ target }) => isDeepStrictEqual(target, use.target));
    return added?.status === 'failing'
      ? { ok: false, lines: [receiptLine(added)] }
      : { ok: true, lines: [importText.doneTarget(credential)] };
  }

  async #connect(item: ImportItem, use: ConnectionUse, shown: PlannedConnection | null): Promise<TakenIn> {
    const { credential, found } = item;
    const lines: string[] = [];
    if (shown === null) {
      // A connection of before, whose setting may be gone since, or was never made because the program was ended.
      const failed = await this.#failedChecks(use);
      if (failed === null || failed.length > 0)
        return { ok: false, lines: [...(failed ?? []), importText.notUsed(use.tool, this.#file)] };
    } else {
      // Again, because a step before may have changed the same configuration.
      const how = { isDryRun: false, id: shown.id, options: this.#options };
      const planned = await plannedFor(this.#portal, item, how);
      // The tool had this token before: what its service or another tool says of it is no reason to leave it where it was.
      const made = await planned?.make(credential, { onlyTool: true });
      const failed = made?.checks.filter(({ passes }) => passes === false) ?? [];
      if (made !== undefined && failed.length > 0) {
        await disconnect(this.#portal, made.connection, this.#options);
        this.#content = readBytes(this.#file);
        return {
          ok: false,
          lines: [...failed.map(({ text }) => text), importText.undone(use.tool, credential)],
        };
      }
      if (made !== undefined && made.link !== null) lines.push(connectText.linked(made.link, shown.launcher));
    }
    const before = readBytes(this.#file);
    changeFile(this.#file, (content) => (content === null ? null : withoutCopy(content, use, found.token)));
    this.#content = readBytes(this.#file);
    return this.#content === before
      ? { ok: false, lines: [importText.staysInFile(this.#file)] }
      : { ok: true, lines: [importText.doneConnection(credential, use.tool), ...lines] };
  }

  /** Why a tool does not get the token by the connection that it has; null: it has none any more. */
  async #failedChecks({ tool, url }: ConnectionUse): Promise<readonly string[] | null> {
    const [setup, at] = [setups[tool], placeAt(url)];
    const connection = at === null ? undefined : await sameAs(this.#portal, setup, at);
    if (connection === undefined) return null;
    const how = { setup, launcher: launcherOf(connection, this.#options), onlyTool: true };
    const checks = await checkConnection(this.#portal, connection, how);
    return checks.flatMap(({ passes, text }) => (passes === false ? [text] : []));
  }
}

function withoutCopy(content: string, { tool, url, username }: ConnectionUse, token: string): string {
  if (tool === 'docker') return withoutPassword(content, { url, password: token });
  const text = asText(content);
  return asBytes(withoutGitLogin(text, { url, username, password: token }));
}
