import { useState } from 'react';
import { problemText } from '../../../../text/connection.ts';
import { Row } from '../../../kit/layout.tsx';
import { draftBounds, type IvrDraft } from '../../../../contract/ivr-draft.ts';
import { draftPath } from '../../../kit/address.ts';
import { createDraft } from '../../drafts/open-in-designer.tsx';
import { Button } from '../../../kit/button.tsx';
import { goTo } from '../../../kit/navigation.ts';
import { Notice } from '../../../kit/notice.tsx';
import { useDesigner } from '../use-designer.ts';
import type { DraftSaver } from './draft-saver.ts';
import { savableDocument } from './savable-document.ts';
import { useSaveState } from './use-saver.ts';
import { editText, savingText } from '../../../../text/designer.ts';

/** Says that a draft was saved or deleted elsewhere while it is edited here, and offers to keep the edits. */
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
    const reply = await createDraft({ ...savableDocument(document), name: copyName(document.name) });
    setBusy(false);
    if (reply.kind === 'ok') goTo(draftPath(reply.value));
    else setRefusal(problemText(reply, 'draft_copied'));
  }
  function takeTheirs(theirs: IvrDraft): void {
    saver.continueFrom(theirs);
    store.replace(editText.loadOther, theirs.document);
  }

  const copy = (
    <Button rank="main" onPress={() => void keepMine()}>
      {isBusy ? savingText.copying : savingText.keepMine}
    </Button>
  );
  const theirs = state.kind === 'conflict' ? state.theirs : null;
  const text = state.kind === 'gone' ? savingText.goneNotice : savingText.conflictNotice;
  return (
    <Notice
      tone="warn"
      title={text.title}
      action={
        <Row gap={2} wraps>
          {theirs === null ? null : (
            <Button onPress={() => takeTheirs(theirs)}>{savingText.takeTheirs}</Button>
          )}
          {copy}
        </Row>
      }
    >
      <p>{text.text}</p>
      {refusal === null ? null : <p role="alert">{refusal}</p>}
    </Notice>
  );
}

/** The name of a copy, cut to the longest allowed name. */
function copyName(name: string): string {
  return name.slice(0, draftBounds.nameLength - savingText.copyEnding.length) + savingText.copyEnding;
}
