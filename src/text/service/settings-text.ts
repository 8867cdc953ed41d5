import type { RestoreSummary } from '../../contract/service/backup.ts';
import { minPassphraseCharacters } from '../../contract/credential/vault-problem.ts';
import type { Theme } from '../../contract/service/settings.ts';
import type { HoursOfDay } from '../../contract/shapes.ts';
import { countWords } from '../count.ts';
import { keyFileProtects } from '../credential/vault-text.ts';

/** The settings: their sections, and each setting with its title and what it does. */
export const settingsText = {
  title: 'Settings',
  sections: {
    label: 'Sections',
    appearance: 'Appearance',
    notifications: 'Notifications',
    rotation: 'Rotation',
    address: 'Address and port',
    network: 'Network',
    menus: 'Phone menus',
    voices: 'Voices',
    calls: 'Call records',
    directories: 'Directories',
    owners: 'Owners',
    computer: 'This computer',
    updates: 'Updates',
    about: 'About',
  },
  saved: 'Saved',
  saving: 'Saving …',
  fieldSubject: 'This',
  theme: {
    title: 'Theme',
    hint: 'Applies to every window at once.',
    themes: { system: 'Same as system', light: 'Light', dark: 'Dark' } satisfies Record<Theme, string>,
  },
  notifications: {
    title: 'Notify me when something needs attention',
    hint: 'The desktop app notifies you of failures: a failed rotation, a superseded token that is still used, a locked keychain. It never notifies you of successes.',
  },
  quietHours: {
    title: 'Quiet hours',
    ends: { from: 'From', to: 'To' },
    bothNeeded: 'Enter both times, or switch quiet hours off.',
  },
  rotation: {
    title: 'Default rotation policy',
    hint: 'For credentials that you add from now on. Existing ones keep their own policy.',
    meaning: (days: number, wait: string) =>
      `A ${days}-day token is rotated after ${wait}, a little earlier or later so that not all are due together. One issued now: on {at}.` as const,
  },
  addressNow: {
    title: 'Address',
    hint: 'Apps on this machine call this address. It is a loopback address: nothing on the network can reach it.',
    networkHint: 'Apps call this address.',
    copy: 'the address',
  },
  port: {
    title: 'Port',
    hint: (usual: number) =>
      `Leave it empty for the default, ${usual}. A port that is given with --port or ROTAVOX_PORT overrides it.`,
    label: 'From the next start',
    invalid: 'This must be a whole number from 1024 to 65535.',
    next: (origin: string, now: string) =>
      `After the next start the address is ${origin}. Update the apps that call it; until then it stays ${now}.`,
  },
  network: {
    proxy: {
      title: 'Proxy',
      hint: 'For calls to other computers. Enter its address, or “off” for none. “system” uses the proxy in HTTPS_PROXY, or else, in the desktop app, the proxy of this computer.',
      label: 'Address, system or off',
      example: 'http://proxy.example.com:8080',
      now: (state: string) => `Now: ${state}`,
      nowNone: 'Now: no proxy. The desktop app uses that of this computer, if it has one.',
    },
    login: {
      title: 'Sign-in to the proxy',
      hint: 'Only where the proxy asks for one. Both are stored with your tokens, and are sent to this proxy only.',
      user: 'User name',
      password: 'Password',
      save: 'Save sign-in',
      remove: 'Remove sign-in',
    },
    exceptions: {
      title: 'Without the proxy',
      hint: 'Host names, addresses and ranges that are called directly, separated by commas. Leave it empty to use NO_PROXY.',
      label: 'Exceptions',
      example: '.example.com, 10.0.0.0/8',
    },
    certificates: {
      title: 'Certificates',
      hint: 'A PEM or DER file with certificates to trust in addition to those of this computer, such as the root certificate of your company. Rotavox reads it again when it changes.',
      label: 'File',
      example: '/etc/ssl/company-root.pem',
      now: (trusted: string) => `Trusted now: ${trusted}`,
    },
  },
  smsTemplates: {
    title: 'SMS templates',
    hint: 'Applies the field {field} of menus. While this is off, the field is ignored, and menus that have it get a warning.',
  },
  directories: [
    { to: '/recordings', name: 'Recordings', what: 'what callers hear' },
    { to: '/opening-hours', name: 'Opening hours', what: 'when call flows are open' },
    { to: '/telephone-systems', name: 'Telephone systems', what: 'whose calls phone menus answer' },
    { to: '/extensions', name: 'Extensions', what: 'who a phone menu can lead to' },
    { to: '/sms-templates', name: 'SMS templates', what: 'texts that are sent when a key is pressed' },
  ],
  desktopSwitches: {
    openAtLogin: {
      title: 'Open at login',
      hint: 'Hidden in the tray, so that tokens are rotated while no window is open.',
      refused: 'The system did not accept the change.',
    },
    startAgain: {
      title: 'Start again',
      hint: 'If Rotavox ends unexpectedly, for example because memory runs out, it starts again within seconds, hidden in the tray. It does not after you quit it.',
      refused: 'The desktop app did not accept the change.',
    },
    dock: {
      title: 'Show in the Dock',
      hint: 'Without it, Rotavox is in the menu bar only.',
      refused: 'The desktop app did not accept the change.',
    },
    graphics: {
      title: 'Graphics processor',
      hint: 'Draws the windows. Turn it off where windows stay empty or flicker. The change takes effect at the next start.',
      refused: 'The desktop app did not accept the change.',
    },
  },
  trayDrawing: {
    title: 'Icon in the panel',
    hint: 'On Linux, Rotavox cannot tell whether the panel is dark. Choose another drawing if you can hardly see the icon.',
    drawings: { usual: 'As usual here', light: 'Light', dark: 'Dark', coloured: 'Coloured' },
  },
  vault: {
    title: 'Where tokens are stored',
    /** By where they are now. */
    move: { keychain: 'Move to an encrypted file', file: 'Move to the keychain' },
    question: {
      keychain: 'Move tokens to an encrypted file?',
      file: 'Move tokens to the keychain?',
    },
    consequences: {
      keychain: [
        `The key of the file is in a file beside it: ${keyFileProtects}.`,
        'Every token is written there, read back and compared before the first is removed from the keychain.',
        'Rotations and requests wait until it is done.',
      ],
      file: [
        'Rotavox can use tokens only while the keychain is unlocked.',
        'Every token is written there, read back and compared before the encrypted file is deleted.',
        'Rotations and requests wait until it is done.',
      ],
    },
    moving: 'Moving …',
    confirm: 'Move tokens',
    cancel: 'Cancel',
  },
  backup: {
    title: 'Backup',
    hint: 'One encrypted file with everything: tokens, history, settings, menus, recordings and call records.',
    back: 'Back up…',
    restore: 'Restore…',
    question: 'Back up everything?',
    lead: 'The file is encrypted with a passphrase. Anyone who has both has every token. Without the passphrase nobody can restore it, not even you.',
    passphrase: 'Passphrase',
    repeat: 'Passphrase again',
    tooShort: `Use at least ${minPassphraseCharacters} characters.`,
    differs: 'This is not the same passphrase.',
    confirm: 'Back up',
    making: 'Backing up …',
    fileName: (day: string): string => `rotavox-${day}.backup`,
    saved: 'The backup is made. Keep the passphrase apart from the file.',
    cancel: 'Cancel',
    close: 'Close',
  },
  restore: {
    question: 'Restore a backup?',
    lead: 'The backup replaces everything here. It is checked first.',
    choose: 'Choose a backup…',
    file: 'Backup',
    passphrase: 'Passphrase of the backup',
    check: 'Check backup',
    checking: 'Checking …',
    madeAt: 'Made {at} on {machine}, by Rotavox {version}.',
    holds: ({ credentials, secrets, events }: RestoreSummary): string =>
      `It has ${countWords(credentials, 'credential')}, ${countWords(secrets, 'secret')} and ${countWords(events, 'event')} of the history.`,
    consequences: [
      'It replaces the data here when Rotavox starts the next time.',
      'Changes that are made here until then are not in it. The data from before is kept in a folder beside it.',
      'If it was made on another computer, Rotavox asks you before it rotates anything.',
    ],
    confirm: 'Restore at the next start',
    beginning: 'Preparing …',
    begun: 'Restart Rotavox to restore the backup.',
    restart: 'Restart Rotavox',
  },
  dataFolder: {
    title: 'Data folder',
    hint: 'Fingerprints of tokens, phone menus and the whole history. The tokens themselves are in the keychain or in an encrypted file.',
    copy: 'the data folder’s path',
    show: 'Show folder',
  },
  signOut: {
    title: 'Signed-in browsers',
    hint: (hours: number) =>
      `A browser stays signed in, even after Rotavox restarts, until you sign out or do not use it for ${hours} hours.`,
    here: 'Sign out',
    everywhere: 'Sign out all browsers',
    done: (count: number) => `Signed out ${countWords(count, 'browser')}.`,
  },
  updates: {
    title: 'Update feed',
    off: 'Off: while this is empty, Rotavox does not check for updates.',
    on: 'The desktop app checks this address for new versions. It installs only those that its developers have signed.',
    label: 'Address',
    example: 'https://downloads.example.com/rotavox',
    check: 'Check for updates',
    checking: 'Checking …',
  },
  about: {
    title: (version: string) => `Rotavox ${version}`,
    hint: (pid: number) => `Running since {at}, process ${pid}.` as const,
    reference: 'API reference (opens in the browser)',
    copy: 'the version, for a report',
  },
  licences: {
    title: 'Licences',
    hint: 'Rotavox is under the MIT licence. The packages that it contains are under their own.',
    show: 'Show licences',
    unreachable: 'The service does not answer, so there is nothing to show. Start it and try again.',
    dialog: 'Packages in Rotavox',
    search: 'Find a package or a licence',
    count: (found: number, all: number) =>
      found === all
        ? `${countWords(all, 'package')}. The licences of Chromium are included with the desktop app.`
        : `${found} of ${countWords(all, 'package')}`,
    noText: 'This package contains no licence text; the name above is what it states.',
    close: 'Close',
  },
} as const;

/** What quiet hours mean. */
export function quietHoursHint(hours: HoursOfDay | null): string {
  if (hours === null) return 'Off: you are notified at any hour.';
  if (hours.from === hours.to && hours.from !== '') return 'The same time twice: the whole day is quiet.';
  return 'Notifications from these hours are shown afterwards.';
}
