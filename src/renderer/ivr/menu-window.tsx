import { useRef, useState } from 'react';
import { Row, Stack } from '../kit/layout.tsx';
import type { Ivr } from '../../contract/menu/ivr.ts';
import type { FlowPart } from '../../contract/menu/schedule.ts';
import { type CallStart, leadsTo } from '../../core/calls/call-starts.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { Text } from '../kit/text.tsx';
import { WayBack, Link } from '../kit/link.tsx';
import type { LiveView } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';
import { Moment } from '../kit/moment.tsx';
import { FoundOrUnknown, Notice } from '../kit/notice.tsx';
import { draftOfMenu, OpenInDesigner } from './drafts/open-in-designer.tsx';
import { type StoredPart, MenuView, DestinationLink } from './menu-view.tsx';
import { MenusFrame } from './menus-frame.tsx';
import { allDrafts, oneMenu } from './read-menus.ts';
import {
  menusText,
  storedMenuText,
  deleteMenuText as text,
  flowPartText,
} from '../../text/menu/stored-menus.ts';
import { RichText } from '../kit/rich-text.tsx';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton, Button } from '../kit/button.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { isBusyWith, useAct } from '../kit/use-act.ts';
import type { DraftSummary } from '../../contract/menu/ivr-draft.ts';
import { pagePath } from '../../contract/window/window-page.ts';
import { referenceTitle } from '../../text/menu/phone-menu.ts';
import { allSchedules, useHoursTexts } from '../hours/schedules.ts';
import { Card } from '../kit/card.tsx';
import { Fact, Facts } from '../kit/page.tsx';
import { draftPath } from '../kit/window-paths.ts';

/** One phone menu by its id, as it is now; the last of a deleted one; or that there is none. */
export function MenuWindow({ id }: { id: string }) {
  const live = useLive(oneMenu(id));
  /** The older version that is looked at; null follows the newest. */
  const [looked, setLooked] = useState<number | null>(null);

  const { menus = [], parts = [], versions = [] } = live.known?.value ?? {};
  const destinations = [...menus, ...parts];
  const [newest] = versions;
  const menu = versions.find(({ version }) => version === looked) ?? newest;
  const isStored = menus.some((stored) => stored.id === id);
  const part = parts.find((one) => one.id === id);
  if (part !== undefined) return <PartWindow part={part} stored={destinations} live={live} />;
  return (
    <MenusFrame
      live={live}
      heading={menu?.name ?? storedMenuText.heading}
      above={<WayBack to="/ivr">{menusText.all}</WayBack>}
      below={
        menu === undefined ? undefined : (
          <>
            <MenuFacts menu={menu} />
            <Row gap={2} wraps align="center">
              <OpenInDesigner menu={menu} isStored={isStored} />
              {isStored ? <DeleteMenu menu={menu} stored={destinations} /> : null}
            </Row>
          </>
        )
      }
    >
      <FoundOrUnknown isKnown={live.known !== undefined} found={menu} text={storedMenuText.unknown} name={id}>
        {(found) => (
          <>
            {isStored ? null : <Deleted />}
            <MenuView
              menu={found}
              versions={versions}
              menus={destinations}
              onShow={(version) => setLooked(version === newest?.version ? null : version)}
            />
          </>
        )}
      </FoundOrUnknown>
    </MenusFrame>
  );
}

function PartWindow({
  part,
  stored,
  live,
}: {
  part: FlowPart;
  stored: readonly CallStart[];
  live: LiveView<unknown>;
}) {
  const drafts = useLive(allDrafts).known?.value ?? [];
  return (
    <MenusFrame
      live={live}
      heading={part.name}
      above={<WayBack to="/ivr">{menusText.all}</WayBack>}
      below={<DeleteMenu menu={part} stored={stored} />}
    >
      <FlowPartView part={part} destinations={stored} draft={draftOfMenu(drafts, part.id)} />
    </MenusFrame>
  );
}

function Deleted() {
  return (
    <Notice tone="warn" title={storedMenuText.deleted.title}>
      <p>{storedMenuText.deleted.text}</p>
    </Notice>
  );
}

/** What there is to know of a menu apart from what it does. */
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

/** Deletes a stored menu or a part of a call flow, once the person knows which drafts and menus it concerns and what callers meet. */
function DeleteMenu({ menu, stored }: { menu: Ivr | FlowPart; stored: readonly CallStart[] }) {
  const [isAsking, setAsking] = useState(false);
  const isPart = 'kind' in menu;
  return (
    <>
      <Row gap={2}>
        <Button onPress={() => setAsking(true)}>{isPart ? text.part.open : text.open}</Button>
      </Row>
      {isAsking ? (
        <Question menu={menu} isPart={isPart} stored={stored} onClose={() => setAsking(false)} />
      ) : null}
    </>
  );
}

function Question({
  menu: { id, name },
  isPart,
  stored,
  onClose,
}: {
  menu: StoredPart;
  isPart: boolean;
  stored: readonly CallStart[];
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const act = useAct();
  const drafts = useLive(allDrafts).known?.value;
  const isBusy = isBusyWith(act, 'delete');
  const confirm = isPart ? text.part.confirm : text.confirm;
  const published = (drafts ?? [])
    .filter(({ publications }) =>
      publications.some(({ credential, menus }) => credential === null && Object.values(menus).includes(id)),
    )
    .map((draft) => draft.name);
  const leading = stored.filter((one) => one.id !== id && leadsTo(one).includes(id)).map((one) => one.name);

  async function remove(): Promise<void> {
    const done = await act.run('delete', () => askPortal('portalDeleteIvr', { params: { id } }));
    if (done !== null) ref.current?.close();
  }

  return (
    <Dialog ref={ref} title={text.question(name)} mayClose={() => !isBusy} onClose={onClose}>
      <ul>
        {text
          .consequences({ drafts: drafts === undefined ? null : published, menus: leading, isPart })
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
          {isBusy ? text.deleting : confirm}
        </ActionButton>
      </DialogButtons>
    </Dialog>
  );
}

/** Opening hours or a message of a published call flow: what callers meet there now, and where they are led. */
function FlowPartView({
  part,
  destinations,
  draft,
}: {
  part: FlowPart;
  destinations: readonly StoredPart[];
  /** The draft that it was published from, if there is one. */
  draft: DraftSummary | undefined;
}) {
  return (
    <Card title={flowPartText.title[part.kind]}>
      <Stack gap={4}>
        <Facts isWide>
          {part.kind === 'hours' ? (
            <HoursFacts part={part} destinations={destinations} />
          ) : (
            <>
              <Fact name={flowPartText.plays}>{referenceTitle(part.recording)}</Fact>
              <Fact name={flowPartText.then}>
                <DestinationLink to={part.then} menus={destinations} />
              </Fact>
            </>
          )}
          <Fact name={flowPartText.draft}>
            {draft === undefined ? flowPartText.noDraft : <Link to={draftPath(draft.id)}>{draft.name}</Link>}
          </Fact>
        </Facts>
        <Text as="div" tone="soft" size="small" breaks>
          <Row gap={3} wraps align="center">
            <code>{part.id}</code>
            <CopyButton text={part.id} what={storedMenuText.copyId} />
          </Row>
        </Text>
      </Stack>
    </Card>
  );
}

function HoursFacts({
  part,
  destinations,
}: {
  part: Extract<FlowPart, { kind: 'hours' }>;
  destinations: readonly StoredPart[];
}) {
  const schedules = useLive(allSchedules).known?.value;
  const schedule = schedules?.find(({ id }) => id === part.hours);
  const now = useHoursTexts([part]).get(part.id);
  return (
    <>
      <Fact name={flowPartText.hours}>
        {schedule === undefined ? null : <Link to={pagePath('schedule', schedule.id)}>{schedule.name}</Link>}
        {schedules !== undefined && schedule === undefined ? flowPartText.hoursGone : null}
      </Fact>
      {now === undefined ? null : <Fact name={flowPartText.now}>{now}</Fact>}
      <Fact name={flowPartText.open}>
        <DestinationLink to={part.open} menus={destinations} />
      </Fact>
      <Fact name={flowPartText.closed}>
        <DestinationLink to={part.closed} menus={destinations} />
      </Fact>
      <Fact name={flowPartText.holiday}>
        {part.holiday === null ? (
          flowPartText.asClosed
        ) : (
          <DestinationLink to={part.holiday} menus={destinations} />
        )}
      </Fact>
    </>
  );
}
