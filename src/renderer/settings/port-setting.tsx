import { defaultPort } from '../../contract/address.ts';
import { settingsText } from '../../text/service/settings-text.ts';
import { TextField } from '../kit/text-field.tsx';
import { Text } from '../kit/text.tsx';
import styles from './settings.module.css';
import { Setting } from './setting.tsx';
import type { SaveSettings } from './use-settings.ts';
import { useTyped } from './use-typed.ts';

const { port: text } = settingsText;

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
    /^\d*$/.test(typed) ? { port: typed === '' ? null : Number(typed) } : text.invalid,
  );

  return (
    <Setting title={text.title} hint={text.hint(defaultPort)} saving={saving}>
      <form className={styles['port']} noValidate onSubmit={send}>
        <TextField
          label={text.label}
          face="code"
          placeholder={String(defaultPort)}
          inputMode="numeric"
          {...field}
        />
      </form>
      <div className={styles['wide']}>
        <Text role="status" tone="soft" size="small" breaks>
          {nextStart(port ?? defaultPort, baseUrl)}
        </Text>
      </div>
    </Setting>
  );
}

/** What changes with the next start; nothing when it stays as it is. */
function nextStart(port: number, baseUrl: string): string {
  const next = new URL(baseUrl);
  next.port = String(port);
  if (next.origin === new URL(baseUrl).origin) return '';
  return text.next(next.origin, baseUrl);
}
