import { hostName, type HostProblem } from '../../contract/service/team-host.ts';
import type { CommandHelp } from '../cli/cli.ts';
import { eventsBehind, isMissing } from '../../contract/service/host-state.ts';
import type { TeamHost, TeamStatus } from '../../contract/service/team.ts';
import { countWords } from '../count.ts';
import { durationText } from '../time.ts';

/** What commands and the desktop app say about a host for a team: its address, its key, and why it cannot be used. */

/** Why the key for a host cannot be read or stored. */
export const hostKeyText = {
  keychain: (sentence: string) =>
    `${sentence} On a machine without a keychain, write the key for the host into a file that only you can read and name it in ROTAVOX_HOST_KEY_FILE.`,
  fileShared: (path: string) =>
    `${path}, which ROTAVOX_HOST_KEY_FILE names, can be read by other users of this machine. Make it readable by you only (chmod 600).`,
  fileWithoutKey: (path: string) =>
    `${path}, which ROTAVOX_HOST_KEY_FILE names, has no key in its first line. Write the key of an owner there.`,
  fileUnusable: (path: string, code: string) => `${path} cannot be used (${code}).`,
} as const;

/** Why a host cannot be used, and what to do, as sentences. */
export function hostProblemText(problem: HostProblem, url: string): string {
  const name = hostName(url);
  switch (problem.kind) {
    case 'no_key':
      return `There is no key for ${name} on this computer. Enter your key; an owner of that host can create one.`;
    case 'key_refused':
      return `${name} does not accept the key. It may have been revoked, or be for another host. Enter your current key.`;
    case 'unreachable':
      return `${name} cannot be reached (${problem.detail}). Check the address, the network and, if you need one, the VPN.`;
    case 'not_trusted':
      return (
        `The certificate of ${name} is not trusted (${problem.detail}). ` +
        'If your team has its own certificate authority, name the file with its certificate in NODE_EXTRA_CA_CERTS.'
      );
    case 'not_a_host':
      return `What answers at ${url} is not Rotavox, or has another version (status ${problem.status}). Check the address.`;
    case 'refused':
    case 'keychain':
      return problem.message;
  }
}

export const hostUrlText = {
  invalid:
    'Enter the address of a host, such as https://team.example.com. Without https only this machine can be named.',
  keyInvalid: 'This is not a key. Paste the whole key, on one line.',
} as const;

export const hostHelp = {
  description: 'Add, list and remove the keys with which this computer calls hosts for a team.',
  examples: ['rotavox host add https://team.example.com', 'rotavox --host https://team.example.com get pbx'],
  url: 'the address of the host, such as https://team.example.com',
  add: {
    description: 'Store your key for a host in the keychain, after the host has accepted it.',
    examples: [
      'rotavox host add https://team.example.com',
      'rotavox host add https://team.example.com < key',
    ],
  },
  list: {
    description: 'List the hosts that have a key in the keychain.',
    examples: ['rotavox host list', 'rotavox host list --json'],
  },
  remove: {
    description:
      'Remove the key for a host from the keychain. The key itself stays valid until an owner revokes it.',
    examples: ['rotavox host remove https://team.example.com'],
  },
} as const satisfies CommandHelp & Record<string, unknown>;

export const hostCommandText = {
  question: (url: string) => `Your key for ${url} (not shown while you type): `,
  added: (url: string) =>
    `${hostName(url)} accepted the key, and it is stored. Use it with --host ${url}, or set ROTAVOX_HOST.`,
  addCommand: (url: string) => `rotavox host add ${url}`,
  none: 'No host has been added. Add one with `rotavox host add URL`.',
  noKey: (url: string) => `There is no key for ${url} in the keychain.`,
  removed: (url: string) => `The key for ${url} was removed from the keychain.`,
} as const;

/** The title of the notification about a key that is not accepted any more. */
export function teamKeyNotice(name: string): string {
  return `${name} does not accept the key`;
}

/** The page in place of those of a host that cannot be shown. */
export const teamPageText = {
  title: (name: string) => `${name} cannot be shown`,
  hint: 'Rotavox tries again every few seconds. The pages of the host open when it answers. The credentials of this computer are not affected.',
} as const;

/** The setting of the desktop app. */
export const teamHostSettingText = {
  title: 'Host for a team',
  none: 'Shows a host of your team in this app too: its credentials in the tray, and its pages in a window. The credentials of this computer stay on this computer.',
  connected: (url: string) => `Connected to ${url}. Your key is in the keychain.`,
  address: { label: 'Address', hint: 'Such as https://team.example.com', subject: 'The address' },
  key: {
    label: 'Your key',
    hint: 'An owner of the host can create one. It is checked there and stored in the keychain.',
    subject: 'The key',
  },
  connect: 'Connect',
  disconnect: 'Disconnect',
} as const;

/** The question before pages of a host get the microphone. */
export function teamMicrophoneText(name: string) {
  return {
    message: `Let ${name} use the microphone?`,
    detail:
      'Its pages can then listen while a window of it is open, until Rotavox ends. They need it only to record prompts.',
    allow: 'Allow microphone',
    deny: 'Do not allow',
  };
}

/* What windows and commands say of the hosts of a team. */

/** How far a host is, or for how long nothing was heard of it. */
export function hostStateText(host: TeamHost, team: TeamStatus): string {
  if (isMissing(host)) return `not seen for ${missingText(host.seen_seconds_ago)}`;
  const behind = eventsBehind(host, team);
  return behind > 0 ? `${countWords(behind, 'event')} behind` : 'up to date';
}

function missingText(seconds: number): string {
  return seconds < 60 ? countWords(seconds, 'second') : durationText(seconds * 1000);
}

export const noSuccessorText =
  'There is no second host that could take over. Start Rotavox on another machine with the same database.';

/** The card of the overview. */
export const hostsCardText = {
  title: 'Hosts of the team',
  count: (count: number) => countWords(count, 'host'),
  leads: 'Leads',
  follows: (state: string) => `Follows, ${state}`,
  missing: (state: string) => `Missing, ${state}`,
  version: (version: string) => `version ${version}`,
} as const;
