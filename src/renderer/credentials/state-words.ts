import {
  type CredentialState,
  type CredentialView,
  isDead,
  type TroubleKind,
} from '../../contract/credential-view.ts';

/** How a credential is, told apart by shape before colour. */
export type StateShape = 'disc' | 'ring' | 'half' | 'bars' | 'triangle' | 'cross' | 'lock' | 'bell';
export type StateTone = 'good' | 'accent' | 'pause' | 'warn' | 'bad';

export interface StateSign {
  readonly shape: StateShape;
  readonly tone: StateTone;
  readonly words: string;
}

const needsValue: StateSign = { shape: 'cross', tone: 'bad', words: 'Needs a new value' };

const signs: Record<CredentialState, StateSign> = {
  reply_lost: needsValue,
  value_missing: needsValue,
  expired: { shape: 'cross', tone: 'bad', words: 'Expired' },
  refused: { shape: 'triangle', tone: 'bad', words: 'Refused for now' },
  vault_unavailable: { shape: 'lock', tone: 'bad', words: 'Vault not available' },
  failing: { shape: 'triangle', tone: 'bad', words: 'Rotation fails' },
  rotating: { shape: 'ring', tone: 'accent', words: 'Rotating' },
  due: { shape: 'half', tone: 'accent', words: 'Due now' },
  delivery_failing: { shape: 'triangle', tone: 'warn', words: 'Not delivered everywhere' },
  reminder: { shape: 'bell', tone: 'pause', words: 'Reminder only' },
  paused: { shape: 'bars', tone: 'pause', words: 'Paused' },
  fine: { shape: 'disc', tone: 'good', words: 'Fresh' },
};

/** Why a token is refused, where that is known. */
const refusals: Partial<Record<TroubleKind, StateSign>> = {
  invalid: needsValue,
  superseded: needsValue,
  blacklisted: { ...needsValue, words: 'Blacklisted' },
  suspended: { shape: 'triangle', tone: 'bad', words: 'Suspended' },
};

/** A credential's state as a shape, a tone and a few words. */
export function stateSign({
  state,
  trouble,
}: {
  readonly state: CredentialState;
  readonly trouble: { readonly kind: TroubleKind } | null;
}): StateSign {
  if (trouble?.kind === 'no_endpoint' && state === 'failing')
    return { ...signs.failing, words: 'Cannot be rotated' };
  if (state !== 'refused') return signs[state];
  return (trouble === null ? undefined : refusals[trouble.kind]) ?? signs.refused;
}

/** Whether no attempt can help any more: a person has to bring a value, or have one issued. A suspended token may be resumed. */
export function waitsForPerson(one: Pick<CredentialView, 'state' | 'trouble'>): boolean {
  if (one.state === 'reply_lost' || one.state === 'value_missing') return true;
  return isDead(one) && one.trouble?.kind !== 'suspended';
}
