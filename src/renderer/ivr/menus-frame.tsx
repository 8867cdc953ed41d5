import type { ReactNode } from 'react';

import type { LiveView } from '../kit/live/resource.ts';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { menusText } from '../../text/menu/stored-menus.ts';

/** The frame of the pages about phone menus. */
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
      nav={<WindowNav current="menus" />}
    >
      {children}
    </WindowFrame>
  );
}
