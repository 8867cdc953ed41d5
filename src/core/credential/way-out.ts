import type { Credential } from './credential.ts';

/**
 * What a person can do for a credential whose value no attempt can replace any more, as a sentence with the command.
 *
 * Of another service only the origin is named: the portal is there, whatever path its API has.
 */
export function wayOut({ baseUrl, name }: Pick<Credential, 'baseUrl' | 'name'>): string {
  return baseUrl === null
    ? `Issue it again with the same settings: \`rotavox credential reissue ${name}\`.`
    : `Issue a new token in the portal of ${originOf(baseUrl)} and paste it: \`rotavox credential replace ${name}\`.`;
}

/** The same where the service has no rotate endpoint: the address is wrong, or it cannot rotate. */
export function endpointWayOut(name: string): string {
  return (
    `Is the address wrong, remove the credential and add it with the right one. Does the service get the endpoint later: ` +
    `\`rotavox credential test ${name}\`. To be reminded before the token expires, and nothing more: \`rotavox credential remind ${name}\`.`
  );
}

/** Scheme, host and port: `BaseUrl` lets no user, query or fragment in: everything before the path. */
export function originOf(baseUrl: string): string {
  return /^[a-z]+:\/\/[^/]+/i.exec(baseUrl)?.[0] ?? baseUrl;
}
