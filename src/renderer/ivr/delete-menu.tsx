import { useRef, useState } from 'react';
import type { Ivr } from '../../contract/ivr.ts';
import { deleteMenuText as text } from '../../text/stored-menus.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton, Button } from '../kit/button.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { Text } from '../kit/text.tsx';
import { isBusyWith, useAct } from '../kit/use-act.ts';
import { allDrafts } from './read-menus.ts';

/** Deletes a stored menu, once the person knows which drafts and menus it concerns and what callers meet. */
export function DeleteMenu({ menu, menus }: { menu: Ivr; menus: readonly Ivr[] }) {
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
