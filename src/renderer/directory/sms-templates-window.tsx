import { smsTemplatesText as text } from '../../text/directory-text.ts';
import { Link } from '../kit/link.tsx';
import { useLive } from '../kit/live/use-live.ts';
import pageStyles from '../kit/page.module.css';
import { RichText } from '../kit/rich-text.tsx';
import { presentSettings } from '../settings/use-settings.ts';
import { DirectoryWindow } from './directory-window.tsx';
import { smsTemplates } from './use-directory.ts';
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
      <RichText
        text={text.off}
        parts={{
          link: (
            <Link to="/settings#menus" className={pageStyles['link']}>
              {text.switchOn}
            </Link>
          ),
        }}
      />
    </p>
  );
}
