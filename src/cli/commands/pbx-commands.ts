import type { Command } from 'commander';
import { AddPbx, ChangedRules, PbxEndpoint, RoutedType } from '../../contract/pbx.ts';
import {
  configLines,
  pbxCheckRow,
  pbxCliText,
  pbxHelp,
  pbxRow,
  ringHelp,
  silentLines,
} from '../../text/cli-pbx.ts';
import { pbxTestText } from '../../text/pbx-text.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { formatTable } from '../format-table.ts';
import { valueOf } from '../option-values.ts';
import { openPortal } from '../open-portal.ts';
import { readPbxPassword } from '../read-token.ts';
import { print, printJson, say } from '../terminal.ts';

type JsonOptions = GlobalOptions & { readonly json?: true };

interface PbxOptions extends JsonOptions {
  readonly url?: string;
  readonly user?: string;
  readonly insecureHttp?: boolean;
  readonly route?: ChangedRules;
  readonly password?: true;
}

const { name: nameSchema, url, user } = AddPbx.shape;

export function pbxAddCommand(pbx: Command): void {
  addCommand(pbx, 'add', pbxHelp.add)
    .argument('<name>', pbxHelp.newName, valueOf(nameSchema))
    .requiredOption('--url <url>', pbxHelp.url, valueOf(url))
    .requiredOption('--user <user>', pbxHelp.user, valueOf(user))
    .option('--insecure-http', pbxHelp.insecureHttp)
    .option('--route <rule>', pbxHelp.route, ruleIn)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<PbxOptions & { url: string; user: string }>();
      const portal = openPortal(options); // first: no password is asked for when the service does not run
      const body = {
        name,
        url: options.url,
        user: options.user,
        password: await readPbxPassword(name),
        insecure_http: options.insecureHttp === true,
        destinations: options.route ?? {},
      };
      const view = await portal.ask('addPbx', { body });
      if (options.json) printJson(view);
      else say(pbxCliText.added(view.name));
    });
}

export function pbxChangeCommand(pbx: Command): void {
  addCommand(pbx, 'change', pbxHelp.change)
    .argument('<name>', pbxHelp.name)
    .option('--url <url>', pbxHelp.url, valueOf(url))
    .option('--user <user>', pbxHelp.user, valueOf(user))
    .option('--password', pbxHelp.password)
    .option('--insecure-http', pbxHelp.insecureHttp)
    .option('--route <rule>', pbxHelp.route, ruleIn)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<PbxOptions>();
      const portal = openPortal(options);
      const body = {
        ...(options.url === undefined ? {} : { url: options.url }),
        ...(options.user === undefined ? {} : { user: options.user }),
        ...(options.insecureHttp === undefined ? {} : { insecure_http: options.insecureHttp }),
        ...(options.route === undefined ? {} : { destinations: options.route }),
        ...(options.password === undefined ? {} : { password: await readPbxPassword(name) }),
      };
      if (Object.keys(body).length === 0) throw wrongUsage(pbxCliText.nothingToChange);
      const view = await portal.ask('changePbx', { params: { name }, body });
      if (options.json) printJson(view);
      else say(pbxCliText.changed(view.name));
    });
}

export function pbxTestCommand(pbx: Command): void {
  addCommand(pbx, 'test', pbxHelp.test)
    .argument('<name>', pbxHelp.name)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<JsonOptions>();
      const test = await openPortal(options).ask('testPbx', { params: { name } });
      const isReady = test.checks.every(({ trouble }) => trouble === null);
      if (options.json) {
        printJson(test);
        if (!isReady) throw new CommandFailure(exitCodes.failed, []);
        return;
      }
      for (const line of formatTable(test.checks.map(pbxCheckRow))) print(line);
      for (const line of test.add.flatMap(configLines)) print(line);
      for (const line of silentLines(test.silent)) print(line);
      if (!isReady) throw new CommandFailure(exitCodes.failed, [pbxTestText(test)]);
      say(pbxTestText(test));
    });
}

export function pbxListCommand(pbx: Command): void {
  addCommand(pbx, 'list', pbxHelp.list)
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<JsonOptions>();
      const list = await openPortal(options).ask('listPbxs');
      if (options.json) printJson(list);
      else if (list.pbxs.length === 0) say(pbxCliText.none);
      else for (const line of formatTable(list.pbxs.map(pbxRow), pbxCliText.columns)) print(line);
    });
}

export function pbxRemoveCommand(pbx: Command): void {
  addCommand(pbx, 'remove', pbxHelp.remove)
    .argument('<name>', pbxHelp.name)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<JsonOptions>();
      const removed = await openPortal(options).ask('removePbx', { params: { name } });
      if (options.json) printJson(removed);
      else say(pbxCliText.removed(removed.name));
    });
}

export function ivrRingCommand(ivr: Command): void {
  addCommand(ivr, 'ring', ringHelp)
    .argument('<id>', ringHelp.id)
    .requiredOption('--pbx <name>', ringHelp.pbx)
    .requiredOption('--endpoint <phone>', ringHelp.endpoint, valueOf(PbxEndpoint))
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<JsonOptions & { pbx: string; endpoint: string }>();
      const { pbx: name, endpoint } = options;
      const menu = id.startsWith('draft_') ? { draft: id } : { ivr: id };
      const rings = await openPortal(options).ask('ringPhone', {
        params: { name },
        body: { endpoint, menu },
      });
      if (options.json) printJson(rings);
      else say(pbxCliText.rings(endpoint));
    });
}

/** `voicemail=from-internal,*{id}`, or `timegroup=none`; the option may be given several times. */
function ruleIn(text: string, before: ChangedRules = {}): ChangedRules {
  const [, type = '', place = '', context = '', extension = ''] =
    /^([^=]*)=(none$|([^,]*),(.*)$)/.exec(text) ?? [];
  const routed = RoutedType.safeParse(type);
  if (!routed.success) throw wrongUsage(pbxCliText.routeUsage(RoutedType.options));
  const rule = ChangedRules.safeParse({ [routed.data]: place === 'none' ? null : { context, extension } });
  if (!rule.success) throw wrongUsage(pbxCliText.badRoute(rule.error.issues[0]?.message));
  return { ...before, ...rule.data };
}
