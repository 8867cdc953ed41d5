import { type ReactNode, useState, useRef } from 'react';
import { Row } from '../../kit/layout.tsx';
import rowStyles from '../../kit/row-link.module.css';
import { Text } from '../../kit/text.tsx';
import type { DraftSummary, IvrDocument } from '../../../contract/menu/ivr-draft.ts';
import type { IvrProblem } from '../../../contract/menu/ivr-problem.ts';
import type { Tally } from '../../../core/ivr/finding-severity.ts';
import { draftPath } from '../../kit/window-paths.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { liveText, tallyText } from '../../../text/menu/phone-menu.ts';
import { Link } from '../../kit/link.tsx';
import { Moment } from '../../kit/moment.tsx';
import { goTo } from '../../kit/navigation.ts';
import { ImportDialog } from '../designer/exchange/import-flow-dialog.tsx';
import { SeveritySign } from '../designer/severity-sign.tsx';
import styles from './drafts.module.css';
import { draftsText, newMenuText } from '../../../text/menu/stored-menus.ts';
import { RichText } from '../../kit/rich-text.tsx';
import { emptyDocument } from '../../../core/ivr/edit/edit-nodes.ts';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { allSchedules, ownTimeZone } from '../../hours/schedules.ts';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { createDraft, useOpenDraft } from './open-in-designer.tsx';
import { TemplatePicture } from './template-picture.tsx';
import { freeName, type Template, type TemplateHere, templateHere, templates } from './templates.ts';
import { templateText } from '../../../text/menu/designer-canvas.ts';

/** The drafts of the designer, and the ways to a new one. */
export function DraftsCard({ drafts }: { drafts: readonly DraftSummary[] }) {
  return (
    <Card
      title={draftsText.title}
      aside={
        <Row gap={2} wraps>
          <NewDraftButtons drafts={drafts} />
        </Row>
      }
    >
      {drafts.length === 0 ? (
        <Text tone="soft">{draftsText.none}</Text>
      ) : (
        <ul>
          {drafts.map((draft) => (
            <li key={draft.id} className={styles['draft']}>
              <Link to={draftPath(draft.id)} className={rowStyles['link']}>
                <bdi>{draft.name}</bdi>
              </Link>
              <Fact>{draftsText.menus(draft.menus)}</Fact>
              <DraftTally draft={draft} />
              <Fact>{liveText(draft.publications, draft.fingerprint)}</Fact>
              <Fact>
                <RichText text={draftsText.changed} parts={{ when: <Moment at={draft.updated_at} /> }} />
              </Fact>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Opens a new draft, or imports one. */
export function NewDraftButtons({ drafts }: { drafts: readonly DraftSummary[] }) {
  const [dialog, setDialog] = useState<'new' | 'import' | null>(null);
  return (
    <>
      <Button onPress={() => setDialog('import')}>{draftsText.import}</Button>
      <Button rank="main" onPress={() => setDialog('new')}>
        {draftsText.new}
      </Button>
      {dialog === 'new' ? <NewMenuDialog drafts={drafts} onClose={() => setDialog(null)} /> : null}
      {dialog === 'import' ? (
        <ImportDialog onClose={() => setDialog(null)} onImported={(draftId) => goTo(draftPath(draftId))} />
      ) : null}
    </>
  );
}

function Fact({ children }: { children: ReactNode }) {
  return (
    <Text tone="soft" size="small" breaks isTabular>
      {children}
    </Text>
  );
}

function worstOf({ errors, todos, warnings }: Tally): IvrProblem['severity'] | null {
  if (errors > 0) return 'error';
  if (todos > 0) return 'todo';
  return warnings > 0 ? 'warning' : null;
}

function DraftTally({ draft }: { draft: DraftSummary }) {
  const { todos = 0, warnings } = draft;
  const tally: Tally = { errors: draft.errors - todos, todos, warnings };
  const severity = worstOf(tally);
  return (
    <Fact>
      <Row as="span" gap={2} align="center">
        {severity === null ? null : <SeveritySign severity={severity} />}
        {tallyText(tally)}
      </Row>
    </Fact>
  );
}

/** What a new menu starts with: a template, or nothing. Each choice opens a draft that has a name of its own. */
function NewMenuDialog({
  drafts,
  onClose,
}: {
  drafts: readonly Pick<DraftSummary, 'name'>[];
  onClose: () => void;
}) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const { open, isBusy, refusal } = useOpenDraft();
  const empty = withSpokenPrompts(emptyDocument(newMenuText.emptyName));
  const known = useLive(allSchedules).known?.value;
  function begin(template: Template): void {
    open(async () => {
      // Read again: what the dialog shows may be older, and opening hours would be added twice.
      const schedules = await allSchedules.read(new AbortController().signal);
      if (schedules.kind !== 'ok') return schedules;
      const { document, missing } = templateHere(template, schedules.value);
      return createDraft(named(document), {
        // Their times are those of this computer.
        schedules: missing.map((one) => ({ ...one, time_zone: ownTimeZone() })),
      });
    });
  }
  function named(document: IvrDocument): IvrDocument {
    return { ...document, name: freeName(document.name, drafts) };
  }
  return (
    <Dialog ref={dialogRef} title={newMenuText.title} mayClose={() => !isBusy} onClose={onClose}>
      <ul className={styles['ways']}>
        {templates.map((template) => (
          <Way
            key={template.name}
            name={template.document.name}
            what={templateText[template.name]}
            also={known === undefined ? [] : hoursSentences(templateHere(template, known))}
            onPress={() => begin(template)}
          >
            <TemplatePicture document={template.document} />
          </Way>
        ))}
        <Way {...newMenuText.empty} also={[]} onPress={() => open(() => createDraft(named(empty)))}>
          <TemplatePicture document={empty} />
        </Way>
      </ul>
      <DialogButtons>
        <FormRefusal reason={refusal} />
        <Button onPress={() => dialogRef.current?.close()}>{newMenuText.cancel}</Button>
      </DialogButtons>
    </Dialog>
  );
}

/** Which opening hours a template takes, and which are added with it. */
function hoursSentences({ uses, missing }: TemplateHere): string[] {
  const names = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name);
  return [
    ...(uses.length === 0 ? [] : [newMenuText.usesHours(names(uses))]),
    ...(missing.length === 0 ? [] : [newMenuText.addsHours(names(missing))]),
  ];
}

/** A new menu then needs only its greeting. */
function withSpokenPrompts(document: IvrDocument): IvrDocument {
  const { wrongKey, timeout } = newMenuText.spoken;
  return {
    ...document,
    prompts: { wrong_key: `outbound_tts||${wrongKey}`, timeout: `outbound_tts||${timeout}` },
  };
}

function Way({
  name,
  what,
  also,
  onPress,
  children,
}: {
  name: string;
  what: string;
  also: readonly string[];
  onPress: () => void;
  children: ReactNode;
}) {
  return (
    <li>
      <button type="button" className={styles['way']} onClick={onPress}>
        {children}
        <Text as="span" size="normal" weight="bold">
          {name}
        </Text>
        <Text as="span" tone="soft" size="small">
          {what}
        </Text>
        {also.map((sentence) => (
          <Text as="span" key={sentence} tone="soft" size="small">
            {sentence}
          </Text>
        ))}
      </button>
    </li>
  );
}
