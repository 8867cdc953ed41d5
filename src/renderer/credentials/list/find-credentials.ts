import type { CredentialView } from '../../../contract/credential-view.ts';
import { placeWords } from '../place-words.ts';
import { stateSign } from '../state-words.ts';
import { hostOf } from '../ways-out.ts';

/** The credentials that have every word somewhere: in the name, where it is from, how it is, where it is delivered. */
export function findCredentials(
  credentials: readonly CredentialView[],
  text: string,
): readonly CredentialView[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return credentials;
  return credentials.filter((one) => {
    const all = [
      one.name,
      one.service === 'embedded' ? 'this service' : hostOf(one.base_url),
      stateSign(one).words,
      ...one.targets.map(({ target }) => placeWords(target)),
    ]
      .join('\n')
      .toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
