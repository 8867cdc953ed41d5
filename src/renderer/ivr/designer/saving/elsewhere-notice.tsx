import { useState } from 'react';
import type { IvrDraft } from '../../../../contract/ivr-draft.ts';
import { draftPath } from '../../../kit/address.ts';
import { askPortal } from '../../../kit/ask-portal.ts';
import { Button } from '../../../kit/button.tsx';
import { goTo } from '../../../kit/navigation.ts';
import { Notice } from '../../../kit/notice.tsx';
import { problemWords } from '../../../kit/problem-words.ts';
import { useDesigner } from '../use-designer.ts';
import type { DraftSaver } from './draft-saver.ts';
import styles from './elsewhere-notice.module.css';
import { useSaveState } from './use-saver.ts';

/** Says that a draft was saved or deleted elsewhere while it is edited here, and offers the ways on; none of them loses anything. */
export function ElsewhereNotice({ saver }: { saver: DraftSaver }) {
  const { store } = useDesigner();
  const state = useSaveState(saver);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  if (state.kind !== 'conflict' && state.kind !== 'gone') return null;

  async function keepMine(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    const { document } = store.state();
    const reply = await askPortal('createDraft', {
      body: { document: { ...document, name: copyName(document.name) } },
    });
    setBusy(false);
    if (reply.kind === 'ok') goTo(draftPath(reply.value.id));
    else setRefusal(problemWords(reply, 'the copy was made'));
  }
  function takeTheirs(theirs: IvrDraft): void {
    saver.goOnFrom(theirs);
    store.edit('take over what was changed elsewhere', () => theirs.document);
  }

  const copy = (
    <Button rank="main" onPress={() => void keepMine()}>
      {isBusy ? 'Copying …' : 'Keep mine as a copy'}
    </Button>
  );
  const theirs = state.kind === 'conflict' ? state.theirs : null;
  return (
    <Notice
      tone="warn"
      title={
        state.kind === 'gone'
          ? 'This draft was deleted elsewhere.'
          : 'This draft was changed elsewhere while you edited it here.'
      }
      action={
        <div className={styles['ways']}>
          {theirs === null ? null : <Button onPress={() => takeTheirs(theirs)}>Take theirs</Button>}
          {copy}
        </div>
      }
    >
      <p>
        {state.kind === 'gone'
          ? 'What you see is no longer saved. A copy keeps it, as a new draft.'
          : 'Your changes are not saved yet, and nothing is lost: keep them as a draft of their own, or take the other version over; undo brings yours back.'}
      </p>
      {refusal === null ? null : <p role="alert">{refusal}</p>}
    </Notice>
  );
}

const longest = 100;

/** The name of a copy, as long as a name may be. */
function copyName(name: string): string {
  const ending = ' (copy)';
  return name.slice(0, longest - ending.length) + ending;
}
