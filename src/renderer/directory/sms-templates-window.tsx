import { useLive } from '../kit/live/use-live.ts';
import { presentSettings } from '../settings/read-settings.ts';
import { DirectoryWindow } from './directory-window.tsx';
import { SmsOffHint } from './sms-off-hint.tsx';
import { smsTemplates } from './sms-templates.ts';

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
