/**
 * What answers does not keep the contract: another program at that address, or a service of another version.
 *
 * The answer itself is not kept: it may hold anything, also a secret.
 */
export class UnexpectedAnswer extends Error {
  readonly code = 'UNEXPECTED_ANSWER';
  readonly retry = false;
  readonly status: number;

  constructor(baseUrl: string, status: number) {
    super(
      `What answers at ${baseUrl === '' ? "the service's address" : baseUrl} does not speak like this version of ` +
        `Rotavox (HTTP ${status}).`,
    );
    this.name = 'UnexpectedAnswer';
    this.status = status;
  }
}
