import { CopyButton } from '../kit/copy-button.tsx';
import { Setting } from './setting.tsx';
import styles from './address-setting.module.css';

/** Where apps reach the service now. */
export function AddressSetting({ baseUrl }: { baseUrl: string }) {
  return (
    <Setting
      title="Address"
      hint="What apps on this machine call. It is a loopback address: nothing on the network can reach it."
      saving={{ kind: 'idle' }}
    >
      <code className={styles['address']}>{baseUrl}</code>
      <CopyButton text={baseUrl} what="the address" />
    </Setting>
  );
}
