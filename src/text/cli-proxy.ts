import {
  type AddProxyRule,
  type AppToken,
  defaultAppTokenSeconds,
  type NewAppToken,
  type ProxyRule,
  type RuleTrial,
} from '../contract/proxy.ts';
import type { CommandHelp } from './cli.ts';
import { countWords } from './count.ts';
import { ruleText, trialText } from './proxy.ts';
import { localTime, timeLeft } from './time.ts';

/** What the `proxy` commands say. */

export const proxyHelp = {
  description:
    'Let apps use a credential without having its token: they send a token of their own to the proxy, which sends allowed requests on.',
  examples: [
    "rotavox proxy allow gitlab 'GET /api/v4/**'",
    'rotavox proxy token gitlab --app backup-script',
    'rotavox proxy list',
  ],
  allow: {
    description: 'Add a rule: which requests may be sent. Without a rule every request is refused.',
    examples: [
      "rotavox proxy allow gitlab 'GET /api/v4/**'",
      "rotavox proxy allow gitlab 'POST /api/v4/projects/*/issues' --app coding-agent",
      "rotavox proxy allow gitlab '* /**' --dry-run",
    ],
    rule: 'a method and a path: * in a path is one segment, ** any number of them; * as the method is any; GET allows HEAD, too',
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
  ruleUsage: "A rule is a method and a path, such as 'GET /api/**'.",
  invalid: (field: string, rule: string | undefined) => `The ${field} of the rule ${rule ?? 'is not valid'}.`,
  unknownId: 'The id of a rule begins with rule_, that of an app token with app_.',
  trial: (trial: RuleTrial) => trialText(trial),
  nothingAdded: 'Nothing was added.',
  added: (rule: AddProxyRule, name: string) => `Apps of ${name} may send ${ruleText(rule)}.`,
  addToken: (name: string) => `No app has a token yet. Issue one: \`rotavox proxy token ${name} --app NAME\``,
  removed: (id: string) => `${id} is removed.`,
  revoked: (id: string) => `${id} is revoked. Requests with it are refused.`,
  issued: ({ app, expires_at }: NewAppToken, name: string, nowMs: number) =>
    `${app} may use ${name} for ${timeLeft(expires_at, nowMs)}. The token cannot be shown again.`,
  addRule: (name: string) =>
    `No rule allows a request yet. Add one: \`rotavox proxy allow ${name} 'GET /**'\``,
  none: "No app uses the proxy. Begin with a rule: `rotavox proxy allow NAME 'GET /**'`",
} as const;

export const ruleListHead = ['id', 'rule', 'for'];

export function ruleListRow(rule: ProxyRule): string[] {
  return [rule.id, ruleText(rule), rule.app ?? 'every app'];
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
