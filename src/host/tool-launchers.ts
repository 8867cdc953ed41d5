import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { programNameOf, sharedPrograms, toolsFolder } from '../contract/credential/connected-tools.ts';
import type { ConnectionRecord } from '../contract/credential/tool-connection.ts';
import { quotedShellWord } from '../contract/shell-word.ts';
import type { Ledger } from '../core/ledger.ts';
import type { Launchers } from '../service/service-context.ts';
import { privateFolder, replaceFile } from '../store/durable-file.ts';

interface LauncherOptions {
  readonly dataDir: string;
  readonly ledger: Pick<Ledger, 'state'>;
  /** The command line of this program, with absolute paths; null: there is none. */
  readonly program: readonly string[] | null;
}

/**
 * The programs that connected tools run: `<data>/tools/<id>`, or one with the name that a tool looks for, each a script of `sh` with absolute paths, because a tool that a desktop has started
 * finds neither Node nor Rotavox by name. Git for Windows runs it by its own `sh`.
 *
 * A path may change, for example when Node is updated: all of them are written again at each start.
 */
// see decisions/connections.md
export class ToolLaunchers implements Launchers {
  readonly #options: LauncherOptions;
  readonly #folder: string;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: LauncherOptions) {
    this.#options = options;
    this.#folder = join(options.dataDir, toolsFolder);
  }

  pathOf(connection: Pick<ConnectionRecord, 'tool' | 'id'>): string {
    return join(this.#folder, programNameOf(connection));
  }

  /** Writes those that differ, and removes those of no connection. One at a time. */
  write(): Promise<void> {
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const { dataDir, ledger, program } = this.#options;
    if (program === null) return;
    const connections = [...ledger.state.connections.values()];
    const folder = this.#folder;
    if (connections.length === 0 && !existsSync(folder)) return;
    await mkdir(folder, { recursive: true, mode: privateFolder });
    for (const connection of connections) {
      const path = this.pathOf(connection);
      const script = launcherScript(connection, [...program, '--data-dir', dataDir]);
      if ((await readFile(path, 'utf8').catch(() => null)) !== script)
        await replaceFile(path, async (file) => {
          await file.chmod(privateFolder);
          await file.writeFile(script);
        });
      await chmod(path, privateFolder);
    }
    const known = new Set(connections.map(programNameOf));
    const shared = Object.values(sharedPrograms);
    for (const name of await readdir(folder))
      if ((shared.includes(name) || /^con_[A-Za-z0-9]{12}$/.test(name)) && !known.has(name))
        await rm(join(folder, name));
  }
}

/** What a tool does not say itself: what it wants, and many not even for which address. */
const unsaid: Readonly<Record<string, (connection: ConnectionRecord) => readonly string[]>> = {
  cargo: () => ['get'],
  claude: () => ['get'],
  pnpm: getAddress,
  go: getAddress,
  codex: getAddress,
  headers: getAddress,
};

/** Without a slash at its end, behind which older versions of Go find no token (https://github.com/golang/go/issues/71889). */
function getAddress({ origin, path_prefix: prefix }: ConnectionRecord): readonly string[] {
  const path = prefix?.split('/').map(encodeURIComponent) ?? [];
  return ['get', [origin, ...path].join('/')];
}

/**
 * After a success git hands the token to `store`, and waits: answered here, that costs a thirtieth of a start of Node.
 */
function launcherScript(connection: ConnectionRecord, program: readonly string[]): string {
  const { tool } = connection;
  const store = tool === 'git' ? ['if [ "$1" = store ]; then while read -r _; do :; done; exit 0; fi'] : [];
  const words = [...program, 'helper', tool, ...(unsaid[tool]?.(connection) ?? [])];
  return [
    '#!/bin/sh',
    '# Written by Rotavox, which writes it again at each start.',
    ...store,
    `exec ${words.map(quotedShellWord).join(' ')} "$@"`,
    '',
  ].join('\n');
}
