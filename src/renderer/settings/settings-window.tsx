import { desktop } from '../kit/desktop.ts';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { AboutSetting } from './about-setting.tsx';
import { AddressSetting } from './address-setting.tsx';
import { DataFolderSetting } from './data-folder-setting.tsx';
import { DirectoriesSetting } from './directories-setting.tsx';
import { LicencesSetting } from './licences/licences-setting.tsx';
import { OpenAtLoginSetting } from './open-at-login-setting.tsx';
import { PortSetting } from './port-setting.tsx';
import { QuietHoursSetting } from './quiet-hours-setting.tsx';
import { RotationDefaultsSetting } from './rotation-defaults-setting.tsx';
import { SectionList } from './section-list.tsx';
import { SettingsSection } from './settings-section.tsx';
import styles from './settings-window.module.css';
import { SignOutSetting } from './sign-out-setting.tsx';
import { SwitchSetting } from './switch-setting.tsx';
import { ThemeSetting } from './theme-setting.tsx';
import { UpdateFeedSetting } from './update-feed-setting.tsx';
import { useSettings } from './use-settings.ts';
import { useWantedSection } from './use-wanted-section.ts';

/** What the owner can set. Each change is saved at once; there is no button for it. */
export function SettingsWindow() {
  const { live, known, save } = useSettings();
  useWantedSection(known !== undefined);
  return (
    <WindowFrame
      title="Settings — Rotavox"
      heading="Settings"
      live={live}
      nav={<WindowNav current="settings" />}
    >
      {known === undefined ? null : (
        <div className={styles['settings']}>
          <SectionList />
          <div className={styles['sections']}>
            <SettingsSection id="appearance">
              <ThemeSetting theme={known.settings.theme} save={save} />
            </SettingsSection>
            <SettingsSection id="notifications">
              <SwitchSetting
                title="Tell me what needs me"
                hint="The desktop app tells of failures: a rotation that does not work, a token used after it was replaced, a locked keychain. Never of success, never by the calendar."
                name="notifications_enabled"
                isOn={known.settings.notifications_enabled}
                save={save}
              />
              <QuietHoursSetting hours={known.settings.quiet_hours} save={save} />
            </SettingsSection>
            <SettingsSection id="rotation">
              <RotationDefaultsSetting settings={known.settings} save={save} />
            </SettingsSection>
            <SettingsSection id="address">
              <AddressSetting baseUrl={known.status.base_url} />
              <PortSetting port={known.settings.port} baseUrl={known.status.base_url} save={save} />
            </SettingsSection>
            <SettingsSection id="menus">
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
            </SettingsSection>
            <SettingsSection id="directories">
              <DirectoriesSetting />
            </SettingsSection>
            <SettingsSection id="computer">
              {desktop?.readOpenAtLogin === undefined || desktop.setOpenAtLogin === undefined ? null : (
                <OpenAtLoginSetting read={desktop.readOpenAtLogin} set={desktop.setOpenAtLogin} />
              )}
              <DataFolderSetting path={known.status.data_dir} />
              <SignOutSetting />
            </SettingsSection>
            <SettingsSection id="updates">
              <UpdateFeedSetting feed={known.settings.update_feed} save={save} />
            </SettingsSection>
            <SettingsSection id="about">
              <AboutSetting status={known.status} />
              <LicencesSetting />
            </SettingsSection>
          </div>
        </div>
      )}
    </WindowFrame>
  );
}
