import { useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useRef, useState } from 'react';
import type { NetworkStatus, ProxyLoginInput } from '../../contract/service/network.ts';
import type { PortalStatus } from '../../contract/service/portal.ts';
import type { Settings } from '../../contract/service/settings.ts';
import { proxyStateText, trustText } from '../../text/service/network-text.ts';
import { settingsText } from '../../text/service/settings-text.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Button, SubmitButton } from '../kit/button.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { changeKnown } from '../kit/live/window-cache.ts';
import { portalStatus } from '../kit/live/resource.ts';
import { TextField } from '../kit/text-field.tsx';
import { Text } from '../kit/text.tsx';
import { Setting, TypedSetting } from './setting.tsx';
import styles from './settings.module.css';
import { type SaveSettings, useSaving } from './use-settings.ts';

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
  return (
    <>
      <TypedSetting
        {...text.proxy}
        present={settings.proxy}
        save={save}
        read={(typed) => ({ proxy: typed === '' ? 'system' : typed })}
      >
        {status.proxy === undefined ? null : (
          <Text tone={status.proxy.problem === null ? 'soft' : 'warn'} size="small" breaks>
            {nowText(status.proxy)}
          </Text>
        )}
      </TypedSetting>
      {settings.proxy === 'system' || settings.proxy === 'off' ? null : (
        <LoginSetting isStored={status.proxy?.has_login === true} />
      )}
      <TypedSetting
        {...text.exceptions}
        present={settings.no_proxy ?? ''}
        save={save}
        read={(typed) => ({ no_proxy: typed === '' ? null : typed })}
      />
      <TypedSetting
        {...text.certificates}
        present={settings.certificates ?? ''}
        save={save}
        read={(typed) => ({ certificates: typed === '' ? null : typed })}
      >
        {status.certificates === undefined ? null : (
          <Text tone={status.certificates.problem === null ? 'soft' : 'warn'} size="small" breaks>
            {text.certificates.now(trustText(status.certificates))}
          </Text>
        )}
      </TypedSetting>
    </>
  );
}

function nowText(proxy: NetworkStatus['proxy']): string {
  const isDesktops = proxy.setting === 'system' && proxy.used === null && proxy.problem === null;
  return isDesktops ? text.proxy.nowNone : text.proxy.now(proxyStateText(proxy));
}

/** The user name and the password of the proxy: they go to the vault, and are never shown again. */
function LoginSetting({ isStored }: { isStored: boolean }) {
  const cache = useQueryClient();
  const [user, setUser] = useState('');
  const [password, setPassword] = useState('');
  const userRef = useRef<HTMLInputElement>(null);
  const { saving, submit } = useSaving(async (login: ProxyLoginInput | null) => {
    const reply = await (login === null
      ? askPortal('forgetProxyLogin', {})
      : askPortal('setProxyLogin', { body: login }));
    // No event tells of it.
    if (reply.kind === 'ok') changeKnown(cache, portalStatus, (known) => ({ ...known, ...reply.value }));
    return reply;
  }, 'proxy_login_changed');

  async function send(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    if (await submit({ user, password })) setPassword('');
  }
  async function forget(): Promise<void> {
    // Its button goes away.
    if (await submit(null)) userRef.current?.focus();
  }
  return (
    <Setting title={text.login.title} hint={text.login.hint} saving={saving}>
      <form className={styles['wide']} noValidate onSubmit={(event) => void send(event)}>
        <Stack gap={3}>
          <TextField ref={userRef} label={text.login.user} value={user} onChange={setUser} />
          <TextField label={text.login.password} isSecret value={password} onChange={setPassword} />
          <Row gap={2} wraps>
            <SubmitButton isBusy={saving.kind === 'saving'}>{text.login.save}</SubmitButton>
            {isStored ? <Button onPress={() => void forget()}>{text.login.remove}</Button> : null}
          </Row>
        </Stack>
      </form>
    </Setting>
  );
}
