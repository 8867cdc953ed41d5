import type { CredentialId } from '../../contract/credential/credential.ts';
import type { ProviderChoice } from '../../contract/credential/provider.ts';
import type { SignInView, StartSignIn } from '../../contract/credential/sign-in.ts';
import { isNameTaken, validityRefusal } from '../../core/credential/find-credential.ts';
import { nameTaken } from '../../core/credential/store-token.ts';
import { refused } from '../../core/result.ts';
import { invariant } from '../../core/unreachable.ts';
import { isSignedIn } from '../../providers/catalogue.ts';
import { parseOAuthSecret } from '../../providers/oauth2/oauth-secret.ts';
import { currentEntry } from '../vault/token-entries.ts';
import { type Answer, inTurnOf, waitsForMove, withCredential } from './answer-for.ts';
import {
  certificateRefusal,
  type ReplacementPorts,
  storeFirst,
  storeReplacement,
  whileNameIsFree,
} from './enter-token.ts';
import { newSecretOf } from './inspect-token.ts';
import type { SignIns } from './sign-ins.ts';

interface SignInPorts extends ReplacementPorts {
  readonly signIns: SignIns;
}

/** Begins a sign-in that adds a credential, or gives an existing one new tokens. */
export function startSignIn(ports: SignInPorts, id: CredentialId, wanted: StartSignIn): Answer<SignInView> {
  return wanted.provider === undefined
    ? signInAgain(ports, wanted)
    : signInFirst(ports, id, { ...wanted, provider: wanted.provider });
}

async function signInFirst(
  ports: SignInPorts,
  id: CredentialId,
  wanted: StartSignIn & { readonly provider: ProviderChoice },
): Answer<SignInView> {
  const { ledger, signIns } = ports;
  const { name, provider, base_url: baseUrl, policy, client_secret: clientSecret = null } = wanted;
  const { client_certificate: certificate } = wanted;
  if (!isSignedIn(provider)) {
    return refused({ problem: 'conflict', reason: { code: 'no_sign_in', name } });
  }
  if (isNameTaken(ledger.state, name)) return refused(nameTaken(name));
  const untold = validityRefusal({ baseUrl, provider }, policy, 'policy.validity_days');
  if (untold !== null) return refused(untold);
  const unusable = certificateRefusal(certificate);
  if (unusable !== null) return refused(unusable);
  invariant(baseUrl !== null, 'the contract fills in the address of a provider');
  const clientCertificate = certificate === undefined ? undefined : () => Promise.resolve(certificate);
  const at = { provider, baseUrl, clientSecret, clientCertificate };
  return signIns.start(wanted, at, (minted, obtainedAtMs) =>
    whileNameIsFree(ports, name, async () => {
      const { secret, stored } = await newSecretOf(ports, baseUrl, minted, obtainedAtMs);
      const command = { id, name, provider, baseUrl, policy, stored, canRotate: true };
      return storeFirst(ports, command, secret, certificate);
    }),
  );
}

/** With the same client, so that the person is asked for nothing but to sign in. */
function signInAgain(ports: SignInPorts, wanted: StartSignIn): Answer<SignInView> {
  const { name } = wanted;
  return withCredential(ports, name, async (credential) => {
    const waiting = waitsForMove(ports);
    if (waiting !== null) return refused(waiting);
    const { provider, baseUrl } = credential;
    if (!isSignedIn(provider) || baseUrl === null) {
      return refused({ problem: 'conflict', reason: { code: 'no_sign_in', name } });
    }
    const entry = await ports.vault.read(currentEntry(name));
    const known = entry === null ? null : parseOAuthSecret(entry);
    const clientSecret = wanted.client_secret ?? known?.client_secret ?? null;
    const at = { provider, baseUrl, clientSecret, ...ports.services.presentedTo(credential) };
    return ports.signIns.start(wanted, at, (minted, obtainedAtMs) =>
      inTurnOf(ports, name, async (now) => {
        const entered = await newSecretOf(ports, now.baseUrl, minted, obtainedAtMs);
        return storeReplacement(ports, now, entered, 'signed_in');
      }),
    );
  });
}
