import { Card } from '../kit/card.tsx';
import { Column } from '../kit/columns.tsx';
import { desktop } from '../kit/desktop.ts';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { DataFolderSetting } from './data-folder-setting.tsx';
import { OpenAtLoginSetting } from './open-at-login-setting.tsx';
import { QuietHoursSetting } from './quiet-hours-setting.tsx';
import styles from './settings-window.module.css';
import { SwitchSetting } from './switch-setting.tsx';
import { UpdateFeedSetting } from './update-feed-setting.tsx';
import { useSettings } from './use-settings.ts';

/** What the owner can set. Each change is saved at once; there is no button for it. */
export function SettingsWindow() {
  const { live, known, save } = useSettings();
  return (
    <WindowFrame
      title="Settings — Rotavox"
      heading="Settings"
      live={live}
      nav={<WindowNav current="settings" />}
    >
      {known === undefined ? null : (
        <div className={styles['settings']}>
          <Column>
            <Card title="Notifications">
              <SwitchSetting
                title="Tell me what needs me"
                hint="The desktop app tells of failures: a rotation that does not work, a token used after it was replaced, a locked keychain. Never of success, never by the calendar."
                name="notifications_enabled"
                isOn={known.settings.notifications_enabled}
                save={save}
              />
              <QuietHoursSetting hours={known.settings.quiet_hours} save={save} />
            </Card>
            <Card title="Updates">
              <UpdateFeedSetting feed={known.settings.update_feed} save={save} />
            </Card>
            <Card title="Phone menus">
              <SwitchSetting
                title="SMS templates"
                hint={
                  <>
                    Whether <code>sms_template</code> of a menu is applied. While this is off, it is left out
                    with a warning.
                  </>
                }
                name="sms_templates_enabled"
                isOn={known.settings.sms_templates_enabled}
                save={save}
              />
            </Card>
            <Card title="This computer">
              {desktop?.readOpenAtLogin === undefined || desktop.setOpenAtLogin === undefined ? null : (
                <OpenAtLoginSetting read={desktop.readOpenAtLogin} set={desktop.setOpenAtLogin} />
              )}
              <DataFolderSetting path={known.status.data_dir} />
            </Card>
          </Column>
        </div>
      )}
    </WindowFrame>
  );
}
