import type { CredentialView } from '../../../contract/credential-view.ts';
import { havingWords } from '../../kit/having-words.ts';
import { placeWords } from '../place-words.ts';
import { stateSign } from '../state-words.ts';
import { hostOf } from '../ways-out.ts';

/** The credentials that have every word somewhere: in the name, where it is from, how it is, where it is delivered. */
export function findCredentials(
  credentials: readonly CredentialView[],
  sought: string,
): readonly CredentialView[] {
  return havingWords(credentials, sought, (one) =>
    [
      one.name,
      one.service === 'embedded' ? 'this service' : hostOf(one.base_url),
      stateSign(one).words,
      ...one.targets.map(({ target }) => placeWords(target)),
    ].join('\n'),
  );
}
