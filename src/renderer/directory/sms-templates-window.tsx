import { Link } from '../kit/link.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { presentSettings } from '../settings/use-settings.ts';
import { DirectoryWindow } from './directory-window.tsx';
import { smsTemplates } from './directory.ts';
import styles from './directory.module.css';

/** The SMS templates that this service knows, and whether menus send any. */
export function SmsTemplatesWindow() {
  const settings = useLive(presentSettings).known?.value;
  return (
    <DirectoryWindow
      directory={smsTemplates}
      hint={settings?.sms_templates_enabled === false ? <SmsOffHint /> : null}
    />
  );
}

/** Says that templates have no effect now, and where that is changed. */
function SmsOffHint() {
  return (
    <p className={styles['hint']}>
      SMS templates are switched off: menus leave them out. You can write them now and{' '}
      <Link to="/settings#menus" className={styles['link']}>
        switch them on in the settings
      </Link>{' '}
      when they are to be used.
    </p>
  );
}
