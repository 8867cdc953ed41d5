import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { DeliveryTargetOf } from '../../contract/credential/credential.ts';
import { SentUser } from '../../contract/credential/tool-connection.ts';
import { connectHelp, connectProblem, connectText } from '../../text/cli/cli-connect.ts';
import { targetText } from '../../text/cli/cli-delivery.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import { commandIo } from '../command-io.ts';
import { customCommand } from '../command-table.ts';
import { type ConnectOptions, placeAt, portalHere } from '../connect/connect-tool.ts';
import { userSettingsOfNpm } from '../connect/pnpm-setup.ts';
import { homeFolder, withFiles } from '../connect/tool-setting.ts';
import { printJson, say } from '../terminal.ts';
import { addOne, requirePossible, showPreview } from './credential-target.ts';

/**
 * `connect pip` and `connect npm`: these tools ask no other program, so the token is written into their configuration: a target, at the place and
 * with the text that the tool reads.
 */
export const byFileCommands = {
  pip: customCommand({
    help: connectHelp.pip,
    arguments: { '<credential>': connectHelp.credential },
    options: {
      '--url <url>': connectHelp.pip.url,
      '--username <name>': { help: connectHelp.pip.username, schema: SentUser, usual: '__token__' },
      '--replace': connectHelp.pip.replace,
      '--dry-run': connectHelp.dryRun,
    },
    run: ({ credential, url, username, ...options }) =>
      connectByFile('pip', credential, pipTarget(placeOf('pip', credential, url), username), options),
  }),
  npm: customCommand({
    help: connectHelp.npm,
    arguments: { '<credential>': connectHelp.credential },
    options: {
      '--url <url>': connectHelp.npm.url,
      '--replace': connectHelp.npm.replace,
      '--dry-run': connectHelp.dryRun,
    },
    run: ({ credential, url, ...options }) =>
      connectByFile('npm', credential, npmTarget(placeOf('npm', credential, url)), options),
  }),
} as const;

type SettingTarget = DeliveryTargetOf<'setting'>;

async function connectByFile(
  tool: string,
  name: string,
  target: SettingTarget,
  { replace, dryRun, json, ...global }: Omit<ConnectOptions, 'url' | 'username'>,
): Promise<void> {
  const portal = portalHere(global);
  const { targets } = await portal.ask('readCredential', { params: { name } });
  const same = targets.find(
    ({ target: one }) => one.kind === 'setting' && one.path === target.path && one.key === target.key,
  );
  if (same !== undefined)
    throw new CommandFailure(exitCodes.failed, connectProblem.writtenAlready(tool, name, same.id));
  // No folder of pip is there before somebody has written a file; there is nothing to preview then.
  const folder = dirname(target.path);
  const preview = existsSync(folder)
    ? await portal.ask('previewTarget', { params: { name }, body: target })
    : null;
  if (preview !== null) {
    if (!json) showPreview(preview, { json });
    else requirePossible(preview);
    // Whose value it is, and what for, is not known: only a person may give it up.
    if (replace !== true && preview.lines.some(({ before }) => before !== null))
      throw new CommandFailure(exitCodes.failed, connectProblem.valueThere(preview.place, target.key));
  }
  if (dryRun) {
    if (json) printJson({ dry_run: true, target, preview });
    else if (preview === null) say(connectText.wouldMakeFile(target.path, target.key));
    else say(...targetText.preview(preview.message));
    return;
  }
  withFiles(() => mkdirSync(folder, { recursive: true, mode: 0o700 }));
  const added = await addOne(portal, name, target, { json });
  if (!json && added !== undefined) say(connectText.undoFile(tool, name, added.id));
}

/** An address that may get a token, as a URL. */
function placeOf(tool: string, credential: string, url: string | undefined): URL {
  if (url === undefined) throw wrongUsage(connectProblem.urlNeeded(tool, credential));
  if (placeAt(url) === null) throw wrongUsage(connectProblem.url);
  return new URL(url);
}

/** pip: "Configuration files"; the file of the user. */
function pipTarget({ protocol, host, pathname }: URL, username: string): SettingTarget {
  return {
    kind: 'setting',
    path: resolve(pipFile()),
    key: '[global]index-url',
    format: 'ini',
    template: `${protocol}//${encodeURIComponent(username)}:{token}@${host}${pathname}`,
    create: true,
  };
}

function pipFile(): string {
  const { env } = commandIo();
  const named = env['PIP_CONFIG_FILE'] ?? '';
  if (named !== '') return named;
  if (process.platform === 'win32') return join(env['APPDATA'] ?? homeFolder(), 'pip', 'pip.ini');
  const ofMac = join(homeFolder(), 'Library', 'Application Support', 'pip');
  if (process.platform === 'darwin' && existsSync(ofMac)) return join(ofMac, 'pip.conf');
  const config = process.platform === 'darwin' ? '' : (env['XDG_CONFIG_HOME'] ?? '');
  return join(config === '' ? join(homeFolder(), '.config') : config, 'pip', 'pip.conf');
}

/** npm: ".npmrc", "Auth related configuration": the address without its scheme, with a slash at its end. */
function npmTarget({ host, pathname }: URL): SettingTarget {
  return {
    kind: 'setting',
    path: resolve(userSettingsOfNpm()),
    key: `//${host}${pathname}${pathname.endsWith('/') ? '' : '/'}:_authToken`,
    format: 'ini',
    create: true,
  };
}
