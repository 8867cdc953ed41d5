import { type ReactNode, useState, useEffect } from 'react';
import { windowTitle } from '../../text/window/window.ts';
import { Row, Stack } from '../kit/layout.tsx';
import { PathText, Text } from '../kit/text.tsx';
import { type PortalStatus, sessionIdleHours } from '../../contract/service/portal.ts';
import { Theme } from '../../contract/service/settings.ts';
import { settingsText as text } from '../../text/service/settings-text.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton, Button } from '../kit/button.tsx';
import { CopyButton } from '../kit/copy-button.tsx';
import { desktop, desktopWords } from '../kit/desktop-bridge.ts';
import { Link } from '../kit/link.tsx';
import { Moment } from '../kit/moment.tsx';
import { isOnLoopback, leaveSignedOut } from '../kit/page-key.ts';
import linkStyles from '../kit/link.module.css';
import { RichText } from '../kit/rich-text.tsx';
import { isBusyWith, useAct } from '../kit/use-act.ts';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { BackupSetting } from './backup-setting.tsx';
import { EndAllSetting } from './end-all-setting.tsx';
import { LicencesSetting } from './licences/licences-setting.tsx';
import { NetworkSettings } from './network-settings.tsx';
import { DesktopSwitchSettings, TeamHostSetting, TrayDrawingSetting } from './desktop-settings.tsx';
import { OwnersSetting, SessionRows } from './owners-setting.tsx';
import {
  CallRecordSettings,
  OutsideSettings,
  PortSetting,
  UpdateFeedSetting,
  VaultSetting,
} from './service-settings.tsx';
import { QuietHoursSetting } from './quiet-hours-setting.tsx';
import { RotationDefaultsSetting } from './rotation-defaults-setting.tsx';
import { ChosenSetting, Setting, SwitchSetting } from './setting.tsx';
import styles from './settings.module.css';
import { VoicesSettings } from './voices-settings.tsx';
import { type Saving, useSettings } from './use-settings.ts';
import { Card } from '../kit/card.tsx';

const themes = Theme.options.map((value) => ({ value, label: text.theme.themes[value] }));

/** What the owner can set. Each change is saved at once; there is no button for it. */
export function SettingsWindow() {
  const { live, known, save } = useSettings();
  useWantedSection(known !== undefined);
  return (
    <WindowFrame
      title={windowTitle(text.title)}
      heading={text.title}
      live={live}
      nav={<WindowNav current="settings" />}
    >
      {known === undefined ? null : (
        <Row gap={6} align="start" data-alone>
          <SectionList without={hasOwners(known.status) ? [] : ['owners']} />
          <Stack gap="cards" className={styles['sections']}>
            <SettingsSection id="appearance">
              <ChosenSetting
                {...text.theme}
                options={themes}
                present={known.settings.theme}
                save={save}
                read={(theme) => ({ theme })}
              />
            </SettingsSection>
            <SettingsSection id="notifications">
              <SwitchSetting
                {...text.notifications}
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
            <SettingsSection id="network">
              <NetworkSettings settings={known.settings} status={known.status} save={save} />
            </SettingsSection>
            <SettingsSection id="menus">
              <SwitchSetting
                title={text.smsTemplates.title}
                hint={<RichText text={text.smsTemplates.hint} parts={{ field: <code>sms_template</code> }} />}
                name="sms_templates_enabled"
                isOn={known.settings.sms_templates_enabled}
                save={save}
              />
              <OutsideSettings settings={known.settings} save={save} />
            </SettingsSection>
            <SettingsSection id="voices">
              <VoicesSettings settings={known.settings} save={save} />
            </SettingsSection>
            <SettingsSection id="calls">
              <CallRecordSettings settings={known.settings} save={save} />
            </SettingsSection>
            <SettingsSection id="directories">
              <DirectoriesSetting />
            </SettingsSection>
            {hasOwners(known.status) ? (
              <SettingsSection id="owners">
                <OwnersSetting />
                <SignOutSetting>
                  <SessionRows />
                </SignOutSetting>
              </SettingsSection>
            ) : null}
            <SettingsSection id="computer">
              <DesktopSwitchSettings desktop={desktop} />
              <TrayDrawingSetting desktop={desktop} />
              {desktop?.readTeamHost === undefined ||
              desktop.connectTeamHost === undefined ||
              desktop.disconnectTeamHost === undefined ? null : (
                <TeamHostSetting
                  read={desktop.readTeamHost}
                  connect={desktop.connectTeamHost}
                  disconnect={desktop.disconnectTeamHost}
                />
              )}
              {known.status.vault === undefined ? null : <VaultSetting vault={known.status.vault} />}
              {known.status.vault === undefined || known.status.vault.kind === 'postgres' ? null : (
                <BackupSetting />
              )}
              <EndAllSetting />
              <DataFolderSetting path={known.status.data_dir} />
              {hasOwners(known.status) ? null : <SignOutSetting />}
            </SettingsSection>
            <SettingsSection id="updates">
              <UpdateFeedSetting feed={known.settings.update_feed} save={save} />
            </SettingsSection>
            <SettingsSection id="about">
              <AboutSetting status={known.status} />
              <LicencesSetting />
            </SettingsSection>
          </Stack>
        </Row>
      )}
    </WindowFrame>
  );
}

/** One person on one computer has no use for owners; the first is added on the command line. */
function hasOwners({ owners = 0 }: PortalStatus): boolean {
  return owners > 0 || !isOnLoopback();
}

/** Which Rotavox this is, for whoever reports something, and where its calls are described. */
function AboutSetting({ status }: { status: PortalStatus }) {
  const { version, pid, started_at: startedAt } = status;
  return (
    <Setting
      title={text.about.title(version)}
      hint={<RichText text={text.about.hint(pid)} parts={{ at: <Moment at={startedAt} /> }} />}
      saving={{ kind: 'idle' }}
    >
      <a
        href="/docs"
        target="_blank"
        rel="noreferrer"
        className={[styles['value'], linkStyles['link']].join(' ')}
      >
        {text.about.reference}
      </a>
      <CopyButton text={`${text.about.title(version)}, ${navigator.userAgent}`} what={text.about.copy} />
    </Setting>
  );
}

/** Where apps reach the service now. */
function AddressSetting({ baseUrl }: { baseUrl: string }) {
  const { title, hint, networkHint } = text.addressNow;
  return (
    <Setting title={title} hint={baseUrl.startsWith('https:') ? networkHint : hint} saving={{ kind: 'idle' }}>
      <code className={styles['value']}>{baseUrl}</code>
      <CopyButton text={baseUrl} what={text.addressNow.copy} />
    </Setting>
  );
}

/** Where the service keeps what it knows, and the way there. It is chosen when the service is started. */
function DataFolderSetting({ path }: { path: string }) {
  const [saving, setSaving] = useState<Saving>({ kind: 'idle' });
  const showFolder = desktop?.showDataFolder;

  function show(): void {
    setSaving({ kind: 'idle' });
    showFolder?.().catch((error: unknown) => setSaving({ kind: 'refused', reason: desktopWords(error) }));
  }
  return (
    <Setting title={text.dataFolder.title} hint={text.dataFolder.hint} saving={saving}>
      <code className={styles['value']}>
        <PathText path={path} />
      </code>
      <Row gap={2}>
        <CopyButton text={path} what={text.dataFolder.copy} />
        {showFolder === undefined ? null : <Button onPress={show}>{text.dataFolder.show}</Button>}
      </Row>
    </Setting>
  );
}

/** The way to what phone menus are made of. */
function DirectoriesSetting() {
  return (
    <Stack as="ul" gap={3}>
      {text.directories.map(({ to, name, what }) => (
        <Row as="li" key={to} gap={2} align="baseline">
          <span className={styles['directory']}>
            <Link to={to}>{name}</Link>
          </span>
          <Text as="span" tone="soft" size="medium">
            {what}
          </Text>
        </Row>
      ))}
    </Stack>
  );
}

/** Ends what `rotavox open` began. The desktop app's own windows are never signed out. */
function SignOutSetting({ children }: { children?: ReactNode }) {
  const act = useAct();
  const [signedOut, setSignedOut] = useState<number>();
  const { state } = act;

  async function signOut(what: 'here' | 'everywhere'): Promise<void> {
    setSignedOut(undefined);
    const ask = () => askPortal('signOut', { body: { all_browsers: what === 'everywhere' } });
    const done = await act.run(what, ask, 'signed_out');
    if (done === null) return;
    if (desktop === undefined) await leaveSignedOut();
    else setSignedOut(done.value.signed_out);
  }
  return (
    <Setting
      title={text.signOut.title}
      hint={text.signOut.hint(sessionIdleHours)}
      saving={state.kind === 'refused' ? { kind: 'refused', reason: state.reason } : { kind: 'idle' }}
    >
      {children}
      {desktop !== undefined ? null : (
        <ActionButton isBusy={isBusyWith(act, 'here')} onPress={() => void signOut('here')}>
          {text.signOut.here}
        </ActionButton>
      )}
      <ActionButton isBusy={isBusyWith(act, 'everywhere')} onPress={() => void signOut('everywhere')}>
        {text.signOut.everywhere}
      </ActionButton>
      <p role="status">{signedOut === undefined ? null : text.signOut.done(signedOut)}</p>
    </Setting>
  );
}

/** The way to each section, where the window is wide enough to have it beside them. */
function SectionList({ without }: { without: readonly SectionId[] }) {
  const inSight = useSectionInSight();
  return (
    <nav className={styles['list']} aria-label={text.sections.label}>
      {sections
        .filter((id) => !without.includes(id))
        .map((id) => (
          <a
            key={id}
            href={`#${id}`}
            className={styles['link']}
            aria-current={id === inSight ? 'location' : undefined}
          >
            {text.sections[id]}
          </a>
        ))}
    </nav>
  );
}

/** The sections of the settings, in their order: what is looked for most comes first. */
const sections = [
  'appearance',
  'notifications',
  'rotation',
  'address',
  'network',
  'menus',
  'voices',
  'calls',
  'directories',
  'owners',
  'computer',
  'updates',
  'about',
] as const;

type SectionId = (typeof sections)[number];

/** Settings that belong together, with a place that the list beside them leads to. */
function SettingsSection({ id, children }: { id: SectionId; children: ReactNode }) {
  return (
    <div id={id} className={styles['section']}>
      <Card title={text.sections[id]}>{children}</Card>
    </div>
  );
}

/** The part of the window, from its top, in which a section counts as the one that is read. */
const readingPart = '0px 0px -60% 0px';

/** The section that is being read: the first one in the upper part of the window. */
function useSectionInSight(): SectionId {
  const [inSight, setInSight] = useState<SectionId>(sections[0]);

  useEffect(() => {
    const visible = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) visible.add(target.id);
          else visible.delete(target.id);
        }
        const first = sections.find((id) => visible.has(id));
        if (first !== undefined) setInSight(first);
      },
      { rootMargin: readingPart },
    );
    for (const id of sections) {
      const element = document.getElementById(id);
      if (element !== null) observer.observe(element);
    }
    return () => observer.disconnect();
  }, []);

  return inSight;
}

/** Brings the section that the address names (`/settings#menus`) into sight, as soon as it is there. */
function useWantedSection(isThere: boolean): void {
  useEffect(() => {
    if (!isThere || location.hash === '') return;
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [isThere]);
}
