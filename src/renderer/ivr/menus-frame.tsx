import type { ReactNode } from 'react';

import { desktop } from '../kit/desktop-bridge.ts';
import type { LiveView } from '../kit/live/resource.ts';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { menusText } from '../../text/menu/stored-menus.ts';

/** The frame of the phone menus' own window. In the desktop app the tray leads elsewhere; in a browser a link has to. */
export function MenusFrame({
  live,
  heading,
  above,
  below,
  children,
}: {
  live: LiveView<unknown>;
  heading: string;
  above?: ReactNode;
  below?: ReactNode;
  children: ReactNode;
}) {
  return (
    <WindowFrame
      title={menusText.windowTitle}
      heading={heading}
      above={above}
      below={below}
      live={live}
      nav={desktop === undefined ? <WindowNav current="menus" /> : undefined}
    >
      {children}
    </WindowFrame>
  );
}
