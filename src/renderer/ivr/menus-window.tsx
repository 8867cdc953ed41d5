import { combineLive } from '../kit/live/combine-live.ts';
import { useLive } from '../kit/live/use-live.ts';
import { DraftsCard } from './drafts/drafts-card.tsx';
import { allDrafts } from './drafts/read-drafts.ts';
import { FirstMenu } from './first-menu.tsx';
import { MenuList } from './menu-list.tsx';
import { MenusFrame } from './menus-frame.tsx';
import { storedMenus } from './read-menus.ts';

/** What is being designed, and the stored phone menus, or how to make the first one. */
export function MenusWindow() {
  const live = combineLive({ drafts: useLive(allDrafts), stored: useLive(storedMenus) });
  const known = live.known?.value;
  return (
    <MenusFrame live={live} heading="Phone menus">
      {known === undefined ? null : (
        <>
          <DraftsCard drafts={known.drafts} />
          {known.stored.menus.length === 0 ? (
            <FirstMenu baseUrl={known.stored.status.base_url} />
          ) : (
            <MenuList menus={known.stored.menus} />
          )}
        </>
      )}
    </MenusFrame>
  );
}
