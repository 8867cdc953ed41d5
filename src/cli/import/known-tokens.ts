import type { ProviderView } from '../../contract/credential/provider-view.ts';
import type { ProviderChoice } from '../../contract/credential/provider.ts';
import { useHeader, writeUse } from '../../contract/credential/use-header.ts';
import { isUnknownService, type KnownToken, serviceOfToken } from '../../core/credential/plan-import.ts';
import { CommandFailure } from '../command-failure.ts';
import { parentProgram } from '../parent-program.ts';
import type { Portal } from '../open-portal.ts';

interface CredentialTokens {
  readonly known: readonly (KnownToken & { readonly expiresAt: string })[];
  readonly names: readonly string[];
  /** How many could not be read. */
  readonly unread: number;
}

/** The tokens of all credentials, to compare in memory. It counts as no use: they are not handed out. */
export async function knownTokens(portal: Portal): Promise<CredentialTokens> {
  const { credentials } = await portal.ask('listCredentials');
  const known: (KnownToken & { expiresAt: string })[] = [];
  for (const { name, generation, targets, expires_at: expiresAt } of credentials) {
    const headers = { [useHeader]: writeUse({ way: 'get', program: parentProgram(), has: generation }) };
    try {
      const { value } = await portal.ask('readCredentialValue', { params: { name }, headers });
      known.push({ name, token: value, targets: targets.map(({ target }) => target), expiresAt });
    } catch (error) {
      // Such as one whose token does not work any more.
      if (!(error instanceof CommandFailure)) throw error;
    }
  }
  const names = credentials.map(({ name }) => name);
  return { known, names, unread: names.length - known.length };
}

/** What a service is called; null: nothing is known of it. */
export function serviceName(choice: ProviderChoice, views: readonly ProviderView[]): string | null {
  if (isUnknownService(choice)) return null;
  const view = views.find(({ id }) => id === choice.id);
  return view?.services.find(({ value }) => value === choice.inputs['service'])?.name ?? view?.name ?? null;
}

/** Whether a token begins as those of a known service. */
export function isKnownToken(views: readonly ProviderView[]) {
  return (token: string): boolean => {
    const service = serviceOfToken(token, views);
    return service !== null && !isUnknownService(service);
  };
}
