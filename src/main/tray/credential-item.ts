import {
  type CredentialOutline,
  type CredentialState,
  isDead,
  mayRotate,
  type TroubleKind,
} from '../../contract/credential-view.ts';
import { credentialPlace } from '../windows/place.ts';
import { countdown } from './countdown.ts';
import { leftMs } from './credential-life.ts';
import { cut, lead, type PauseSpan, separator, type TrayAction, type TrayItem, words } from './tray-item.ts';

/** The row of a credential, with what can be done for it. `timeText` writes an instant as the person does. */
export function credentialItem(
  one: CredentialOutline,
  timeText: (instant: string) => string,
  nowMs: number,
): TrayItem {
  const { name, paused } = one;
  const pausedUntil = paused?.until ?? null;
  const showPage: TrayAction = { kind: 'show', place: credentialPlace(name) };
  return {
    kind: 'submenu',
    label: labelOf(one, nowMs),
    items: [
      words(`${expiryWord(one, nowMs)} ${timeText(one.expires_at)}`),
      words(
        one.next_rotation_at === null
          ? one.can_rotate === false
            ? 'Not rotated: its service has no rotate endpoint'
            : 'No rotation is planned'
          : `Next rotation ${timeText(one.next_rotation_at)}`,
      ),
      ...(one.message === null
        ? []
        : [{ kind: 'action' as const, label: cut(one.message), action: showPage }]),
      lead('Open', credentialPlace(name)),
      separator,
      ...(mayRotate(one) ? [rotateItem(one)] : []),
      ...(isDead(one)
        ? []
        : [{ kind: 'action' as const, label: 'Copy token', action: { kind: 'copy' as const, name } }]),
      ...(mayRotate(one) ? [pauseItems(one)] : []),
      ...(pausedUntil === null ? [] : [words(`Paused until ${timeText(pausedUntil)}`)]),
    ],
  };
}

function rotateItem({ name, state }: CredentialOutline): TrayItem {
  return state === 'rotating'
    ? words('Rotating …')
    : { kind: 'action', label: 'Rotate now', action: { kind: 'rotate', name } };
}

function pauseItems({ name, paused }: CredentialOutline): TrayItem {
  if (paused !== null) return { kind: 'action', label: 'Resume rotation', action: { kind: 'resume', name } };
  return {
    kind: 'submenu',
    label: 'Pause rotation',
    items: [
      pauseItem(name, 'For 1 hour', 'hour'),
      pauseItem(name, 'Until tomorrow', 'tomorrow'),
      pauseItem(name, 'Until I resume it', 'resumed'),
    ],
  };
}

/** A service may end a token before the end that we know of. */
function expiryWord(one: CredentialOutline, nowMs: number): string {
  if (Date.parse(one.expires_at) <= nowMs) return 'Expired';
  return isDead(one) ? 'Was to expire' : 'Expires';
}

/** Its name, its countdown and, unless all is well, how it is. */
export function labelOf(one: CredentialOutline, nowMs: number): string {
  const left = leftMs(one, nowMs);
  const time = isDead(one) ? '' : left > 0 ? countdown(left) : 'expired';
  return [one.name, [time, wordsOf(one)].filter(Boolean).join(', ')].join(' · ');
}

function wordsOf({ state, trouble }: CredentialOutline): string {
  return (trouble === null ? undefined : troubleWords[trouble.kind]) ?? stateWords[state];
}

/** Where the trouble says more than the state. */
const troubleWords: Partial<Record<TroubleKind, string>> = {
  blacklisted: 'blacklisted',
  suspended: 'suspended',
  invalid: 'needs a new value',
  superseded: 'needs a new value',
  no_endpoint: 'cannot be rotated',
};

const stateWords: Record<CredentialState, string> = {
  reply_lost: 'needs a new value',
  value_missing: 'needs a new value',
  expired: 'expired',
  refused: 'refused',
  vault_unavailable: 'keychain not available',
  failing: 'rotation fails',
  rotating: 'rotating …',
  due: 'due',
  delivery_failing: 'delivery fails',
  paused: 'paused',
  reminder: 'not rotated',
  fine: '',
};

function pauseItem(name: string, label: string, span: PauseSpan): TrayItem {
  return { kind: 'action', label, action: { kind: 'pause', name, span } };
}
