/**
 * Why the microphone could not be had, and what to do, by the name of the error that the browser threw.
 *
 * `isApp`: the desktop app has allowed it already, so what denies it there is the system.
 */
export function microphoneTrouble(errorName: string, isApp: boolean): string {
  switch (errorName) {
    case 'NotAllowedError':
      return isApp
        ? 'The system does not let Rotavox listen. Allow it the microphone in the system’s privacy settings, then try again.'
        : 'The browser may not listen. Allow this page the microphone, with the sign beside the address, then try again.';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'No microphone was found. Connect one, or turn it on in the system’s sound settings, then try again.';
    case 'NotReadableError':
    case 'AbortError':
      return 'The microphone does not answer; another program may be using it. Close that program, then try again.';
    case 'SecurityError':
      return 'This page may not listen, because it is not at 127.0.0.1 or localhost. Open it there, with a new sign-in link.';
    default:
      return `The microphone could not be started (${errorName}). Try again, or upload a file instead.`;
  }
}
