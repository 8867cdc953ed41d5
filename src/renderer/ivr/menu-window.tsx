import { useRef, useState } from 'react';
import { Row } from '../kit/layout.tsx';
import type { Ivr } from '../../contract/menu/ivr.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { Text } from '../kit/text.tsx';
import { WayBack } from '../kit/link.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { Moment } from '../kit/moment.tsx';
import { Notice } from '../kit/notice.tsx';
import { OpenInDesigner } from './drafts/open-in-designer.tsx';
import { MenuView } from './menu-view.tsx';
import { MenusFrame } from './menus-frame.tsx';
import { allDrafts, oneMenu } from './read-menus.ts';
import { menusText, storedMenuText, deleteMenuText as text } from '../../text/menu/stored-menus.ts';
import { RichText } from '../kit/rich-text.tsx';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton, Button } from '../kit/button.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { isBusyWith, useAct } from '../kit/use-act.ts';

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

/** Deletes a stored menu, once the person knows which drafts and menus it concerns and what callers meet. */
function DeleteMenu({ menu, menus }: { menu: Ivr; menus: readonly Ivr[] }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <p>
        <Button onPress={() => setAsking(true)}>{text.open}</Button>
      </p>
      {isAsking ? <Question menu={menu} menus={menus} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function leadsTo({ destination, invalid_destination, timeout_destination }: Ivr, id: string): boolean {
  return [...destination, invalid_destination, timeout_destination].includes(`ivr||${id}`);
}

function Question({
  menu: { id, name },
  menus,
  onClose,
}: {
  menu: Ivr;
  menus: readonly Ivr[];
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const act = useAct();
  const drafts = useLive(allDrafts).known?.value;
  const isBusy = isBusyWith(act, 'delete');
  const published = (drafts ?? [])
    .filter(({ publications }) =>
      publications.some(
        ({ credential, menus: stored }) => credential === null && Object.values(stored).includes(id),
      ),
    )
    .map((draft) => draft.name);
  const leading = menus.filter((one) => one.id !== id && leadsTo(one, id)).map((one) => one.name);

  async function remove(): Promise<void> {
    const done = await act.run('delete', () => askPortal('portalDeleteIvr', { params: { id } }));
    if (done !== null) ref.current?.close();
  }

  return (
    <Dialog ref={ref} title={text.question(name)} mayClose={() => !isBusy} onClose={onClose}>
      <ul>
        {text
          .consequences({ drafts: drafts === undefined ? null : published, menus: leading })
          .map((sentence) => (
            <Text as="li" key={sentence} breaks>
              {sentence}
            </Text>
          ))}
      </ul>
      <DialogButtons>
        <Text tone="bad" size="small" role="status">
          {act.state.kind === 'refused' ? act.state.reason : null}
        </Text>
        <Button onPress={() => ref.current?.close()}>{text.cancel}</Button>
        <ActionButton rank="main" isBusy={isBusy} onPress={() => void remove()}>
          {isBusy ? text.deleting : text.confirm}
        </ActionButton>
      </DialogButtons>
    </Dialog>
  );
}
