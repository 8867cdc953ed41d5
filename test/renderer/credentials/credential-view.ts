import type { CredentialView, TroubleKind } from '../../../src/contract/credential/credential-view.ts';
import { credentialIdNamed } from '../../fixtures/credential-events.ts';
import { quietCredential } from '../../fixtures/quiet-credential.ts';

/** A credential of this service, seven days long and well. */
export function credentialView(differences: Partial<CredentialView> = {}): CredentialView {
  return {
    ...quietCredential,
    id: credentialIdNamed('app'),
    name: 'app',
    service: 'embedded',
    base_url: 'http://127.0.0.1:7682',
    generation: 3,
    obtained_at: '2026-01-01T00:00:00.000Z',
    expires_at: '2026-01-08T00:00:00.000Z',
    validity_days: 7,
    can_rotate: true,
    next_rotation_at: '2026-01-05T16:00:00.000Z',
    planned: [],
    last_rotated_at: '2026-01-01T00:00:00.000Z',
    ...differences,
  };
}

/** A trouble of a kind. */
export function trouble(kind: TroubleKind): NonNullable<CredentialView['trouble']> {
  return {
    kind,
    message: `It says ${kind}.`,
    since: '2026-01-02T00:00:00.000Z',
    attempts: 1,
    next_try_at: null,
  };
}
