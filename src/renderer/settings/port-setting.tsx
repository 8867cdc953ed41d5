import { defaultPort } from '../../contract/address.ts';
import { TextField } from '../kit/text-field.tsx';
import styles from './settings.module.css';
import { Setting } from './setting.tsx';
import type { SaveSettings } from './use-settings.ts';
import { useTyped } from './use-typed.ts';

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
  const { saving, field, send } = useTyped(String(port ?? ''), save, (typed) =>
    /^\d*$/.test(typed)
      ? { port: typed === '' ? null : Number(typed) }
      : 'This must be a whole number from 1024 to 65535.',
  );

  return (
    <Setting
      title="Port"
      hint={`Empty is ${defaultPort}, the usual one. A start that names a port, with --port or ROTAVOX_PORT, has the last word.`}
      saving={saving}
    >
      <form className={styles['port']} noValidate onSubmit={send}>
        <TextField
          label="From the next start on"
          face="code"
          placeholder={String(defaultPort)}
          inputMode="numeric"
          {...field}
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
