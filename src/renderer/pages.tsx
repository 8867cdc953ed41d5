import { lazy, Suspense } from 'react';

import { useAddress } from './kit/navigation.ts';
import { PartFailure } from './kit/part-failure.tsx';
import { StatusWindow } from './status/status-window.tsx';

// Only the first view is there from the start.
const SettingsWindow = lazy(async () => ({
  default: (await import('./settings/settings-window.tsx')).SettingsWindow,
}));
const MenusWindow = lazy(async () => ({ default: (await import('./ivr/menus-window.tsx')).MenusWindow }));
const MenuWindow = lazy(async () => ({ default: (await import('./ivr/menu-window.tsx')).MenuWindow }));

/** The page that the window's address names. */
export function Pages() {
  return (
    <PartFailure>
      <Suspense>
        <Page />
      </Suspense>
    </PartFailure>
  );
}

function Page() {
  const address = useAddress();
  switch (address.page) {
    case 'issue':
      return <StatusWindow isIssuing />;
    case 'settings':
      return <SettingsWindow />;
    case 'menus':
      return <MenusWindow />;
    case 'menu':
      return <MenuWindow key={address.id} id={address.id} />;
    default: // the other pages are being built
      return <StatusWindow isIssuing={false} />;
  }
}
