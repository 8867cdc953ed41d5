import { useState } from 'react';
import { Row } from '../kit/layout.tsx';
import type { Ivr } from '../../contract/ivr.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { Text } from '../kit/text.tsx';
import { WayBack } from '../kit/link.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { Moment } from '../kit/moment.tsx';
import { Notice } from '../kit/notice.tsx';
import { DeleteMenu } from './delete-menu.tsx';
import { OpenInDesigner } from './drafts/open-in-designer.tsx';
import { MenuView } from './menu-view.tsx';
import { MenusFrame } from './menus-frame.tsx';
import { oneMenu } from './read-menus.ts';
import { menusText, storedMenuText } from '../../text/stored-menus.ts';
import { RichText } from '../kit/rich-text.tsx';

/** One phone menu by its id, as it is now; the last of a deleted one; or that there is none. */
export function MenuWindow({ id }: { id: string }) {
  const live = useLive(oneMenu(id));
  /** The older version that is looked at; null follows the newest. */
  const [looked, setLooked] = useState<number | null>(null);

  const { menus = [], versions = [] } = live.known?.value ?? {};
  const [newest] = versions;
  const menu = versions.find(({ version }) => version === looked) ?? newest;
  const isStored = menus.some((stored) => stored.id === id);
  return (
    <MenusFrame
      live={live}
      heading={menu?.name ?? storedMenuText.heading}
      above={<WayBack to="/ivr">{menusText.all}</WayBack>}
      below={
        menu === undefined ? undefined : (
          <>
            <MenuFacts menu={menu} />
            <OpenInDesigner menu={menu} isStored={isStored} />
            {isStored ? <DeleteMenu menu={menu} menus={menus} /> : null}
          </>
        )
      }
    >
      {live.known === undefined ? null : menu === undefined || newest === undefined ? (
        <Unknown id={id} />
      ) : (
        <>
          {isStored ? null : <Deleted />}
          <MenuView
            menu={menu}
            versions={versions}
            menus={menus}
            onShow={(version) => setLooked(version === newest.version ? null : version)}
          />
        </>
      )}
    </MenusFrame>
  );
}

function Unknown({ id }: { id: string }) {
  return (
    <Notice tone="warn" title={storedMenuText.unknown.title}>
      <p>
        <RichText text={storedMenuText.unknown.text} parts={{ id: <code>{id}</code> }} />
      </p>
    </Notice>
  );
}

function Deleted() {
  return (
    <Notice tone="warn" title={storedMenuText.deleted.title}>
      <p>{storedMenuText.deleted.text}</p>
    </Notice>
  );
}

/** What there is to know of a menu besides what it does. */
function MenuFacts({ menu: { id, description, version, updated_at } }: { menu: Ivr }) {
  return (
    <>
      {description.trim() === '' ? null : (
        <Text tone="soft" breaks>
          {description}
        </Text>
      )}
      <Text as="div" tone="soft" size="small" breaks>
        <Row gap={3} wraps align="center">
          <RichText text={storedMenuText.stored(version)} parts={{ when: <Moment at={updated_at} /> }} />
          <code>{id}</code>
          <CopyButton text={id} what={storedMenuText.copyId} />
        </Row>
      </Text>
    </>
  );
}
