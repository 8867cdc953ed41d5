import { useId, useMemo, useRef, useState } from 'react';
import { draftBounds, type IvrDocument, type IvrDraft } from '../../../../contract/menu/ivr-draft.ts';
import {
  type Contradiction,
  type MergedEdits,
  settleEdits,
  type Side,
} from '../../../../core/ivr/draft/merge-edits.ts';
import { nodeOf } from '../../../../core/ivr/edit/lines.ts';
import type { CallerNames } from '../../../../text/menu/change-sentences.ts';
import { editText } from '../../../../text/menu/designer.ts';
import { contradictionText, savingText } from '../../../../text/menu/saving.ts';
import { problemText } from '../../../../text/window/connection.ts';
import { Box } from '../../../kit/box.tsx';
import { Button } from '../../../kit/button.tsx';
import { Choice } from '../../../kit/choice.tsx';
import { Dialog, DialogButtons } from '../../../kit/dialog.tsx';
import { FormRefusal } from '../../../kit/form-refusal.tsx';
import { Grid, Row, Stack } from '../../../kit/layout.tsx';
import { goTo } from '../../../kit/navigation.ts';
import { Notice } from '../../../kit/notice.tsx';
import { Text } from '../../../kit/text.tsx';
import { draftPath } from '../../../kit/window-paths.ts';
import { createDraft } from '../../drafts/open-in-designer.tsx';
import { Sentences } from '../publish/caller-preview.tsx';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { changeSentences } from '../versions/compare-documents.ts';
import type { DraftSaver } from './draft-saver.ts';
import { savableDocument } from './savable-document.ts';
import { followTheirs, useSaveState } from './use-saver.ts';

/** Says that a draft was saved or deleted elsewhere while it is edited here, and offers what to do with the edits. */
export function ElsewhereNotice({ saver }: { saver: DraftSaver }) {
  const { store } = useDesigner();
  const state = useSaveState(saver);
  const [isComparing, setComparing] = useState(false);
  const copy = useCopy();
  const both = useBoth(state.kind === 'conflict' ? state : null);
  if (state.kind !== 'conflict' && state.kind !== 'gone') return null;

  const theirs = state.kind === 'conflict' ? state.theirs : null;
  const text = state.kind === 'gone' ? savingText.goneNotice : savingText.conflictNotice;
  const copyButton = (
    <Button rank={both === null ? 'main' : 'plain'} onPress={copy.make}>
      {copy.isBusy ? savingText.copying : savingText.keepMine}
    </Button>
  );
  const takeTheirs = (other: IvrDraft): void => {
    saver.continueFrom(other);
    store.replace(editText.loadOther, other.document);
  };
  return (
    <Notice
      tone="warn"
      title={text.title}
      action={
        <Row gap={2} wraps>
          {copyButton}
          {theirs === null || both !== null ? null : (
            <Button onPress={() => takeTheirs(theirs)}>{savingText.takeTheirs}</Button>
          )}
          {both === null ? null : (
            <Button rank="main" onPress={() => setComparing(true)}>
              {savingText.compare}
            </Button>
          )}
        </Row>
      }
    >
      <p>{text.text}</p>
      {copy.refusal === undefined ? null : <p role="alert">{copy.refusal}</p>}
      {isComparing && both !== null ? (
        <ContradictionsDialog saver={saver} both={both} onClose={() => setComparing(false)} />
      ) : null}
    </Notice>
  );
}

/** What both began with, and what each made of it. */
interface Both {
  readonly base: IvrDocument;
  readonly mine: IvrDocument;
  readonly theirs: IvrDraft;
}

/** Null while the other version is not known, and if a draft cannot hold both. */
function useBoth(
  conflict: { readonly base: IvrDocument; readonly theirs: IvrDraft | null } | null,
): Both | null {
  const document = useDesignerState((state) => state.document);
  return useMemo(() => {
    if (conflict === null) return null;
    const { base, theirs } = conflict;
    if (theirs === null) return null;
    const both = { base, mine: savableDocument(document), theirs };
    return settled(both, () => undefined) === null ? null : both;
  }, [conflict, document]);
}

function settled({ base, mine, theirs }: Both, decide: Parameters<typeof settleEdits>[3]) {
  return settleEdits(base, mine, theirs.document, decide);
}

/** Saves what is shown as another draft, and goes there. */
function useCopy() {
  const { store } = useDesigner();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  async function make(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    const { document } = store.state();
    const reply = await createDraft({ ...savableDocument(document), name: copyName(document.name) });
    setBusy(false);
    if (reply.kind === 'ok') goTo(draftPath(reply.value));
    else setRefusal(problemText(reply, 'draft_copied'));
  }
  return { isBusy, refusal, make: () => void make() };
}

/** The name of a copy, cut to the longest allowed name. */
function copyName(name: string): string {
  return name.slice(0, draftBounds.nameLength - savingText.copyEnding.length) + savingText.copyEnding;
}

/** Each place where the two versions contradict each other, with what to keep there. */
function ContradictionsDialog({
  saver,
  both,
  onClose,
}: {
  saver: DraftSaver;
  both: Both;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const { store } = useDesigner();
  const copy = useCopy();
  const { revision } = both.theirs;
  const [first] = useState(revision);
  const [chosen, setChosen] = useState({ revision, sides: new Map<string, Side>() });
  // What was chosen before the other version changed again was chosen without having seen it.
  const sides = chosen.revision === revision ? chosen.sides : new Map<string, Side>();
  const now = settled(both, (at) => sides.get(keyOf(at)));
  const contradictions = now?.contradictions ?? [];
  const places = contradictions.map(({ at }) => at);
  const choose = (chosenPlaces: readonly Contradiction[], side: Side): void => {
    const added = chosenPlaces.map((at) => [keyOf(at), side] as const);
    setChosen({ revision, sides: new Map([...sides, ...added]) });
  };
  const common = (['mine', 'theirs'] as const).find((one) =>
    contradictions.every(({ side }) => side === one),
  );

  function use(merged: MergedEdits | null): void {
    const mine = settled(both, () => 'mine');
    if (merged === null || mine === null) return;
    saver.continueFrom(both.theirs);
    // Undo goes back to what was edited here, and leaves what only the other one has edited.
    followTheirs(store, { before: both.base, ...mine }, both.theirs.document);
    store.replace(editText.chooseVersions, merged.document);
    ref.current?.close();
  }

  return (
    <Dialog ref={ref} title={contradictionText.title} mayClose={() => !copy.isBusy} onClose={onClose}>
      <Stack gap={4}>
        <p>{contradictionText.text}</p>
        <p role="status">{first === revision ? '' : contradictionText.changedAgain}</p>
        {contradictions.length < 2 ? null : (
          <Choice<Side | ''>
            label={contradictionText.all}
            options={[
              { value: 'mine', label: contradictionText.allOf.mine },
              { value: 'theirs', label: contradictionText.allOf.theirs },
            ]}
            value={common ?? ''}
            onChange={(side) => side !== '' && choose(places, side)}
          />
        )}
        <Stack as="ul" gap={3} aria-label={contradictionText.list}>
          {contradictions.map(({ at, side }) => (
            <ContradictionItem
              key={keyOf(at)}
              at={at}
              both={both}
              side={side}
              onChoose={(chosenSide) => choose([at], chosenSide)}
            />
          ))}
        </Stack>
        <DialogButtons>
          <FormRefusal reason={copy.refusal} />
          <Button onPress={() => ref.current?.close()}>{contradictionText.cancel}</Button>
          <Button onPress={copy.make}>{copy.isBusy ? savingText.copying : savingText.keepMine}</Button>
          <Button rank="main" onPress={() => use(now)}>
            {contradictionText.use}
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  );
}

/** One place: which card and field, and what each of the two made of it. */
function ContradictionItem({
  at,
  both,
  side,
  onChoose,
}: {
  at: Contradiction;
  both: Both;
  side: Side;
  onChoose: (side: Side) => void;
}) {
  const { referenceData } = useDesigner();
  const id = useId();
  const told = (changed: IvrDocument): readonly string[] =>
    changeSentences(both.base, changed, at, referenceData);
  const versions: readonly (readonly [Side, readonly string[]])[] = [
    ['mine', told(both.mine)],
    ['theirs', told(both.theirs.document)],
  ];
  return (
    <Box as="li">
      <Stack gap={2} role="group" aria-labelledby={id}>
        <Text as="h3" id={id} size="medium" weight="bold" breaks>
          {placeTitle(at, both, referenceData)}
        </Text>
        <Grid min={14} gap={3}>
          {versions.map(([one, sentences]) => (
            <Stack key={one} gap={1}>
              <Text size="small" tone={one === side ? 'accent' : 'soft'} weight="strong">
                {contradictionText.of[one]}
              </Text>
              <Sentences sentences={sentences} />
            </Stack>
          ))}
        </Grid>
        <Choice
          options={versions.map(([value]) => ({ value, label: contradictionText.keep[value] }))}
          value={side}
          onChange={onChoose}
        />
      </Stack>
    </Box>
  );
}

function placeTitle(at: Contradiction, { base, mine, theirs }: Both, known: CallerNames): string {
  if (at.kind === 'flow') return contradictionText.flow[at.field];
  const versions = [mine, theirs.document, base];
  if (at.kind === 'scenario') {
    const scenario = versions.map(({ scenarios }) => scenarios[at.id]).find((one) => one !== undefined);
    return contradictionText.scenario(scenario?.name ?? at.id);
  }
  const node = versions.map((document) => nodeOf(document, at.id)).find((one) => one !== null);
  return node === undefined ? at.id : contradictionText.card(node, at.field, known);
}

function keyOf(at: Contradiction): string {
  return JSON.stringify(at);
}
