import { toolWaitText } from '../credential/tool-wait-text.ts';
import {
  type CredentialOutline,
  isDead,
  type VaultStatus,
} from '../../contract/credential/credential-view.ts';
import type { MovedFrom } from '../../contract/service/moved-from.ts';
import type { StoreHealth } from '../../contract/service/portal.ts';
import type { HostProblem } from '../../contract/service/team-host.ts';
import { isRenewed } from '../../providers/catalogue.ts';
import { remedyLabel } from './remedies.ts';
import { countWords } from '../count.ts';
import { credentialLabel, vaultTitle } from '../credential/credentials.ts';
import { movedDataText } from '../service/moved-data.ts';
import { storeRefusingTitle } from '../service/store-text.ts';
import { notRotatedText } from '../credential/providers.ts';
import { durationText, expiryText, type PauseSpan } from '../time.ts';

/** What the menu of the tray and the menus of the app say. */

export const trayText = {
  title: 'Rotavox',
  starting: 'Rotavox is starting',
  startingItem: 'Starting…',
  none: 'No credentials yet',
  calls: (count: number) => (count === 0 ? 'No calls' : countWords(count, 'call')),
  more: (count: number) => `… and ${count} more`,
  bySchedule: 'Back to the schedule',
  openingHours: 'Opening hours',
  port: (port: number) => `Apps call port ${port}`,
  openAtLogin: 'Open at login',
  quit: 'Quit Rotavox',
} as const;

/** The section of a host for a team, and the name of that of this machine beside it. */
export const teamTrayText = {
  here: 'This computer',
  connecting: 'Connecting…',
  pages: (name: string) => `Pages of ${name}`,
  /** `since` is when it last answered; null: it never has since this app runs. */
  problem: (problem: HostProblem, since: string | null) => {
    const what = teamProblemLabels[problem.kind];
    return since === null ? what : `${what} since ${since}. Times are as last known.`;
  },
} as const;

const teamProblemLabels: Record<HostProblem['kind'], string> = {
  no_key: 'Enter your key…',
  key_refused: 'Key not accepted',
  unreachable: 'Cannot be reached',
  not_trusted: 'Certificate not trusted',
  not_a_host: 'Does not answer as Rotavox',
  refused: 'Refuses to answer',
  keychain: 'Key cannot be read',
};

/** Pages and dialogs, as the menus of the tray and of the app call them. */
export const placeLabels = {
  issueToken: 'Issue a token…',
  designer: 'Phone menus',
  overview: 'Overview',
  tokens: 'Tokens',
  settings: 'Settings',
} as const;

export const appMenuText = { file: 'File', view: 'View', go: 'Go', logs: 'Open the log folder' } as const;

/** The items in the submenu of a credential. */
export const credentialMenuText = {
  open: 'Open',
  copy: 'Copy token',
  rotate: `${remedyLabel({ kind: 'rotate', name: '' })}…`,
  rotating: `${credentialLabel('rotating', null)}…`,
  resume: remedyLabel({ kind: 'resume', name: '' }),
  pause: 'Pause rotation',
  pauseSpans: {
    hour: 'For 1 hour',
    tomorrow: 'Until tomorrow',
    resumed: 'Until I resume it',
  } satisfies Record<PauseSpan, string>,
  pausedUntil: (time: string) => `Paused until ${time}`,
} as const;

type WriteTime = (instant: string) => string;

/** When its token expires. A service may end a token before the time that is known here. */
export function credentialExpiryText(one: CredentialOutline, writeTime: WriteTime, nowMs: number): string {
  const write = (): string => writeTime(one.expires_at);
  return expiryText(one.expires_at, nowMs, {
    isOver: isDead(one),
    isAssumed: one.expiry_assumed !== undefined,
    write,
  });
}

export function nextRotationItem(one: CredentialOutline, writeTime: WriteTime): string {
  const wait = one.waits_for_tools;
  if (wait !== undefined) return toolWaitText.item(wait.tools, writeTime(wait.until));
  if (one.next_rotation_at !== null) {
    return `${isRenewed(one.provider) ? 'Next renewal' : 'Next rotation'} ${writeTime(one.next_rotation_at)}`;
  }
  return one.can_rotate === false ? `Not rotated: ${notRotatedText(one.provider)}` : 'No rotation is planned';
}

/** Its name, the time it has left and, unless all is well, its state. `leftMs` is 0 for one that cannot be used any more. */
export function credentialItemText(one: CredentialOutline, leftMs: number): string {
  const { name, state, trouble } = one;
  const time = isDead(one) ? '' : timeLeftText(leftMs);
  const label = state === 'fine' ? '' : credentialLabel(state, trouble?.kind ?? null, one.provider.id);
  return [name, time, label].filter(Boolean).join(' · ');
}

function timeLeftText(leftMs: number): string {
  return leftMs > 0 ? durationText(leftMs) : credentialLabel('expired', null);
}

/** Problems that concern all credentials. */
export function generalProblems(
  store: StoreHealth,
  vault: VaultStatus,
  movedFrom: MovedFrom | null,
): string[] {
  return [
    ...(movedFrom === null ? [] : [movedDataText.title(movedFrom)]),
    ...(store.status === 'refusing' ? [`${storeRefusingTitle}: ${store.reason}`] : []),
    ...(vault.status === 'ok' ? [] : [vault.message ?? vaultTitle(vault)]),
  ];
}
