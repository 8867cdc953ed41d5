import { checkoutDir } from './checkout.ts';

/**
 * Goes back to the folder that `npm run rotavox` was called from, where relative paths mean what the person means.
 *
 * npm runs a script in the folder of its package and leaves the other one in `INIT_CWD`. A folder that is gone meanwhile has
 * no relative paths, so then we stay.
 */
export function goWhereCalled(env: NodeJS.ProcessEnv): void {
  const { INIT_CWD: calledFrom, npm_lifecycle_event: script } = env;
  if (script !== 'rotavox' || calledFrom === undefined || process.cwd() !== checkoutDir) return;
  try {
    process.chdir(calledFrom);
  } catch {
    // Gone, or closed to us: see above.
  }
}
