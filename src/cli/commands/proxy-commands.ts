import {
  AddProxyRule,
  AppLimits,
  AppName,
  IssueAppToken,
  type ProxyView,
} from '../../contract/credential/proxy.ts';
import { needsFolder, rulesInFolder } from '../../contract/credential/ready-rules.ts';
import {
  appListHead,
  appListRow,
  proxyCliText,
  proxyHelp,
  readyListHead,
  readyListRow,
  ruleListHead,
  ruleListRow,
} from '../../text/cli/cli-proxy.ts';
import { rightsQuestion } from '../../text/credential/proxy-text.ts';
import { wrongUsage } from '../command-failure.ts';
import { type CommandGroup, credentialName, customCommand, routeCommand } from '../command-table.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { formatTable } from '../format-table.ts';
import { durationMs, numberIn, valueOf } from '../option-values.ts';
import { openPortal, type Portal } from '../open-portal.ts';
import { askToAgree } from '../read-token.ts';
import { print, printJson, say } from '../terminal.ts';

interface RuleOptions extends GlobalOptions {
  readonly app?: string;
  readonly privateNetwork?: true;
  readonly scrub?: true;
  readonly under?: string;
  readonly yes?: true;
  readonly dryRun?: true;
  readonly json: boolean;
}

const appName = valueOf(AppName);

export const proxyCommands: CommandGroup = {
  help: proxyHelp,
  commands: {
    allow: customCommand({
      help: proxyHelp.allow,
      arguments: { ...credentialName, '[rule...]': proxyHelp.allow.rule },
      options: {
        '--under <folder>': proxyHelp.allow.under,
        '--app <name>': { help: proxyHelp.allow.app, read: appName },
        '--private-network': proxyHelp.allow.privateNetwork,
        '--scrub': proxyHelp.allow.scrub,
        '--yes': proxyHelp.allow.yes,
        '--dry-run': proxyHelp.allow.dryRun,
      },
      run: ({ name, rule, ...options }) => allow(name, rule, options),
    }),
    list: customCommand({
      help: proxyHelp.list,
      arguments: { '[name]': credentialName['<name>'] },
      run: ({ name, ...options }) => list(name, options),
    }),
    revoke: routeCommand({
      help: proxyHelp.revoke,
      arguments: { '<id>': proxyHelp.revoke.id },
      prepare({ id }) {
        if (!/^(?:rule|app)_/.test(id)) throw wrongUsage(proxyCliText.unknownId);
        return { isRule: id.startsWith('rule_') };
      },
      call: (portal, { id }, { isRule }) =>
        portal.ask(isRule ? 'removeProxyRule' : 'revokeAppToken', { params: { id } }),
      words: (_view, { id }, { isRule }) => (isRule ? proxyCliText.removed(id) : proxyCliText.revoked(id)),
    }),
    token: customCommand({
      help: proxyHelp.token,
      arguments: credentialName,
      options: {
        '--app <name>': { help: proxyHelp.token.app, read: appName, isRequired: true },
        '--expires-in <time>': { help: proxyHelp.token.expiresIn, read: durationMs },
        '--at-once <n>': { help: proxyHelp.token.atOnce, schema: AppLimits.shape.at_once, convert: numberIn },
        '--per-minute <n>': {
          help: proxyHelp.token.perMinute,
          schema: AppLimits.shape.per_minute,
          convert: numberIn,
        },
      },
      async run({ name, app, expiresIn: ms, atOnce: at_once, perMinute: per_minute, json, ...options }) {
        const seconds = IssueAppToken.shape.expires_in.safeParse(ms === undefined ? undefined : ms / 1000);
        if (!seconds.success) throw wrongUsage(`--expires-in ${seconds.error.issues[0]?.message ?? ''}`);
        const portal = openPortal(options);
        const issued = await portal.ask('issueAppToken', {
          params: { name },
          body: { app, expires_in: seconds.data, limits: { at_once, per_minute } },
        });
        if (json) {
          printJson(issued);
          return;
        }
        print(`ROTAVOX_PROXY_URL=${issued.url}`);
        print(`ROTAVOX_PROXY_TOKEN=${issued.token}`);
        say(proxyCliText.issued(issued, name, Date.now()));
        const { rules } = await portal.ask('readProxy', { params: { name } });
        if (rules.every((rule) => (rule.app ?? app) !== app)) say(proxyCliText.addRule(name));
      },
    }),
  },
};

async function allow(name: string, words: readonly string[], options: RuleOptions): Promise<void> {
  const wanted = words.join(' ').trim();
  // What is no rule is refused before anything is asked.
  const own = wanted === '' || setName.test(wanted) ? null : ruleIn(wanted, options);
  const portal = openPortal(options);
  if (own === null) {
    const { ready } = await portal.ask('readProxy', { params: { name } });
    if (wanted === '') showReady(name, ready, options);
    else await allowAll(portal, name, readyRules(name, wanted, ready, options), options);
  } else await allowAll(portal, name, [own], options);
}

/** Ready rules are called so; a rule has a method in capital letters and a path. */
const setName = /^[a-z][a-z0-9-]*$/;

async function allowAll(
  portal: Portal,
  name: string,
  rules: readonly AddProxyRule[],
  options: RuleOptions,
): Promise<void> {
  const tried = [];
  for (const rule of rules)
    tried.push({ rule, trial: await portal.ask('tryProxyRule', { params: { name }, body: rule }) });
  const trials = tried.map(({ trial }) => trial);
  const shown = trials.length === 1 ? { trial: trials[0] } : { trials };
  if (options.dryRun) {
    if (options.json) printJson(trials.length === 1 ? trials[0] : shown);
    else for (const trial of trials) print(proxyCliText.trial(trial));
    return;
  }
  const rights = [...new Set(trials.flatMap(({ names_rights }) => names_rights))];
  if (rights.length > 0) await agreeTo(rights, options);
  let view: ProxyView | null = null;
  for (const { rule, trial } of tried) {
    const body = trial.names_rights.length === 0 ? rule : { ...rule, confirmed: true };
    view = await portal.ask('addProxyRule', { params: { name }, body });
    if (options.json) continue;
    say(proxyCliText.added(rule, name));
    if (trial.requests > 0) say(proxyCliText.trial(trial));
  }
  if (options.json) printJson({ ...view, ...shown });
  else if (view?.tokens.length === 0) say(proxyCliText.addToken(name));
}

/** Says what the calls let an app do and asks; throws where the person does not agree, or cannot be asked. */
async function agreeTo(rights: readonly string[], { yes }: RuleOptions): Promise<void> {
  if (yes) return;
  say(rightsQuestion(rights));
  await askToAgree({ ...proxyCliText, ask: proxyCliText.agree });
}

function showReady(name: string, ready: ProxyView['ready'], { json }: RuleOptions): void {
  if (json) printJson({ ready });
  else if (ready.length === 0) say(proxyCliText.noneReady(name));
  else for (const line of formatTable(ready.map(readyListRow), readyListHead)) print(line);
}

function readyRules(
  name: string,
  id: string,
  ready: ProxyView['ready'],
  options: RuleOptions,
): AddProxyRule[] {
  const set = ready.find((one) => one.id === id);
  if (set === undefined) throw wrongUsage(proxyCliText.noReady(id, name));
  const { under = '' } = options;
  if (under !== '' && !needsFolder(set)) throw wrongUsage(proxyCliText.folderUnused(id));
  const rules = rulesInFolder(set, under);
  if (rules === null) throw wrongUsage(proxyCliText.folderMissing(id));
  return rules.map(({ method, path }) => ruleIn(`${method} ${path}`, options));
}

function ruleIn(text: string, { app, privateNetwork, scrub }: RuleOptions): AddProxyRule {
  const [method, path, ...rest] = text.split(/\s+/);
  if (method === undefined || path === undefined || rest.length > 0) throw wrongUsage(proxyCliText.ruleUsage);
  const parsed = AddProxyRule.safeParse({
    method: method.toUpperCase(),
    path,
    app: app ?? null,
    private_network: privateNetwork === true,
    ...(scrub === true ? { scrub } : {}),
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw wrongUsage(proxyCliText.invalid(String(issue?.path[0]), issue?.message));
}

async function list(
  name: string | undefined,
  { json, ...options }: GlobalOptions & { readonly json: boolean },
): Promise<void> {
  const portal = openPortal(options);
  const credentials =
    name === undefined
      ? (await portal.ask('listProxies')).credentials
      : [await portal.ask('readProxy', { params: { name } })];
  if (json) {
    printJson({ credentials });
    return;
  }
  if (credentials.length === 0) say(proxyCliText.none);
  for (const [at, { credential, url, rules, tokens }] of credentials.entries()) {
    if (at > 0) print('');
    print(`${credential}  ${url}`);
    if (rules.length === 0) say(proxyCliText.addRule(credential));
    else for (const line of formatTable(rules.map(ruleListRow), ruleListHead)) print(line);
    if (tokens.length === 0) say(proxyCliText.addToken(credential));
    else for (const line of formatTable(tokens.map(appListRow), appListHead)) print(line);
  }
}
