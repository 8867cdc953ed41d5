import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import type { CheckLine, FileChange, LinesByHand } from '../../contract/credential/tool-command.ts';
import { idOfDryRun, sendsUser } from '../../contract/credential/connected-tools.ts';
import {
  ConnectionId,
  type ToolConnection,
  type ToolSetting,
} from '../../contract/credential/tool-connection.ts';
import { type ParseUrl, readPlace } from '../../core/connection/match-connection.ts';
import { usualPlace } from '../../core/connection/usual-place.ts';
import {
  changeLines,
  connectProblem,
  connectText,
  fileChange,
  handLines,
  undoingChange,
} from '../../text/cli/cli-connect.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import { commandIo } from '../command-io.ts';
import { openPortal, type Portal } from '../open-portal.ts';
import { print, printJson, say } from '../terminal.ts';
import { checkConnection, launcherOf } from './check-connection.ts';
import type { HandSetup } from './hand-setups.ts';
import {
  type ConnectedPlace,
  makeSetting,
  type OtherHelper,
  plannedSetting,
  type SettingState,
  type ToolSetup,
  undoSetting,
  type WantedSetting,
  withFiles,
  settingState,
} from './tool-setting.ts';
import { setupOf } from './tool-setups.ts';
import { isDeepStrictEqual } from 'node:util';
import { placeAddress } from './git-setup.ts';

/**
 * Connecting a tool: what would be changed, the connection itself, and taking it back. `connect-commands.ts` has the commands; an import of
 * tokens does the same for each token that a tool has in a file of its own.
 */

export interface ConnectOptions extends GlobalOptions {
  readonly url?: string;
  readonly username?: string;
  readonly scheme?: ToolConnection['scheme'];
  readonly replace?: true;
  readonly dryRun?: true;
  readonly json: boolean;
}

export async function connect(
  setup: ToolSetup | HandSetup,
  credential: string,
  options: ConnectOptions,
): Promise<void> {
  const { replace, dryRun, json, ...global } = options;
  const portal = portalHere(global);
  const one = await portal.ask('readCredential', { params: { name: credential } });
  const usual = usualPlace(setup.tool, one, parseUrl);
  const written = options.url ?? usual.url;
  if (written === undefined) throw wrongUsage(connectProblem.urlNeeded(setup.tool, credential));
  const url = 'address' in setup ? setup.address(written) : written;
  const at = placeAt(url);
  if (at === null) throw wrongUsage(connectProblem.url);
  const mayReplace = replace === true;
  const former = await sameAs(portal, setup, at);
  // What takes the place of a connection sends the token as that did.
  const kept = mayReplace ? former?.scheme : undefined;
  const scheme = options.scheme ?? kept ?? setup.usualScheme ?? 'basic';
  await setup.require({ ...at, scheme, mayReplace });
  const username = options.username ?? usual.username ?? (await usualUser(setup, at));
  if (username === null) throw wrongUsage(connectProblem.userNeeded(credential));
  const planned = await planConnection(
    portal,
    setup,
    { url, at, username, scheme },
    { former, mayReplace, isDryRun: dryRun === true, options: global },
  );
  const { setting, changes, byHand, others, launcher } = planned;
  if (!json) {
    for (const line of [...changes.flatMap(changeLines), ...(byHand === null ? [] : handLines(byHand))])
      print(line);
    say(...connectText.othersBefore(setup.tool, others));
  }
  const shown = { changes, by_hand: byHand, other_helpers: others };
  if (dryRun) {
    if (json) printJson({ dry_run: true, setting, ...shown });
    else say(connectText.dryRun);
    return;
  }
  const { connection, link, checks } = await planned.make(credential);
  if (json) printJson({ connection, ...shown, checks });
  else {
    if (link !== null) say(connectText.linked(link, launcher));
    say('lines' in setup ? connectText.connectedByHand(connection) : connectText.connected(connection));
    for (const line of checks) print(connectText.checkLine(line));
    say(connectText.undo(connection));
  }
  if (checks.some(({ passes }) => passes === false))
    throw new CommandFailure(exitCodes.failed, connectProblem.checksFail);
}

async function usualUser(setup: ToolSetup | HandSetup, at: ConnectedPlace): Promise<string | null> {
  // They send none.
  if ('lines' in setup) return sendsUser(setup.tool) ? null : '-';
  return (await setup.usualUser?.(at)) ?? null;
}

const parseUrl: ParseUrl = (address) => URL.parse(address);

/** Where an address is, as connections have it; null: no token may be handed out for it. */
export function placeAt(url: string): ConnectedPlace | null {
  const place = readPlace(url, parseUrl);
  if (place === null) return null;
  const prefix = place.segments.length === 0 ? {} : { path_prefix: place.segments.join('/') };
  return { origin: place.origin, ...prefix };
}

interface WantedConnection extends Pick<ToolConnection, 'username' | 'scheme'> {
  readonly url: string;
  readonly at: ConnectedPlace;
}

/** What connecting changes and shows. */
interface PlannedSetting {
  readonly setting: ToolSetting;
  /** In their order: one that is replaced is taken back first. */
  readonly changes: readonly FileChange[];
  /** Null where the files are changed. */
  readonly byHand: LinesByHand | null;
  /** The programs that the tool will not ask for this place. */
  readonly others: readonly OtherHelper[];
}

/** A connection that can be made: what would be written, and where. */
export interface PlannedConnection extends PlannedSetting {
  readonly id: ConnectionId;
  readonly launcher: string;
  /** Makes the setting, records it for a credential and checks it, as `checkConnection` does. */
  make(credential: string, how?: { readonly onlyTool: boolean }): Promise<MadeConnection>;
}

interface MadeConnection {
  readonly connection: ToolConnection;
  /** The link by which the tool finds the program, if it needs one. */
  readonly link: string | null;
  readonly checks: readonly CheckLine[];
}

/** Plans a connection; nothing is written. Rejects where the tool is connected there already and may not be replaced. */
export async function planConnection(
  portal: Portal,
  setup: ToolSetup | HandSetup,
  { url, at, username, scheme }: WantedConnection,
  {
    former: replaced,
    mayReplace,
    isDryRun,
    options,
    id: planned,
  }: {
    /** The same tool at the same address, if it is connected there already (`sameAs`). */
    readonly former: ToolConnection | undefined;
    readonly mayReplace: boolean;
    readonly isDryRun: boolean;
    readonly options: GlobalOptions;
    /** Of the same connection, planned before. */
    readonly id?: ConnectionId;
  },
): Promise<PlannedConnection> {
  if (replaced !== undefined && !mayReplace)
    throw new CommandFailure(exitCodes.failed, connectProblem.exists(replaced));
  // One that is replaced keeps its id, and with it the program that the tool runs.
  const id = replaced?.id ?? planned ?? (isDryRun ? ConnectionId.parse(idOfDryRun) : newId());
  const launcher = launcherOf({ tool: setup.tool, id }, options);
  const { makeFor, ...shown } =
    'lines' in setup
      ? planByHand(setup, { launcher, at })
      : await planFile(portal, setup, { at, how: { launcher, username, mayReplace }, id, replaced });
  return {
    ...shown,
    id,
    launcher,
    async make(credential, how) {
      const body = {
        ...{ id, credential, tool: setup.tool, url, username, scheme, setting: shown.setting },
        ...(replaced === undefined ? {} : { replaces: id }),
      };
      const connection = await makeFor(() => portal.ask('addConnection', { body }));
      const link = 'lines' in setup ? null : makeLink(setup, launcher);
      const checks = await checkConnection(portal, connection, { setup, launcher, ...how });
      return { connection, link, checks };
    },
  };
}

type Making = PlannedSetting & {
  /** Makes the setting, and records it. */
  readonly makeFor: (record: () => Promise<ToolConnection>) => Promise<ToolConnection>;
};

/** No file is changed. */
const noSetting: ToolSetting = { file: '', text: '', before: '', is_new_file: false };

function planByHand(
  setup: HandSetup,
  { launcher, at }: { readonly launcher: string; readonly at: ConnectedPlace },
): Making {
  return {
    setting: noSetting,
    changes: [],
    byHand: setup.lines(launcher, at),
    others: [],
    makeFor: (record) => record(),
  };
}

async function planFile(
  portal: Portal,
  setup: ToolSetup,
  {
    at,
    how,
    id,
    replaced,
  }: {
    readonly at: ConnectedPlace;
    readonly how: WantedSetting;
    readonly id: ConnectionId;
    readonly replaced: ToolConnection | undefined;
  },
): Promise<Making> {
  const add = await setup.plan(at, how);
  const shared = setup.isShared === true ? await another(portal, setup.tool, replaced) : undefined;
  const file = resolve(setup.file());
  const setting = shared?.setting ?? plannedSetting(setup, { file, add, replaced });
  const undone = replaced === undefined ? [] : [undoingChange(replaced.setting)];
  return {
    setting,
    changes: [...undone, fileChange(setting)],
    byHand: null,
    others: await setup.othersBefore(at, how.launcher),
    makeFor: (record) => makeSetting({ id, ...at, setting }, setup, { add, replaced, record }),
  };
}

/** The link that the tool needs; null for none. Where it cannot be made, that is said, and a check of it fails. */
export function makeLink(setup: ToolSetup, launcher: string): string | null {
  try {
    return withFiles(() => setup.link?.(launcher) ?? null);
  } catch (error) {
    sayFailure(error);
    return null;
  }
}

/** The same tool at the same address, if it is connected there already. */
export async function sameAs(
  portal: Portal,
  { tool }: Pick<ToolSetup, 'tool'>,
  { origin, path_prefix: prefix }: ConnectedPlace,
): Promise<ToolConnection | undefined> {
  const { connections } = await portal.ask('listConnections');
  return connections.find((one) => one.tool === tool && one.origin === origin && one.path_prefix === prefix);
}

/** A connection of the same tool, apart from one. */
async function another(
  portal: Portal,
  tool: string,
  but?: ToolConnection,
): Promise<ToolConnection | undefined> {
  const { connections } = await portal.ask('listConnections');
  return connections.find((one) => one.tool === tool && one.id !== but?.id);
}

/** Whether its setting stays without it. */
export async function isNeeded(portal: Portal, connection: ToolConnection): Promise<boolean> {
  const setup = setupOf(connection);
  if ('lines' in setup || setup.isShared !== true) return false;
  return (await another(portal, connection.tool, connection)) !== undefined;
}

/** What was found with a setting: `shared` for one that other connections need, `by_hand` for one that a person has made. */
export type UndoneState = SettingState | 'shared' | 'by_hand';

/** The setting first: a tool whose program is gone would fail until a person edits its file. */
export async function disconnect(
  portal: Portal,
  connection: ToolConnection,
  options: GlobalOptions,
): Promise<UndoneState> {
  const { id, tool } = connection;
  const setup = setupOf(connection);
  if ('lines' in setup) {
    await portal.ask('removeConnection', { params: { id } });
    return 'by_hand';
  }
  const left = (await isNeeded(portal, connection)) ? 'shared' : undoSetting(connection, setup);
  await portal.ask('removeConnection', { params: { id } });
  if ((await another(portal, tool)) === undefined)
    withFiles(() => setup.unlink?.(launcherOf(connection, options)));
  return left;
}

/** Files of this machine are changed, for the service of this machine. */
export function portalHere(options: GlobalOptions): Portal {
  if (!isHere(options)) throw wrongUsage(connectProblem.notHere);
  return openPortal(options);
}

/** Whether the service of this machine is meant. */
export function isHere({ host, dataDir }: GlobalOptions): boolean {
  const { ROTAVOX_HOST: usual = '' } = commandIo().env;
  const named = host ?? (dataDir === undefined ? usual : '');
  return named === '' || named === 'none';
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function newId(): ConnectionId {
  const random = Array.from({ length: 12 }, () => letters[randomInt(letters.length)]);
  return ConnectionId.parse(`con_${random.join('')}`);
}

/**
 * Adds what is missing to the file as it is now, also where a replacement was cut off and the former setting is there. Where that is refused,
 * the others are repaired all the same.
 */
export async function repairSetting(
  portal: Portal,
  connection: ToolConnection,
  { setup, launcher }: { readonly setup: ToolSetup; readonly launcher: string },
): Promise<void> {
  const { username, setting: recorded } = connection;
  try {
    const state = settingState(connection, setup);
    const isEdited =
      state === 'edited' && (await setup.checkPlace(connection, launcher)).every(({ passes }) => passes);
    if (state === 'made' || isEdited) return;
    const add = await setup.plan(connection, { launcher, username, mayReplace: false });
    const setting =
      state === 'missing'
        ? plannedSetting(setup, { file: recorded.file, add, replaced: connection })
        : recorded;
    const record = () => recordSetting(portal, connection, { ...setup, setting });
    await makeSetting({ ...connection, setting }, setup, { add, replaced: connection, record });
  } catch (error) {
    sayFailure(error);
  }
}

/** Records a setting that is added to another file than before, such as one that is new. One without a credential can only be taken back. */
async function recordSetting(
  portal: Portal,
  { id, credential, username, scheme, setting: before, ...place }: ToolConnection,
  { tool, setting }: Pick<ToolSetup, 'tool'> & { readonly setting: ToolSetting },
): Promise<void> {
  if (credential === '' || isDeepStrictEqual(setting, before)) return;
  const body = { id, credential, tool, url: placeAddress(place), username, scheme, setting, replaces: id };
  await portal.ask('addConnection', { body });
}

/** Says why a step failed that the others do not need. */
function sayFailure(error: unknown): void {
  if (!(error instanceof CommandFailure)) throw error;
  say(...error.lines);
}
