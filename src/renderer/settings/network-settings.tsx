import { type SyntheticEvent, useState } from 'react';
import { problemText } from '../../text/connection.ts';
import type { PortalStatus } from '../../contract/portal.ts';
import type { Settings } from '../../contract/settings.ts';
import { proxyStateText, trustText } from '../../text/network.ts';
import { settingsText } from '../../text/settings.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { SubmitButton } from '../kit/button.tsx';
import { Row } from '../kit/layout.tsx';
import { TextField } from '../kit/text-field.tsx';
import { Text } from '../kit/text.tsx';
import { Setting } from './setting.tsx';
import styles from './settings.module.css';
import type { SaveSettings, Saving } from './use-settings.ts';
import { useTyped } from './use-typed.ts';

const { network: text } = settingsText;

/** How calls to other machines leave this one, and whom they trust. Saved when a field is left. */
export function NetworkSettings({
  settings,
  status,
  save,
}: {
  settings: Settings;
  status: PortalStatus;
  save: SaveSettings;
}) {
  const proxy = useTyped(settings.proxy, save, (typed) => ({ proxy: typed === '' ? 'system' : typed }));
  const exceptions = useTyped(settings.no_proxy ?? '', save, (typed) => ({
    no_proxy: typed === '' ? null : typed,
  }));
  const certificates = useTyped(settings.certificates ?? '', save, (typed) => ({
    certificates: typed === '' ? null : typed,
  }));
  return (
    <>
      <Setting title={text.proxy.title} hint={text.proxy.hint} saving={proxy.saving}>
        <form className={styles['wide']} noValidate onSubmit={proxy.send}>
          <TextField label={text.proxy.label} face="code" placeholder={text.proxy.example} {...proxy.field} />
        </form>
        {status.proxy === undefined ? null : (
          <Text tone="soft" size="small" breaks>
            {text.proxy.now(proxyStateText(status.proxy))}
          </Text>
        )}
      </Setting>
      {settings.proxy === 'system' || settings.proxy === 'off' ? null : <LoginSetting />}
      <Setting title={text.exceptions.title} hint={text.exceptions.hint} saving={exceptions.saving}>
        <form className={styles['wide']} noValidate onSubmit={exceptions.send}>
          <TextField
            label={text.exceptions.label}
            face="code"
            placeholder={text.exceptions.example}
            {...exceptions.field}
          />
        </form>
      </Setting>
      <Setting title={text.certificates.title} hint={text.certificates.hint} saving={certificates.saving}>
        <form className={styles['wide']} noValidate onSubmit={certificates.send}>
          <TextField
            label={text.certificates.label}
            face="code"
            placeholder={text.certificates.example}
            {...certificates.field}
          />
        </form>
        {status.certificates === undefined ? null : (
          <Text tone="soft" size="small" breaks>
            {text.certificates.now(trustText(status.certificates))}
          </Text>
        )}
      </Setting>
    </>
  );
}

/** The user name and the password of the proxy: they go to the vault, and are never shown again. */
function LoginSetting() {
  const [user, setUser] = useState('');
  const [password, setPassword] = useState('');
  const [saving, setSaving] = useState<Saving>({ kind: 'idle' });

  function send(event: SyntheticEvent): void {
    event.preventDefault();
    setSaving({ kind: 'saving' });
    void askPortal('setProxyLogin', { body: { user, password } }).then((reply) => {
      if (reply.kind !== 'ok') {
        setSaving({ kind: 'refused', reason: problemText(reply, 'settings_changed') });
        return;
      }
      setPassword('');
      setSaving({ kind: 'saved' });
    });
  }
  return (
    <Setting title={text.login.title} hint={text.login.hint} saving={saving}>
      <form className={styles['wide']} noValidate onSubmit={send}>
        <TextField label={text.login.user} value={user} onChange={setUser} />
        <TextField label={text.login.password} isSecret value={password} onChange={setPassword} />
        <Row gap={4}>
          <SubmitButton isBusy={saving.kind === 'saving'}>{text.login.save}</SubmitButton>
        </Row>
      </form>
    </Setting>
  );
}
