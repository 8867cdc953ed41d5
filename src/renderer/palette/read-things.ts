import type { CredentialView } from '../../contract/credential-view.ts';
import type { Ivr } from '../../contract/ivr.ts';
import type { TokenView } from '../../contract/token.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Resource } from '../kit/live/resource.ts';

/** How many families what is typed may find. */
const maxFamilies = '20';

/** The credentials and phone menus: few enough to search in the window. */
export const namedThings: Resource<{
  readonly credentials: readonly CredentialView[];
  readonly menus: readonly Ivr[];
}> = {
  key: ['palette', 'things'],
  about: ['credential.', 'ivr.'],
  async read(signal) {
    const [credentials, menus] = await Promise.all([
      askPortal('listCredentials', { query: { planned: 'false' }, signal }),
      askPortal('portalListIvrs', { signal }),
    ]);
    if (credentials.kind !== 'ok') return credentials;
    if (menus.kind !== 'ok') return menus;
    return { kind: 'ok', value: { credentials: credentials.value.credentials, menus: menus.value.ivrs } };
  },
};

/** The newest token of each family that what is typed means. There may be very many: the service searches them. */
export function foundFamilies(typed: string): Resource<readonly TokenView[]> {
  const text = typed.trim();
  return {
    key: ['palette', 'families', text],
    about: ['token.'],
    keepsPrevious: true,
    async read(signal) {
      const reply = await askPortal('listTokens', {
        query: { newest: 'true', limit: maxFamilies, ...(text === '' ? {} : { text }) },
        signal,
      });
      return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.tokens } : reply;
    },
  };
}
