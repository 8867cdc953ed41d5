import { useCallback, useEffect, useState } from 'react';
import type { TeamHostState } from '../../contract/service/team-host.ts';
import { teamHostSettingText as text } from '../../text/service/team-host-text.ts';
import { SecretField } from '../credentials/token-fields.tsx';
import { Button, SubmitButton } from '../kit/button.tsx';
import { type Desktop, desktopWords } from '../kit/desktop-bridge.ts';
import { Form, FormText, useCheckedForm } from '../kit/form.tsx';
import { Row } from '../kit/layout.tsx';
import { Setting } from './setting.tsx';
import styles from './settings.module.css';
import type { Saving } from './use-settings.ts';

type Call<C extends keyof Desktop> = NonNullable<Desktop[C]>;

/** The host for a team that the desktop app shows beside this computer. The app keeps this, not the service. */
export function TeamHostSetting({
  read,
  connect,
  disconnect,
}: {
  read: Call<'readTeamHost'>;
  connect: Call<'connectTeamHost'>;
  disconnect: Call<'disconnectTeamHost'>;
}) {
  const [state, setState] = useState<TeamHostState | null>();
  const [saving, setSaving] = useState<Saving>({ kind: 'idle' });
  const refuse = (error: unknown): void => setSaving({ kind: 'refused', reason: desktopWords(error) });

  const readAgain = useCallback(() => {
    read().then(setState, refuse);
  }, [read]);
  // Also when the window is come back to: the command line changes it too, and a host may have answered meanwhile.
  useEffect(() => {
    readAgain();
    addEventListener('focus', readAgain);
    return () => removeEventListener('focus', readAgain);
  }, [readAgain]);

  function leave(): void {
    setSaving({ kind: 'idle' });
    disconnect().then(readAgain, refuse);
  }
  if (state === undefined) return null;
  return (
    <Setting
      title={text.title}
      hint={state === null ? text.none : (state.problem ?? text.connected(state.url))}
      saving={saving}
    >
      {state === null || state.needsKey ? (
        <ConnectForm
          key={state?.url ?? ''}
          url={state?.url ?? ''}
          connect={connect}
          onConnected={readAgain}
          onFailed={refuse}
          onLeave={state === null ? null : leave}
        />
      ) : (
        <Button onPress={leave}>{text.disconnect}</Button>
      )}
    </Setting>
  );
}

interface Typed {
  url: string;
  key: string;
}

function ConnectForm({
  url,
  connect,
  onConnected,
  onFailed,
  onLeave,
}: {
  url: string;
  connect: Call<'connectTeamHost'>;
  onConnected: () => void;
  onFailed: (error: unknown) => void;
  /** Null where none is chosen. */
  onLeave: (() => void) | null;
}) {
  const form = useCheckedForm<Typed, Typed>((values) => ({ values, errors: {} }), { url, key: '' });

  async function send(typed: Typed): Promise<void> {
    const outcome = await connect(typed.url, typed.key).catch((error: unknown) => {
      onFailed(error);
      return null;
    });
    if (outcome === null) return;
    if (outcome.problem === null) onConnected();
    else form.setError('key', { type: 'sentence', message: outcome.problem });
  }
  return (
    <div className={styles['wide']}>
      <Form form={form} onSend={send}>
        <FormText name="url" text={text.address} face="code" inputMode="url" isRequired />
        <SecretField {...text.key} name="key" />
        <Row gap={2}>
          <SubmitButton isBusy={form.formState.isSubmitting}>{text.connect}</SubmitButton>
          {onLeave === null ? null : <Button onPress={onLeave}>{text.disconnect}</Button>}
        </Row>
      </Form>
    </div>
  );
}
