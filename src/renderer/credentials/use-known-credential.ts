import { useQueryClient } from '@tanstack/react-query';

import type { CredentialView } from '../../contract/credential-view.ts';
import { changeKnown } from '../kit/live/change-known.ts';
import { allCredentials, oneCredential } from './read-credentials.ts';

/** Shows what the answer to our own change says at once, before the stream has told of it. */
export function useKnownCredential(): (now: CredentialView) => void {
  const cache = useQueryClient();
  return (now) => {
    changeKnown(cache, oneCredential(now.name), () => now);
    changeKnown(cache, allCredentials, (list) => ({
      ...list,
      credentials: list.credentials.map((one) => (one.id === now.id ? now : one)),
    }));
  };
}
