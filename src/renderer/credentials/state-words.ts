import type { CredentialState, TroubleKind } from '../../contract/credential-view.ts';
import { credentialLabel } from '../../text/credentials.ts';

/** How a credential is, told apart by shape before colour. */
export type StateShape = 'disc' | 'ring' | 'half' | 'bars' | 'triangle' | 'cross' | 'lock' | 'bell';
export type StateTone = 'good' | 'accent' | 'pause' | 'warn' | 'bad';

export interface StateSign {
  readonly shape: StateShape;
  readonly tone: StateTone;
  readonly words: string;
}

const signs: Record<CredentialState, Omit<StateSign, 'words'>> = {
  reply_lost: { shape: 'cross', tone: 'bad' },
  value_missing: { shape: 'cross', tone: 'bad' },
  expired: { shape: 'cross', tone: 'bad' },
  refused: { shape: 'triangle', tone: 'bad' },
  vault_unavailable: { shape: 'lock', tone: 'bad' },
  failing: { shape: 'triangle', tone: 'bad' },
  rotating: { shape: 'ring', tone: 'accent' },
  due: { shape: 'half', tone: 'accent' },
  delivery_failing: { shape: 'triangle', tone: 'warn' },
  reminder: { shape: 'bell', tone: 'pause' },
  paused: { shape: 'bars', tone: 'pause' },
  fine: { shape: 'disc', tone: 'good' },
};

/** Refusals after which the token never works again. */
const finalRefusals: ReadonlySet<TroubleKind> = new Set(['invalid', 'superseded', 'blacklisted']);

/** A credential's state as a shape, a tone and a few words. */
export function stateSign({
  state,
  trouble,
}: {
  readonly state: CredentialState;
  readonly trouble: { readonly kind: TroubleKind } | null;
}): StateSign {
  const kind = trouble?.kind ?? null;
  const isFinal = state === 'refused' && kind !== null && finalRefusals.has(kind);
  return { ...signs[isFinal ? 'value_missing' : state], words: credentialLabel(state, kind) };
}
