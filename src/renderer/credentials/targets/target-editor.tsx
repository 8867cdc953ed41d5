import { type SyntheticEvent, useRef, useState } from 'react';
import type { CredentialView } from '../../../contract/credential-view.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { Button, SubmitButton } from '../../kit/button.tsx';
import { Choice } from '../../kit/choice.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FieldGroup } from '../../kit/field.tsx';
import { afterPress, FormRefusal } from '../../kit/form-refusal.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { targetKindLabels } from '../../../text/credentials.ts';
import { useKnownCredential } from '../read-credentials.ts';
import { DryRun, usePreview } from './dry-run.tsx';
import {
  emptyTarget,
  readTarget,
  type TargetDraft,
  type TargetErrors,
  type TargetField,
  targetFields,
  targetKinds,
} from './target-draft.ts';
import styles from './targets.module.css';
import { TargetFields } from './target-fields.tsx';

const kinds = targetKinds.map((kind) => ({ value: kind, label: targetKindLabels[kind] }));

/** Adds a place that gets every new value; what that changes there is shown before it is done. */
export function TargetEditor({ one, onClose }: { one: CredentialView; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const formRef = useRef<HTMLFormElement>(null);
  const act = useAct();
  const show = useKnownCredential();
  const [draft, setDraft] = useState(emptyTarget);
  const [judged, setJudged] = useState<ReadonlySet<TargetField>>(new Set());
  const { target, errors } = readTarget(draft);
  const previewing = usePreview(one.name, target);
  const isBusy = isBusyWith(act, 'add');
  const isDoubtful =
    previewing.kind === 'refused' || (previewing.kind === 'told' && !previewing.preview.possible);

  function change(changes: Partial<TargetDraft>): void {
    setDraft({ ...draft, ...changes });
    if (changes.kind !== undefined) setJudged(new Set()); // other fields, which nobody has left yet
    act.clear();
  }
  /** What was left empty is judged when the form is sent off: whoever only looks around need not be told. */
  function judge(field: TargetField): void {
    if (draft[field].trim() !== '') afterPress(() => setJudged((now) => new Set([...now, field])));
  }
  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    if (target === null) {
      setJudged(new Set(targetFields));
      requestAnimationFrame(() =>
        formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
      );
      return;
    }
    if (previewing.kind === 'asking') return; // it is shown before it is done
    const added = await act.run(
      'add',
      () => askPortal('addTarget', { params: { name: one.name }, body: target }),
      'it was added',
    );
    if (added === null) return;
    show(added.value);
    ref.current?.close();
  }

  return (
    <Dialog ref={ref} title="Add a delivery target" mayClose={() => !isBusy} onClose={onClose}>
      <form ref={formRef} className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
        <FieldGroup legend={`Where every new value of ${one.name} is brought`}>
          <Choice options={kinds} value={draft.kind} onChange={(kind) => change({ kind })} />
        </FieldGroup>
        <TargetFields draft={draft} errors={judgedErrors(errors, judged)} onChange={change} onLeave={judge} />
        <DryRun previewing={previewing} />
        <DialogButtons>
          <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
          <Button onPress={() => ref.current?.close()}>Cancel</Button>
          <SubmitButton isBusy={isBusy || previewing.kind === 'asking'}>
            {isBusy ? 'Delivering …' : isDoubtful ? 'Add it all the same' : 'Add and deliver now'}
          </SubmitButton>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function judgedErrors(errors: TargetErrors, judged: ReadonlySet<TargetField>): TargetErrors {
  return Object.fromEntries(Object.entries(errors).filter(([field]) => judged.has(field as TargetField)));
}
