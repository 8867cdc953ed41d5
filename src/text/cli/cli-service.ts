import type { VaultKind } from '../../contract/credential/credential-view.ts';
import { historyResults } from '../../contract/history/history.ts';
import type { PortalStatus, Verification } from '../../contract/service/portal.ts';
import { Settings } from '../../contract/service/settings.ts';
import { hasSuccessor, isMissing } from '../../contract/service/host-state.ts';
import type { HostRole, TeamStatus } from '../../contract/service/team.ts';
import { tokenStatuses } from '../../contract/token/token.ts';
import { defaultPort } from '../../contract/address.ts';
import type { CommandHelp } from './cli.ts';
import { journalSize, markedText } from '../count.ts';
import { countWords } from '../count.ts';
import { hostStateText, noSuccessorText } from '../service/team-host-text.ts';
import { movedDataText } from '../service/moved-data.ts';
import { proxyStateText, trustText } from '../service/network-text.ts';
import { localTime } from '../time.ts';
import { whereTokensAre } from '../credential/vault-text.ts';

/** What the commands about the service itself say: serve, open, status, history and settings. */

export const serveHelp = {
  description: 'Run the service until SIGTERM or Ctrl-C.',
  examples: [
    'rotavox serve',
    'rotavox serve --port 0 --json',
    'rotavox serve --vault file --vault-passphrase-file ~/.rotavox-passphrase',
    'rotavox serve --listen 0.0.0.0:7682 --allow-host rotavox.example.com --tls-cert cert.pem --tls-key key.pem',
    'rotavox serve --listen 10.0.0.5:7682 --allow-host rotavox.example.com --behind-proxy 10.0.0.2',
    'rotavox serve --journal postgres://rotavox@db.example.com/rotavox --vault-passphrase-file passphrase',
  ],
  port: `the port for this machine, 0 for any free one (default: ROTAVOX_PORT, the port setting, or ${defaultPort}; any free one with --listen)`,
  host: 'the address for this machine: 127.0.0.1, ::1 or localhost (default: 127.0.0.1)',
  listen:
    'the address for other machines, such as 10.0.0.5:7682, 0.0.0.0:7682 or [::]:7682; needs TLS or a proxy',
  tlsCert: 'the certificate with its chain, in PEM format; it is read again when it is renewed',
  tlsKey: 'the private key of the certificate, in PEM format',
  behindProxy:
    'the address of a proxy, or a range of them, whose X-Forwarded-For, -Proto and -Host are believed (repeatable)',
  allowHost:
    'a name by which the service is called, such as rotavox.example.com (repeatable; --listen with one address is allowed anyway)',
  vault:
    'where tokens are stored (default: ROTAVOX_VAULT, or keychain; postgres with a journal in PostgreSQL)',
  passphraseFile:
    'for a file or postgres vault: a file whose first line is the passphrase (default: ROTAVOX_VAULT_PASSPHRASE_FILE, or asked for)',
  journal:
    'the PostgreSQL database of a team, such as postgres://rotavox@db.example.com/rotavox (default: ROTAVOX_JOURNAL; without it the journal is in the data folder)',
  advertise:
    'how the other hosts of the team reach this one, such as https://10.0.0.5:7682 (default: the address of --listen or --port)',
  logLevel: 'what is logged on stderr: info is one line of JSON for each request (default: warn)',
  open: 'open a browser, signed in, if there is a desktop',
  json: 'print one line of JSON when ready, and nothing else',
} as const satisfies CommandHelp & Record<string, unknown>;

export const serveText = {
  repaired: (repair: string) => `Repaired: ${repair}`,
  running: (baseUrl: string, dataDir: string) =>
    `Rotavox runs at ${baseUrl} with the data folder ${dataDir}. Press Ctrl-C to stop it.`,
  runningInTeam: (
    baseUrl: string,
    { role, leaderUrl }: { readonly role: HostRole; readonly leaderUrl: string | null },
  ) =>
    `Rotavox runs at ${baseUrl} and ${
      role === 'leader'
        ? 'leads its team'
        : `passes calls on to the host that leads${leaderUrl === null ? '' : `, ${leaderUrl}`}`
    }. Press Ctrl-C to stop it.`,
  /** Where what is printed goes to a file. */
  signInByCommand: 'To sign in with a browser, run `rotavox open`.',
  signIn: (link: string) => `Sign-in link (works once, within five minutes): ${link}`,
  /** On a host that follows: links are made by the one that leads. */
  signInElsewhere: (url: string) =>
    `To sign in, open ${url} and enter your key, or run \`rotavox open\` for a sign-in link.`,
  message: (message: string) => `rotavox: ${message}`,
  stopping: 'Stopping.',
  unexpected: (stack: string) => [
    'Rotavox has to stop because of an unexpected error. This is a bug; please report it with these lines:',
    ...stack.split('\n'),
  ],
  endedByFailure:
    'No saved data is lost. Start Rotavox again, so that it continues to rotate your tokens; a service manager does so by itself.',
  notClosed: (reason: string) => `The service did not shut down cleanly: ${reason}`,
  portVariable: (largest: number) => `ROTAVOX_PORT must be a whole number from 0 to ${largest}.`,
} as const;

/** Choosing the journal of `serve`. */
export const journalText = {
  badUrl: 'The journal must be the address of a database: postgres://user@host/database.',
  passwordShown:
    'Other accounts on this machine can see the password in --journal. Use ROTAVOX_JOURNAL, PGPASSWORD or PGPASSFILE.',
  advertiseAlone: '--advertise is for a host of a team: add --journal with the address of its database.',
  badAdvertise: '--advertise must be an address that other hosts can open, such as https://10.0.0.5:7682.',
} as const;

/** Choosing the address of `serve`. */
export const networkText = {
  badAddress: 'Write an address and a port, such as 10.0.0.5:7682, 0.0.0.0:7682 or [::1]:7682.',
  badRange:
    'Write the address of a proxy, such as 10.0.0.2, or a range, such as 10.0.0.0/24. All addresses are no range.',
  badName:
    'Write a name as in the address of the service, such as rotavox.example.com or rotavox.example.com:8443.',
  noFile: '--tls-cert and --tls-key each need a file.',
  oneOfTwo: '--tls-cert and --tls-key belong together: name the certificate and its private key.',
  listenMissing:
    '--tls-cert, --tls-key, --behind-proxy and --allow-host are for other machines: add --listen with an address and a port.',
  loopbackNames:
    '--allow-host is for other machines, and --listen names an address of this machine only. Add --tls-cert and --tls-key, or --behind-proxy, or leave out --allow-host.',
  twoAddresses:
    'Without TLS and without a proxy, --listen is the address for this machine: use either --listen or --host and --port.',
} as const;

/** Choosing the vault of `serve`. */
export const vaultText = {
  fileOptionOnly: '--vault-passphrase-file is for a vault with a passphrase: add --vault file.',
  needsJournal:
    '--vault postgres stores tokens beside a journal in PostgreSQL: add --journal with its address.',
  needsPostgres: (kind: 'keychain' | 'file') =>
    `With a journal in PostgreSQL, tokens are stored there too, so --vault ${kind} does not work. Leave it out, or use --vault postgres.`,
  noFile: '--vault-passphrase-file needs a file.',
  kindVariable: (kinds: readonly string[]) =>
    `ROTAVOX_VAULT must be ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(kinds)}.`,
  question: (kind: 'file' | 'postgres') => `Passphrase of the ${kind} vault (not shown while you type): `,
  noTerminal: (kind: 'file' | 'postgres') =>
    `A ${kind} vault needs its passphrase, and there is no terminal to ask on. ${passphraseAdvice()}`,
  noPassphrase: (kind: 'file' | 'postgres') =>
    `A ${kind} vault needs its passphrase. Type it when asked. ${passphraseAdvice()}`,
} as const;

function passphraseAdvice(): string {
  return 'You can also write it in the first line of a file that only you may read, and name that file with --vault-passphrase-file.';
}

export const openHelp = {
  description: 'Create a sign-in link, and open it in a browser if there is a desktop.',
  examples: ['rotavox open', 'rotavox open --no-browser'],
  noBrowser: 'only print the link',
} as const satisfies CommandHelp & Record<string, unknown>;

export function signInLinkText({
  opened,
  expiresInSeconds,
}: {
  readonly opened: boolean;
  readonly expiresInSeconds: number;
}): string {
  return (
    `${opened ? 'Opened in your browser' : 'Open it in a browser on this machine'}. ` +
    `The link works once, within ${Math.round(expiresInSeconds / 60)} minutes.`
  );
}

export const appHelp = {
  description: 'Start the desktop app, or show its window if it runs already; or have it quit.',
  examples: [
    'rotavox app',
    'rotavox app --hidden',
    'rotavox app --host https://team.example.com',
    'rotavox app --host none',
    'rotavox app --quit',
  ],
  quit: 'have the app that runs quit, and wait until it has; an update that is ready stays for the next time',
  hidden: 'start it in the tray, without a window',
  port: 'the port of its service, 0 for any free one (default: ROTAVOX_PORT, the port setting, or 7682)',
} as const satisfies CommandHelp & Record<string, unknown>;

export const appText = {
  noDisplay: [
    'The desktop app needs a display, and there is none (neither DISPLAY nor WAYLAND_DISPLAY is set).',
    'Run the service alone with `rotavox serve`, and sign in from a browser with `rotavox open`.',
  ],
  notInstalled: [
    'The desktop app is not installed on this machine. The npm package has the service and the command line only.',
    'Install the package of the desktop app for this system (an AppImage is found once it has been started), or run `rotavox serve` and then `rotavox open` for the same windows in a browser.',
  ],
  failed: (program: string, reason: string) => `${program} cannot be started: ${reason}.`,
} as const;

export const completionHelp = {
  description: 'Print the script that completes commands, options and names of credentials in a shell.',
  examples: [
    'rotavox completion bash > ~/.local/share/bash-completion/completions/rotavox',
    'rotavox completion zsh > ~/.zfunc/_rotavox',
    'rotavox completion fish > ~/.config/fish/completions/rotavox.fish',
  ],
  shell: 'the shell',
  complete: {
    description: 'Print what can be typed next, for the scripts that `rotavox completion` prints.',
    examples: ['rotavox complete -- credential ro'],
    words: 'the words after rotavox, the unfinished one last',
  },
} as const satisfies CommandHelp & Record<string, unknown>;

export const statusHelp = {
  description: 'Show whether Rotavox runs, where, and whether it can save changes.',
  examples: ['rotavox status', 'rotavox status --json'],
} as const satisfies CommandHelp;

export function statusRows({
  version,
  base_url: baseUrl,
  data_dir: dataDir,
  pid,
  started_at: startedAt,
  tokens,
  ivrs,
  store,
  vault,
  repairs,
  moved_from: movedFrom,
  team,
  proxy,
  certificates,
}: PortalStatus): string[][] {
  const counts = tokenStatuses
    .filter((status) => tokens[status] > 0)
    .map((status) => `${tokens[status]} ${status}`);
  return [
    ['Rotavox', `${version}, process ${pid}, running since ${localTime(startedAt)}`],
    ['Address', baseUrl],
    ['Data folder', dataDir],
    ...(movedFrom === null ? [] : [['Moved', movedDataText.row(movedFrom)]]),
    ['Tokens', counts.join(', ') || 'none'],
    ['IVRs', ivrs === 0 ? 'none' : String(ivrs)],
    ['Events', String(store.last_seq)],
    [
      'Store',
      store.status === 'ok'
        ? 'ok'
        : `refuses changes since ${localTime(store.since)} (${store.code}). ${store.reason}`,
    ],
    ...(vault === undefined ? [] : [['Vault', whereTokensAre(vault)], ...vaultSteps(vault)]),
    ...(proxy === undefined ? [] : [['Proxy', proxyStateText(proxy)]]),
    ...(certificates === undefined ? [] : [['Certificates', trustText(certificates)]]),
    ...repairs.map((repair) => ['Repaired', repair]),
    ...(team === undefined ? [] : teamRows(team)),
  ];
}

export const logRowLabel = 'App logs';

/** After the status: what of connected tools is missing. */
export function brokenToolsText(count: number): string {
  return count === 1
    ? 'One thing that connected tools need is missing. `rotavox connect check` says which.'
    : `${count} things that connected tools need are missing. \`rotavox connect check\` says which.`;
}

/** The commands that protect tokens more. */
function vaultSteps({ kind, key }: VaultKind): string[][] {
  if (kind !== 'file' || key !== 'file') return [];
  return [['', '`rotavox vault passphrase` or `rotavox vault move keychain`']];
}

/** The hosts of a team: who leads, and who follows. */
function teamRows(team: TeamStatus): string[][] {
  const { epoch, hosts } = team;
  return [
    ['Team', `${countWords(hosts.length, 'host')}, epoch ${epoch}`],
    ...hosts.map((host) => [
      roleText(host),
      `${host.address} (${host.name}, ${host.version}), ${hostStateText(host, team)}`,
    ]),
    ...(hasSuccessor(team) ? [] : [['', noSuccessorText]]),
  ];
}

function roleText(host: TeamStatus['hosts'][number]): string {
  if (isMissing(host)) return 'Missing';
  return host.role === 'leader' ? 'Leads' : 'Follows';
}

/** The command belongs to another installation than the service. */
export function otherVersionText(command: string, service: string): string {
  return (
    `This command is version ${command}, and the service is version ${service}. ` +
    'If two versions are installed, remove one of them; if Rotavox was updated, restart it.'
  );
}

export const historyHelp = {
  description: 'Show all events, newest first.',
  examples: [
    'rotavox history --limit 20',
    'rotavox history --text billing-sync --result attention',
    'rotavox history --follow --kind token.rotated',
    'rotavox history --verify',
  ],
  follow: 'continue with new events as they happen, newest last, until Ctrl-C',
  verify: 'read the whole journal from disk and check that nothing in it was changed',
  limit: (usual: number, following: number) =>
    `show at most this many events (default: ${usual}; with --follow ${following})`,
  subject:
    'only events of one token with its previous and later ones (fam_…), one credential (cred_…) or one IVR',
  kind: 'only events of these kinds, separated by commas: token.rotated, or token. for all kinds that begin with it',
  result: `only events with this result: ${historyResults.join(', ')}`,
  from: 'only events of this day and later, such as 2026-11-21',
  to: 'only events until the end of this day',
  text: 'only events that contain this text, or whose token, credential or IVR has it in its name',
} as const satisfies CommandHelp & Record<string, unknown>;

export const historyText = {
  older: (command: string, before: number) =>
    `There are older events: \`rotavox ${command} --before ${before}\``,
  olderHere: (before: number) => `There are older events: add --before ${before}`,
  tokenSubject: (id: string) =>
    `${id} is a token: use \`rotavox token history\`, or --subject with the id fam_… that \`rotavox token show ${id}\` prints.`,
  connectionLost: 'The connection to Rotavox is lost. Events since then are shown when it is back.',
  connected: 'Connected again.',
  intact: ({ verified_to: events, segments, marked_from }: Extract<Verification, { status: 'intact' }>) =>
    `The journal is intact: ${countWords(events, 'event')} in ${journalSize(segments)}, every hash and every link checked.${markedText(marked_from)}`,
  damaged: ({ file, line, reason, verified_to: verifiedTo }: Extract<Verification, { status: 'damaged' }>) =>
    `The journal is damaged at ${file}, line ${line}: ${reason}. Events 1 to ${verifiedTo} are intact.`,
} as const;

const settingNames = Object.keys(Settings.shape).join(', ');

export const settingsHelp = {
  description: 'Show and change the settings.',
  examples: ['rotavox settings', 'rotavox settings set sms_templates_enabled true'],
  list: {
    description: 'List the settings. `rotavox settings` alone does the same.',
    examples: ['rotavox settings list', 'rotavox settings --json'],
  },
  set: {
    description: [
      'Change a setting.',
      '',
      'proxy: an address, system (what the environment says, HTTPS_PROXY and its relatives; in the desktop app also what the desktop ' +
        'says), or off. With a user in the address its password is asked for, or read from stdin, and stored in the vault.',
      '',
      'no_proxy: where calls go directly; none for what NO_PROXY says.',
      '',
      'certificates: a file of certificates to trust as well, such as the root certificate of your company (PEM or DER), or none.',
    ].join('\n'),
    examples: [
      'rotavox settings set sms_templates_enabled true',
      'rotavox settings set quiet_hours 22:00-07:00',
      'rotavox settings set outside_countries DE,AT',
      'rotavox settings set update_feed none',
      'rotavox settings set theme dark',
      'rotavox settings set rotation_fraction 2/3',
      'rotavox settings set proxy http://mary@proxy.example.com:8080',
      'rotavox settings set no_proxy .example.com,10.0.0.0/8',
      'rotavox settings set certificates ~/company-root.pem',
    ],
    key: `the setting: ${settingNames}`,
    value: 'its new value',
  },
} as const satisfies CommandHelp & Record<string, unknown>;

export const settingsText = {
  changed: (key: string, value: string) => `${key} is ${value}.`,
  passwordInArgument:
    'Leave the password out of the address, where other programs could read it: write http://user@proxy:8080, and you are asked for it.',
  proxyPassword: (user: string, proxy: string) => `Password of ${user} at ${proxy}: `,
  badProxyPassword: (rule: string | undefined) => `The password ${rule ?? 'is not valid'}.`,
  loginStored: (user: string) =>
    `The password of ${user} is stored in the vault. It is sent to that proxy only.`,
  portChanged: 'Rotavox listens there after its next start. Apps must then call that port.',
  unknown: (key: string) => `There is no setting "${key}". The settings are: ${settingNames}.`,
  invalid: (key: string, rule: string | undefined) => `${key} ${rule ?? 'is not valid'}.`,
} as const;

/** Fractions with a larger denominator are not easier to read than a decimal. */
const largestDenominator = 9;

/** A number as a decimal, or as a fraction if that is shorter. */
function shareText(share: number): string {
  const decimal = String(share);
  for (let under = 2; under <= largestDenominator; under += 1) {
    const over = Math.round(share * under);
    const fraction = `${over}/${under}`;
    if (over / under === share && fraction.length < decimal.length) return fraction;
  }
  return decimal;
}

/** The value of a setting as `settings set` reads it. */
export function settingText(value: Settings[keyof Settings]): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(',');
  if (typeof value === 'number') return shareText(value);
  return isHours(value) ? `${value.from}-${value.to}` : String(value);
}

function isHours(value: Settings[keyof Settings]): value is NonNullable<Settings['quiet_hours']> {
  return typeof value === 'object' && value !== null && 'from' in value;
}
