import { type SyntheticEvent, useState } from 'react';

import { defaultPort } from '../../contract/address.ts';
import { TextField } from '../kit/text-field.tsx';
import styles from './port-setting.module.css';
import { Setting } from './setting.tsx';
import { useSaving } from './use-saving.ts';
import type { SaveSettings } from './use-settings.ts';

/** The port from the next start on; empty is the usual one. Saved when the field is left. */
export function PortSetting({
  port,
  baseUrl,
  save,
}: {
  port: number | null;
  /** Where the service listens now. */
  baseUrl: string;
  save: SaveSettings;
}) {
  const { saving, submit, refuse } = useSaving(save);
  /** What is typed and not saved; null while there is nothing of that. */
  const [draft, setDraft] = useState<string | null>(null);

  async function commit(): Promise<void> {
    if (draft === null) return;
    const wish = draft.trim();
    if (wish === String(port ?? '')) {
      setDraft(null);
      refuse(null);
      return;
    }
    if (!/^\d*$/.test(wish)) {
      refuse('This must be a whole number from 1024 to 65535.');
      return;
    }
    // What was typed meanwhile stays.
    if (await submit({ port: wish === '' ? null : Number(wish) }))
      setDraft((now) => (now === draft ? null : now));
  }
  function send(event: SyntheticEvent): void {
    event.preventDefault();
    void commit();
  }
  return (
    <Setting
      title="Port"
      hint={`Empty is ${defaultPort}, the usual one. A start that names a port, with --port or ROTAVOX_PORT, has the last word.`}
      saving={saving.kind === 'refused' ? { kind: 'idle' } : saving} // a refusal is said at the field
    >
      <form className={styles['port']} noValidate onSubmit={send}>
        <TextField
          label="From the next start on"
          face="code"
          placeholder={String(defaultPort)}
          inputMode="numeric"
          value={draft ?? String(port ?? '')}
          error={saving.kind === 'refused' ? saving.reason : undefined}
          onChange={setDraft}
          onLeave={() => void commit()}
        />
      </form>
      <p role="status" className={styles['next']}>
        {nextStartWords(port ?? defaultPort, baseUrl)}
      </p>
    </Setting>
  );
}

/** What changes with the next start; nothing when it stays as it is. */
function nextStartWords(port: number, baseUrl: string): string {
  const next = new URL(baseUrl);
  next.port = String(port);
  if (next.origin === new URL(baseUrl).origin) return '';
  return `After the next start the address is ${next.origin}. Tell the apps that call it; until then it stays ${baseUrl}.`;
}
