import { lazy, Suspense, useRef, useState } from 'react';
import { addCredentialText as text } from '../../text/credential/add-credential.ts';
import { credentialPath } from '../kit/window-paths.ts';
import { Dialog } from '../kit/dialog.tsx';
import inputStyles from '../kit/input.module.css';
import { Stack } from '../kit/layout.tsx';
import { goInstead } from '../kit/navigation.ts';
import { Text } from '../kit/text.tsx';
import type { EarlyEntry } from './service-list.tsx';
import { useSignIn } from './sign-in-waiting.tsx';

const AddSteps = lazy(async () => ({ default: (await import('./add-steps.tsx')).AddSteps }));

const nothingYet: EarlyEntry = { typed: '', pasted: '' };

/**
 * Adds a credential: first its service, then what that needs. Its page, where the next steps are, is shown then.
 *
 * The dialog takes what is typed from its first moment on; the steps and the services are loaded meanwhile.
 */
export function AddDialog({
  chosenBefore,
  onChoose,
  onClose,
}: {
  /** The id of the service that was chosen when the dialog was open before. */
  chosenBefore: string | null;
  onChoose: (id: string) => void;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const busyRef = useRef(false);
  const [early, setEarly] = useState(nothingYet);
  const signIn = useSignIn(({ name }) => goInstead(`${credentialPath(name)}?new=1`));

  function leave(): void {
    if (signIn.waiting !== null) signIn.cancel();
    onClose();
  }

  const waiting = <EarlySearch early={early} onChange={setEarly} />;
  return (
    <Dialog ref={ref} title={text.title} mayClose={() => !busyRef.current} onClose={leave}>
      <Suspense fallback={waiting}>
        <AddSteps
          early={early}
          waiting={waiting}
          chosenBefore={chosenBefore}
          signIn={signIn}
          busyRef={busyRef}
          onChoose={(id) => {
            setEarly(nothingYet);
            onChoose(id);
          }}
          onCancel={() => ref.current?.close()}
        />
      </Suspense>
    </Dialog>
  );
}

/** The search field of the list of services before there is a list. */
function EarlySearch({ early, onChange }: { early: EarlyEntry; onChange: (early: EarlyEntry) => void }) {
  return (
    <Stack gap={3}>
      <Text tone="soft">{text.service.lead}</Text>
      <input
        ref={focusAtEnd}
        aria-label={text.service.label}
        className={inputStyles['input']}
        placeholder={text.service.placeholder}
        autoComplete="off"
        spellCheck={false}
        value={early.typed}
        onChange={({ target }) => onChange({ ...early, typed: target.value })}
        onPaste={(event) => {
          // A token is not shown in a search field.
          event.preventDefault();
          onChange({ ...early, pasted: event.clipboardData.getData('text').trim() });
        }}
      />
    </Stack>
  );
}

function focusAtEnd(field: HTMLInputElement | null): void {
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}
