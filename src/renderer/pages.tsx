import { type ReactNode, Suspense } from 'react';
import { pagePaths } from '../contract/window/window-page.ts';
import { unreachable } from '../core/unreachable.ts';
import { windowText, windowTitle } from '../text/window/window.ts';
import { lazyWindow, PartFailure } from './kit/part-failure.tsx';
import { useLive } from './kit/live/use-live.ts';
import { portalStatus } from './kit/live/resource.ts';
import { useAddress } from './kit/navigation.ts';
import { WindowFrame } from './kit/window-frame.tsx';
import { WindowNav } from './kit/window-nav.tsx';
import { OverviewWindow } from './overview/overview-window.tsx';
import { Everywhere } from './palette/everywhere.tsx';

// Only the first view is there from the start.
const TokensWindow = lazyWindow(async () => (await import('./tokens/tokens-window.tsx')).TokensWindow);
const FamilyWindow = lazyWindow(async () => (await import('./tokens/family-window.tsx')).FamilyWindow);
const CredentialsWindow = lazyWindow(
  async () => (await import('./credentials/credentials-window.tsx')).CredentialsWindow,
);
const CredentialWindow = lazyWindow(
  async () => (await import('./credentials/credential-window.tsx')).CredentialWindow,
);
const HistoryWindow = lazyWindow(async () => (await import('./history/history-window.tsx')).HistoryWindow);
const SettingsWindow = lazyWindow(
  async () => (await import('./settings/settings-window.tsx')).SettingsWindow,
);
const RecordingsWindow = lazyWindow(
  async () => (await import('./recordings/recordings-window.tsx')).RecordingsWindow,
);
const ExtensionsWindow = lazyWindow(
  async () => (await import('./directory/directory-window.tsx')).ExtensionsWindow,
);
const SmsTemplatesWindow = lazyWindow(
  async () => (await import('./directory/directory-window.tsx')).SmsTemplatesWindow,
);
const HoursWindow = lazyWindow(async () => (await import('./hours/hours-window.tsx')).HoursWindow);
const ScheduleWindow = lazyWindow(async () => (await import('./hours/schedule-window.tsx')).ScheduleWindow);
const CallsWindow = lazyWindow(async () => (await import('./calls/calls-window.tsx')).CallsWindow);
const CallWindow = lazyWindow(async () => (await import('./calls/call-window.tsx')).CallWindow);
const PbxsWindow = lazyWindow(async () => (await import('./pbx/pbxs-window.tsx')).PbxsWindow);
const PbxWindow = lazyWindow(async () => (await import('./pbx/pbx-window.tsx')).PbxWindow);
const PbxSetupWindow = lazyWindow(async () => (await import('./pbx/pbx-setup-window.tsx')).PbxSetupWindow);
const MenusWindow = lazyWindow(async () => (await import('./ivr/menus-window.tsx')).MenusWindow);
const MenuWindow = lazyWindow(async () => (await import('./ivr/menu-window.tsx')).MenuWindow);
const DesignerWindow = lazyWindow(
  async () => (await import('./ivr/designer/window/designer-window.tsx')).DesignerWindow,
);

/** The page that the window's address names. Where one cannot be shown, the others and the palette still can. */
export function Pages() {
  const { page } = useAddress();
  return (
    <PartFailure>
      <Everywhere>
        <PartFailure at={page} frame={(notice) => <FailedWindow>{notice}</FailedWindow>}>
          <Suspense>
            <Page />
          </Suspense>
        </PartFailure>
      </Everywhere>
    </PartFailure>
  );
}

/** What is there in the place of a window that cannot be shown: why not, and the way to the others. */
function FailedWindow({ children }: { children: ReactNode }) {
  return (
    <WindowFrame
      title={windowTitle(windowText.failure.window)}
      live={useLive(portalStatus)}
      nav={<WindowNav current={null} />}
    >
      {children}
    </WindowFrame>
  );
}

function Page() {
  const { page, id, before } = useAddress();
  switch (page) {
    case 'overview':
      return <OverviewWindow isIssuing={false} />;
    case 'tokens':
      return <TokensWindow isIssuing={false} />;
    case 'issue':
      return before === pagePaths.tokens ? <TokensWindow isIssuing /> : <OverviewWindow isIssuing />;
    case 'family':
      return <FamilyWindow key={id} id={id} />;
    case 'credentials':
    case 'add-credential':
      return <CredentialsWindow isAdding={page === 'add-credential'} />;
    case 'credential':
      return <CredentialWindow key={id} name={id} />;
    case 'history':
      return <HistoryWindow />;
    case 'settings':
      return <SettingsWindow />;
    case 'recordings':
      return <RecordingsWindow />;
    case 'extensions':
      return <ExtensionsWindow />;
    case 'sms-templates':
      return <SmsTemplatesWindow />;
    case 'opening-hours':
      return <HoursWindow />;
    case 'schedule':
      return <ScheduleWindow key={id} id={id} />;
    case 'calls':
      return <CallsWindow />;
    case 'call':
      return <CallWindow key={id} id={id} />;
    case 'telephone-systems':
      return <PbxsWindow />;
    case 'telephone-system':
      return <PbxWindow key={id} name={id} />;
    case 'add-telephone-system':
      return <PbxSetupWindow />;
    case 'menus':
      return <MenusWindow />;
    case 'menu':
      return <MenuWindow key={id} id={id} />;
    case 'draft':
      return <DesignerWindow key={id} id={id} />;
    default:
      return unreachable(page);
  }
}
