import type { CredentialState, CredentialView } from '../../contract/credential-view.ts';

/** How a credential is, told apart by shape before colour. */
export type StateShape = 'disc' | 'ring' | 'half' | 'bars' | 'triangle' | 'cross' | 'lock';
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
  paused: { shape: 'bars', tone: 'pause', words: 'Paused' },
  fine: { shape: 'disc', tone: 'good', words: 'Fresh' },
};

/** A credential's state as a shape, a tone and a few words. */
export function stateSign({ state, trouble }: Pick<CredentialView, 'state' | 'trouble'>): StateSign {
  if (state !== 'refused') return signs[state];
  if (trouble?.kind === 'invalid') return needsValue;
  return trouble?.kind === 'blacklisted' ? { ...needsValue, words: 'Blacklisted' } : signs.refused;
}

/** Whether its value is of no use any more, whatever was said of its end before. */
export function isDead({ state, trouble }: Pick<CredentialView, 'state' | 'trouble'>): boolean {
  return state === 'expired' || trouble?.kind === 'invalid' || trouble?.kind === 'blacklisted';
}

/** Whether no attempt can help any more: a person has to bring a value, or have one issued. */
export function waitsForPerson(one: Pick<CredentialView, 'state' | 'trouble'>): boolean {
  return isDead(one) || one.state === 'reply_lost' || one.state === 'value_missing';
}
