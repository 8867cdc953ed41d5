import type { PortalStatus } from '../../contract/portal.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { Moment } from '../kit/moment.tsx';
import styles from './about-setting.module.css';
import { Setting } from './setting.tsx';

/** Which Rotavox this is, for whoever reports something, and where its calls are described. */
export function AboutSetting({ status }: { status: PortalStatus }) {
  const { version, pid, started_at: startedAt } = status;
  return (
    <Setting
      title={`Rotavox ${version}`}
      hint={
        <>
          Running since <Moment at={startedAt} />, process {pid}.
        </>
      }
      saving={{ kind: 'idle' }}
    >
      <a href="/docs" target="_blank" rel="noreferrer" className={styles['link']}>
        Reference of every call (opens in the browser)
      </a>
      <CopyButton text={`Rotavox ${version}, ${navigator.userAgent}`} what="the version, for a report" />
    </Setting>
  );
}
