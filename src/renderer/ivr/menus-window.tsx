import { useLive } from '../kit/live/use-live.ts';
import { FirstMenu } from './first-menu.tsx';
import { MenuList } from './menu-list.tsx';
import { MenusFrame } from './menus-frame.tsx';
import { storedMenus } from './read-menus.ts';

/** The stored phone menus, or how to make the first one. */
export function MenusWindow() {
  const live = useLive(storedMenus);
  return (
    <MenusFrame live={live} heading="Phone menus">
      {live.known === undefined ? null : live.known.value.menus.length === 0 ? (
        <FirstMenu baseUrl={live.known.value.status.base_url} />
      ) : (
        <MenuList menus={live.known.value.menus} />
      )}
    </MenusFrame>
  );
}
