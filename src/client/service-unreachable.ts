/**
 * Nothing answered at the service's address, or the answer broke off.
 *
 * Whether a change that was asked for has happened is not known. `cause` is the runtime's own error.
 */
export class ServiceUnreachable extends Error {
  readonly code = 'SERVICE_UNREACHABLE';
  readonly retry = true;
  readonly baseUrl: string;

  constructor(baseUrl: string, options?: { cause: unknown }) {
    super(`Nothing answers at ${baseUrl === '' ? "the service's address" : baseUrl}.`, options);
    this.name = 'ServiceUnreachable';
    this.baseUrl = baseUrl;
  }
}
