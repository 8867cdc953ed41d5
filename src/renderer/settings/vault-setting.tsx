import type { VaultKind } from '../../contract/credential-view.ts';
import { settingsText as text } from '../../text/settings.ts';
import { whereTokensAre } from '../../text/vault.ts';
import { Setting } from './setting.tsx';

/** Where the tokens of credentials are, and what protects them there. */
export function VaultSetting({ vault }: { vault: VaultKind }) {
  return <Setting title={text.vault.title} hint={whereTokensAre(vault)} saving={{ kind: 'idle' }} />;
}
