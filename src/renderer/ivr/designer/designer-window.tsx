import { type ReactNode, useState } from 'react';

import type { IvrDraft } from '../../../contract/ivr-draft.ts';
import { desktop } from '../../kit/desktop.ts';
import type { LiveView } from '../../kit/live/resource.ts';
import { useLive } from '../../kit/live/use-live.ts';
import { Notice } from '../../kit/notice.tsx';
import { WayBack } from '../../kit/way-back.tsx';
import { WindowFrame } from '../../kit/window-frame.tsx';
import { WindowNav } from '../../kit/window-nav.tsx';
import { oneDraft } from './read-draft.ts';
import { DesignerRoom } from './room/designer-room.tsx';
import { useSurroundings } from './surroundings.ts';

/** The designer on one draft; or why there is nothing to design. */
export function DesignerWindow({ id }: { id: string }) {
  const live = useLive(oneDraft(id));
  const surroundings = useSurroundings();
  /** The last that was known: one that is deleted meanwhile stays open, with what was drawn in it. */
  const [draft, setDraft] = useState<IvrDraft | null>(null);
  const known = live.known?.value;
  if (known !== undefined && known !== null && known !== draft) setDraft(known);

  if (draft !== null && surroundings !== null)
    return <DesignerRoom draft={draft} isGone={known === null} live={live} surroundings={surroundings} />;
  return (
    <NoRoom live={live}>
      {known === null && draft === null ? (
        <Notice tone="warn" title="There is no draft with this id.">
          <p>
            <code>{id}</code> was deleted, or the link that led here is of another machine. What was published
            of it is among the stored menus.
          </p>
        </Notice>
      ) : null}
    </NoRoom>
  );
}

function NoRoom({ live, children }: { live: LiveView<unknown>; children: ReactNode }) {
  return (
    <WindowFrame
      title="Phone menus — Rotavox"
      heading="Phone menu draft"
      above={<WayBack to="/ivr">All phone menus</WayBack>}
      live={live}
      nav={desktop === undefined ? <WindowNav current="menus" /> : undefined}
    >
      {children}
    </WindowFrame>
  );
}
