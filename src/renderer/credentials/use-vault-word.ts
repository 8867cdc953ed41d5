import { useLive } from '../kit/live/use-live.ts';
import { vault } from './read-credentials.ts';

/** What the place of the values is called here: the keychain, where there is one; nobody needs to learn another word. */
export function useVaultWord(): 'keychain' | 'vault' {
  const kind = useLive(vault).known?.value.kind ?? 'keychain';
  return kind === 'keychain' ? 'keychain' : 'vault';
}
