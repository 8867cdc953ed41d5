import type { CommandHelp } from './cli.ts';

/** What `rotavox service` says: Rotavox as a service of a machine without a desktop. */

export const backgroundServiceHelp = {
  description: 'Run Rotavox in the background on a machine without a desktop.',
  examples: ['rotavox service install', 'sudo rotavox service install --system', 'rotavox service status'],
  install: {
    description: [
      'Install, enable and start the service: a systemd unit, a launchd agent on macOS, a scheduled task on Windows.',
      '',
      'Tokens are stored where `rotavox serve` would store them: where they are already, otherwise in the keychain, or in an ' +
        'encrypted file where there is none. With --system the service gets an account of its own and is kept away from the rest ' +
        'of the machine by systemd. Its encrypted file has a passphrase that is made at random and written to a file that only ' +
        'root can read; keep a copy of it. The service receives it as a systemd credential and never reads that file itself.',
      '',
      'The proxy of this terminal (HTTPS_PROXY and its relatives) and NODE_EXTRA_CA_CERTS become settings of the service. A password ' +
        'of the proxy goes into its vault.',
    ].join('\n'),
    examples: [
      'rotavox service install',
      'sudo rotavox service install --system',
      'rotavox service install --port 7700 --vault file --vault-passphrase-file ~/.rotavox-passphrase',
    ],
    system: 'for the whole machine, with an account of its own (Linux with systemd, as root)',
    port: 'the port to listen on (default: the port setting, or 7682)',
    vault: 'where tokens are stored (default: as for `rotavox serve`; with --system file)',
    passphraseFile: 'for a file vault: a file whose first line is the passphrase (default: one is made)',
  },
  status: {
    description: 'Show whether the service is installed and runs.',
    examples: ['rotavox service status', 'rotavox service status --system --json'],
  },
  uninstall: {
    description: 'Stop and remove the service. The data stays.',
    examples: ['rotavox service uninstall', 'sudo rotavox service uninstall --system'],
  },
} as const satisfies CommandHelp & Record<string, unknown>;

/** The name of the service where the system lists its services. */
export const backgroundServiceName = 'Rotavox: rotates API tokens and serves phone menus';

export type StartTime = 'boot' | 'sign_in';

export const backgroundServiceText = {
  installed: (baseUrl: string, dataDir: string) =>
    `The service is installed and runs at ${baseUrl} with the data folder ${dataDir}.`,
  passphraseMade: (file: string) =>
    `The passphrase of the encrypted file is in ${file}. Keep a copy of it: without it the tokens cannot be read.`,
  networkTaken: (what: readonly string[]) =>
    `Its settings have from this terminal: ${what.join(', ')}. The password of a proxy is in its vault; see \`rotavox settings\`.`,
  startsAt: {
    boot: 'It starts when the machine starts.',
    sign_in: 'It starts when you sign in.',
  } satisfies Record<StartTime, string>,
  lingerCommand: (user: string) =>
    `To do: sudo loginctl enable-linger ${user}   (then it also starts with the machine, and runs while you are signed out)`,
  useSystemData: (dataDir: string) => `To use it from a terminal: sudo rotavox --data-dir ${dataDir} status`,
  uninstalled: 'The service is stopped and removed.',
  dataKept: (dataDir: string) => `Your data is still in ${dataDir}.`,
  passphraseKept: (file: string) => `Its passphrase is still in ${file}.`,
  /** Row names and values of `status`. */
  rows: {
    service: 'Service',
    enabled: 'Starts automatically',
    running: 'Running',
    yes: 'yes',
    no: 'no',
  },
} as const;

export type BackgroundServiceProblem =
  | { readonly code: 'not_root' | 'system_on_linux_only' | 'no_systemd' | 'no_user_systemd' | 'no_keychain' }
  | { readonly code: 'installed' | 'not_installed'; readonly file: string }
  | { readonly code: 'running'; readonly dataDir: string }
  | { readonly code: 'port_taken'; readonly port: number }
  | { readonly code: 'not_written'; readonly file: string; readonly error: string }
  | { readonly code: 'private_program'; readonly file: string }
  | { readonly code: 'proxy_invalid'; readonly variable: string; readonly because: string }
  | { readonly code: 'certificates_unreadable'; readonly file: string }
  | { readonly code: 'passphrase_needed'; readonly vaultFile: string }
  | { readonly code: 'refused'; readonly command: string; readonly reason: string }
  | { readonly code: 'not_started'; readonly reason: string | null }
  | { readonly code: 'not_running'; readonly reason: string | null; readonly program: string | null };

/** Two lines or more: what failed, and what to do. */
export function backgroundServiceProblem(problem: BackgroundServiceProblem): readonly string[] {
  switch (problem.code) {
    case 'not_root':
      return [
        'A service for the whole machine is installed by root.',
        'Repeat the command with sudo, or leave out --system for a service of your account.',
      ];
    case 'system_on_linux_only':
      return ['--system is for Linux with systemd. Leave it out for a service of your account.'];
    case 'no_keychain':
      return [
        'A service with an account of its own has no keychain. Leave out --vault: its tokens are stored in an encrypted file.',
      ];
    case 'no_systemd':
      return [
        'This machine does not run systemd. Nothing was installed.',
        'Start `rotavox serve --json` with the service manager of this machine, or in a container.',
      ];
    case 'no_user_systemd':
      return [
        'The systemd of this account does not run, which happens after su or sudo. Nothing was installed.',
        'Sign in as this account, for example with ssh, or install for the whole machine: sudo rotavox service install --system',
      ];
    case 'installed':
      return [
        `The service is already installed (${problem.file}).`,
        'See `rotavox service status`. To change it, run `rotavox service uninstall` first.',
      ];
    case 'not_installed':
      return [
        `The service is not installed (there is no ${problem.file}).`,
        'Install it with `rotavox service install`.',
      ];
    case 'running':
      return [
        `Rotavox already runs with the data folder ${problem.dataDir}. Nothing was installed.`,
        'Quit it first: stop `rotavox serve`, or quit the app.',
      ];
    case 'port_taken':
      return [
        `Port ${problem.port} is used by another program. Nothing was installed.`,
        'Choose another one with --port; apps must then call that port.',
      ];
    case 'not_written':
      return [
        `${problem.file} cannot be written (${problem.error}). Nothing was installed.`,
        'Make sure that its folder can be written and that the disk has space, then try again.',
      ];
    case 'proxy_invalid':
      return [
        `${problem.variable} is not the address of a proxy. ${problem.because} Nothing was installed.`,
        'Correct the variable, or unset it and set the proxy later: rotavox settings set proxy http://proxy.example.com:8080',
      ];
    case 'certificates_unreadable':
      return [
        `${problem.file}, which NODE_EXTRA_CA_CERTS names, is missing or cannot be read by the account of the service. Nothing was installed.`,
        'Choose a copy in a folder that every account can read, such as /etc/ssl, and name that file.',
      ];
    case 'private_program':
      return [
        `${problem.file} cannot be read by other accounts, so an account of its own cannot run it. Nothing was installed.`,
        'Install Node and Rotavox for the whole machine, or leave out --system.',
      ];
    case 'passphrase_needed':
      return [
        `There is already an encrypted file (${problem.vaultFile}), and its passphrase is needed. Nothing was installed.`,
        'Write the passphrase in the first line of a file that only you can read, and name it with --vault-passphrase-file.',
      ];
    case 'refused':
      return [
        `The system refused the service (${problem.command}): ${problem.reason}`,
        'Nothing was installed. Correct that and try again.',
      ];
    case 'not_started':
      return [
        problem.reason === null
          ? 'The service did not start.'
          : `The service did not start: ${problem.reason}`,
        'It was removed again. Correct that and try again; `rotavox serve` shows all messages.',
      ];
    case 'not_running':
      if (problem.program !== null) {
        return [
          `The service does not run: its program ${problem.program} is missing.`,
          'Remove the service and install it again: `rotavox service uninstall`, then `rotavox service install`.',
        ];
      }
      return [
        problem.reason === null ? 'The service does not run.' : `The service does not run: ${problem.reason}`,
      ];
  }
}
