import type { CredentialUse } from '../../../contract/credential/use.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import type { Resource } from '../../kit/live/resource.ts';

/** Who uses a credential. */
export function whoUses(name: string): Resource<CredentialUse> {
  return {
    key: ['credentials', 'use', name],
    about: ['credential.', 'proxy.'],
    read: (signal) => askPortal('readCredentialUse', { params: { name }, signal }),
  };
}
