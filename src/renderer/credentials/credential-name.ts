import type { ProviderView } from '../../contract/credential/provider-view.ts';

/** A name for a credential, from what its token or its service is called, in the letters that may be used. */
export function credentialNameOf(called: string): string {
  return called
    .trim()
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|(?<!-)-+$/g, '')
    .slice(0, 63);
}

/** What a service is called that a person describes: as it was chosen, or by the host of its address. */
export function nameOfService(
  { inputs }: Pick<ProviderView, 'inputs'>,
  given: Readonly<Record<string, string>>,
  address: string,
): string {
  const [first] = inputs.find(({ name }) => name === 'service')?.choices ?? [];
  const { service = first?.value, issuer = '' } = given;
  const isNamed = service !== undefined && service !== 'other';
  return isNamed ? service : hostOf(address) || hostOf(issuer);
}

/** The host of an address that a person types; empty as long as there is none. */
export function hostOf(address: string): string {
  return /^https?:\/\/([^/?#:]+)/i.exec(address.trim())?.[1] ?? '';
}
