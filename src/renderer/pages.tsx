import { lazy, Suspense } from 'react';

import { pagePaths } from '../contract/window/window-page.ts';
import { unreachable } from '../core/unreachable.ts';
import { useAddress } from './kit/navigation.ts';
import { PartFailure } from './kit/part-failure.tsx';
import { OverviewWindow } from './overview/overview-window.tsx';
import { Everywhere } from './palette/everywhere.tsx';

// Only the first view is there from the start.
const TokensWindow = lazy(async () => ({
  default: (await import('./tokens/tokens-window.tsx')).TokensWindow,
}));
const FamilyWindow = lazy(async () => ({
  default: (await import('./tokens/family-window.tsx')).FamilyWindow,
}));
const CredentialsWindow = lazy(async () => ({
  default: (await import('./credentials/credentials-window.tsx')).CredentialsWindow,
}));
const CredentialWindow = lazy(async () => ({
  default: (await import('./credentials/credential-window.tsx')).CredentialWindow,
}));
const HistoryWindow = lazy(async () => ({
  default: (await import('./history/history-window.tsx')).HistoryWindow,
}));
const SettingsWindow = lazy(async () => ({
  default: (await import('./settings/settings-window.tsx')).SettingsWindow,
}));
const RecordingsWindow = lazy(async () => ({
  default: (await import('./recordings/recordings-window.tsx')).RecordingsWindow,
}));
const ExtensionsWindow = lazy(async () => ({
  default: (await import('./directory/directory-window.tsx')).ExtensionsWindow,
}));
const SmsTemplatesWindow = lazy(async () => ({
  default: (await import('./directory/directory-window.tsx')).SmsTemplatesWindow,
}));
const CallsWindow = lazy(async () => ({ default: (await import('./calls/calls-window.tsx')).CallsWindow }));
const CallWindow = lazy(async () => ({ default: (await import('./calls/call-window.tsx')).CallWindow }));
const PbxsWindow = lazy(async () => ({ default: (await import('./pbx/pbxs-window.tsx')).PbxsWindow }));
const PbxWindow = lazy(async () => ({ default: (await import('./pbx/pbx-window.tsx')).PbxWindow }));
const PbxSetupWindow = lazy(async () => ({
  default: (await import('./pbx/pbx-setup-window.tsx')).PbxSetupWindow,
}));
const MenusWindow = lazy(async () => ({ default: (await import('./ivr/menus-window.tsx')).MenusWindow }));
const MenuWindow = lazy(async () => ({ default: (await import('./ivr/menu-window.tsx')).MenuWindow }));
const DesignerWindow = lazy(async () => ({
  default: (await import('./ivr/designer/window/designer-window.tsx')).DesignerWindow,
}));

/** The page that the window's address names. */
export function Pages() {
  return (
    <PartFailure>
      <Everywhere>
        <Suspense>
          <Page />
        </Suspense>
      </Everywhere>
    </PartFailure>
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
