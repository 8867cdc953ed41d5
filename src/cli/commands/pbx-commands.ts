import { AddPbx, ChangedRules, DialplanKind, PbxEndpoint, RoutedType } from '../../contract/calls/pbx.ts';
import {
  configLines,
  pbxCheckRow,
  pbxCliText,
  pbxHelp,
  ringHelp,
  silentLines,
} from '../../text/cli/cli-calls.ts';
import { pbxTestText } from '../../text/calls/pbx-text.ts';
import { wrongUsage } from '../command-failure.ts';
import { type CommandGroup, routeCommand } from '../command-table.ts';
import { readings } from '../readings.ts';
import { readPbxPassword } from '../read-token.ts';

const { name: pbxName, url, user } = AddPbx.shape;

export const pbxCommands: CommandGroup = {
  help: pbxHelp,
  commands: {
    list: routeCommand({
      help: pbxHelp.list,
      ...readings['pbx/list'],
    }),
    add: routeCommand({
      help: pbxHelp.add,
      arguments: { '<name>': { help: pbxHelp.newName, schema: pbxName } },
      options: {
        '--url <url>': { help: pbxHelp.url, schema: url, isRequired: true },
        '--user <user>': { help: pbxHelp.user, schema: user, isRequired: true },
        '--insecure-http': pbxHelp.insecureHttp,
        '--dialplan <kind>': { help: pbxHelp.dialplan, schema: DialplanKind },
        '--route <rule>': { help: pbxHelp.route, read: ruleIn },
      },
      async call(portal, input) {
        const { name, insecureHttp = false, dialplan = 'freepbx', route: destinations = {} } = input;
        const password = await readPbxPassword(name);
        const body = {
          name,
          url: input.url,
          user: input.user,
          password,
          insecure_http: insecureHttp,
          dialplan,
          destinations,
        };
        return portal.ask('addPbx', { body });
      },
      words: ({ name }) => pbxCliText.added(name),
    }),
    test: routeCommand({
      help: pbxHelp.test,
      arguments: { '<name>': pbxHelp.name },
      call: (portal, { name }) => portal.ask('testPbx', { params: { name } }),
      rows: ({ checks }) => checks.map(pbxCheckRow),
      lines: ({ add, silent }) => [...add.flatMap(configLines), ...silentLines(silent)],
      failure(test, { json }) {
        if (test.checks.every(({ trouble }) => trouble === null)) return null;
        return json ? [] : [pbxTestText(test)];
      },
      words: pbxTestText,
    }),
    change: routeCommand({
      help: pbxHelp.change,
      arguments: { '<name>': pbxHelp.name },
      options: {
        '--url <url>': { help: pbxHelp.url, schema: url },
        '--user <user>': { help: pbxHelp.user, schema: user },
        '--password': pbxHelp.password,
        '--insecure-http': pbxHelp.insecureHttp,
        '--dialplan <kind>': { help: pbxHelp.dialplan, schema: DialplanKind },
        '--route <rule>': { help: pbxHelp.route, read: ruleIn },
      },
      async call(portal, input) {
        const { name, password, insecureHttp: insecure_http, dialplan, route: destinations } = input;
        const typed = password === undefined ? undefined : await readPbxPassword(name);
        const { url: address, user: login } = input;
        const body = { url: address, user: login, insecure_http, dialplan, destinations, password: typed };
        if (Object.values(body).every((value) => value === undefined))
          throw wrongUsage(pbxCliText.nothingToChange);
        return portal.ask('changePbx', { params: { name }, body });
      },
      words: ({ name }) => pbxCliText.changed(name),
    }),
    remove: routeCommand({
      help: pbxHelp.remove,
      arguments: { '<name>': pbxHelp.name },
      call: (portal, { name }) => portal.ask('removePbx', { params: { name } }),
      words: ({ name }) => pbxCliText.removed(name),
    }),
  },
};

/** `ivr ring`. */
export const ringCommand = routeCommand({
  help: ringHelp,
  arguments: { '<id>': ringHelp.id },
  options: {
    '--pbx <name>': { help: ringHelp.pbx, isRequired: true },
    '--endpoint <phone>': { help: ringHelp.endpoint, schema: PbxEndpoint, isRequired: true },
  },
  call: (portal, { id, pbx: name, endpoint }) =>
    portal.ask('ringPhone', {
      params: { name },
      body: { endpoint, menu: id.startsWith('draft_') ? { draft: id } : { ivr: id } },
    }),
  words: (_rings, { endpoint }) => pbxCliText.rings(endpoint),
});

/**
 * `voicemail=from-internal,*{id}`, or `timegroup=none`; the option may be given several times. `queue` is another word for
 * `department`, as in menus.
 */
function ruleIn(text: string, before: ChangedRules = {}): ChangedRules {
  const [, type = '', place = '', context = '', extension = ''] =
    /^([^=]*)=(none$|([^,]*),(.*)$)/.exec(text) ?? [];
  const routed = RoutedType.safeParse(type === 'queue' ? 'department' : type);
  if (!routed.success) throw wrongUsage(pbxCliText.routeUsage(RoutedType.options));
  const rule = ChangedRules.safeParse({ [routed.data]: place === 'none' ? null : { context, extension } });
  if (!rule.success) throw wrongUsage(pbxCliText.badRoute(rule.error.issues[0]?.message));
  return { ...before, ...rule.data };
}
