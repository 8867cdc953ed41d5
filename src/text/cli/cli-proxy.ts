import {
  type AddProxyRule,
  type AppToken,
  defaultAppTokenSeconds,
  type NewAppToken,
  type ProxyView,
  type RuleTrial,
} from '../../contract/credential/proxy.ts';
import type { CommandHelp } from './cli.ts';
import { countWords } from '../count.ts';
import { readyTitle, ruleText, tooWideText, trialText } from '../credential/proxy-text.ts';
import { localTime, timeLeft } from '../time.ts';

/** What the `proxy` commands say. */

export const proxyHelp = {
  description:
    'Let apps use a credential without having its token: they send a token of their own to the proxy, which sends allowed requests on.',
  examples: [
    'rotavox proxy allow gitlab read-projects',
    'rotavox proxy token gitlab --app backup-script',
    'rotavox proxy list',
  ],
  allow: {
    description:
      'Add a rule: which requests may be sent. Without a rule every request is refused. Without an argument the ready rules of the service are listed.',
    examples: [
      'rotavox proxy allow gitlab',
      'rotavox proxy allow gitlab read-projects',
      'rotavox proxy allow vault read-secrets --under secret/team',
      "rotavox proxy allow gitlab 'POST /api/v4/projects/*/issues' --app coding-agent",
      "rotavox proxy allow gitlab 'GET /api/v4/**' --dry-run",
    ],
    rule: 'the name of ready rules, or a method and a path: after the second segment * is one segment, ** any number of them, but neither covers what names credentials; GET allows HEAD, too',
    under: 'the folder of ready rules that need one: a mount and a folder there',
    yes: 'agree without a question to a path that names credentials or rights',
    app: 'only for the app of this name (default: every app with a token of the credential)',
    privateNetwork: 'the name of the service may lead to an address of a private network',
    scrub:
      'remove the token from the text of answers, for services that may send it back (headers are always searched)',
    dryRun: 'only show what the rule would have allowed of the requests of the last 24 hours',
  },
  list: {
    description: 'List rules, app tokens and who used what.',
    examples: ['rotavox proxy list', 'rotavox proxy list gitlab --json'],
  },
  revoke: {
    description: 'Remove a rule (rule_…) or revoke an app token (app_…), at once.',
    examples: ['rotavox proxy revoke app_…'],
    id: 'an id, as `rotavox proxy list` shows it',
  },
  token: {
    description:
      'Issue a token with which one app may use one credential through the proxy. It is printed now and cannot be shown again.',
    examples: [
      'rotavox proxy token gitlab --app coding-agent',
      'rotavox proxy token gitlab --app nightly --expires-in 30d --json',
    ],
    app: 'the name of the app, as the list of uses shows it',
    expiresIn: `how long it works, such as 30m, 8h or 30d (default: ${defaultAppTokenSeconds / 3600}h)`,
    atOnce: 'how many requests it may have open at once (default: 64)',
    perMinute: 'how many requests it may send in a minute (default: 6000)',
  },
} as const satisfies CommandHelp & Record<string, unknown>;

export const proxyCliText = {
  ruleUsage: "A rule is a method and a path, such as 'GET /api/v4/**', or the name of ready rules.",
  noReady: (id: string, name: string) =>
    `${name} has no ready rules “${id}”. Their names: \`rotavox proxy allow ${name}\``,
  noneReady: (name: string) =>
    `No ready rules are known for ${name}. Write a method and a path: \`rotavox proxy allow ${name} 'GET /api/v4/items'\``,
  folderMissing: (id: string) => `${id} needs a mount and a folder in it, such as \`--under secret/team\`.`,
  folderUnused: (id: string) => `${id} has no folder: leave --under out.`,
  agree: 'Allow these calls?',
  noTerminal: 'Nobody can be asked here. Add --yes to agree.',
  notAgreed: 'Nothing was added.',
  invalid: (field: string, rule: string | undefined) => `The ${field} of the rule ${rule ?? 'is not valid'}.`,
  unknownId: 'The id of a rule begins with rule_, that of an app token with app_.',
  trial: (trial: RuleTrial) => trialText(trial),
  added: (rule: AddProxyRule, name: string) => `Apps of ${name} may send ${ruleText(rule)}.`,
  addToken: (name: string) => `No app has a token yet. Issue one: \`rotavox proxy token ${name} --app NAME\``,
  removed: (id: string) => `${id} is removed.`,
  revoked: (id: string) => `${id} is revoked. Requests with it are refused.`,
  issued: ({ app, expires_at }: NewAppToken, name: string, nowMs: number) =>
    `${app} may use ${name} for ${timeLeft(expires_at, nowMs)}. The token cannot be shown again.`,
  addRule: (name: string) =>
    `No rule allows a request yet. See the ready ones: \`rotavox proxy allow ${name}\``,
  none: 'No app uses the proxy. Begin with a rule: `rotavox proxy allow NAME` lists the ready ones.',
} as const;

export const ruleListHead = ['id', 'rule', 'for'];

export function ruleListRow(rule: ProxyView['rules'][number]): string[] {
  const note = rule.becomes === undefined ? '' : `: ${tooWideText(rule.becomes)}`;
  return [rule.id, ruleText(rule) + note, rule.app ?? 'every app'];
}

export const readyListHead = ['name', 'lets apps', 'rules'];

export function readyListRow(set: ProxyView['ready'][number]): string[] {
  return [set.id, readyTitle(set), set.rules.map(({ method, path }) => `${method} ${path}`).join(', ')];
}

export const appListHead = ['id', 'app', 'expires', 'requests', 'last used', 'token'];

export function appListRow(token: AppToken): string[] {
  return [
    token.id,
    token.app,
    token.is_expired ? 'expired' : localTime(token.expires_at),
    countWords(token.requests, 'request'),
    token.last_used_at === null ? 'never' : localTime(token.last_used_at),
    token.last_generation === null ? '' : String(token.last_generation),
  ];
}
