import { type ReactNode, type RefObject, useState } from 'react';
import { usualBaseUrl } from '../../contract/credential/provider-inputs.ts';
import { isSignedIn } from '../../providers/catalogue.ts';
import { addCredentialText as text } from '../../text/credential/add-credential.ts';
import { signInText } from '../../text/credential/sign-in-text.ts';
import { problemText } from '../../text/window/connection.ts';
import { Button } from '../kit/button.tsx';
import { DialogButtons } from '../kit/dialog.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { Stack } from '../kit/layout.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { AddForm, type Start } from './add-form.tsx';
import { isReminderOnly, serviceEntries } from './service-entries.ts';
import { allProviders, type EarlyEntry, ServiceList } from './service-list.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { type SigningIn, SignInWaiting } from './sign-in-waiting.tsx';

/** The steps of the dialog that adds a credential. */
export function AddSteps({
  early,
  waiting,
  chosenBefore,
  signIn,
  busyRef,
  onChoose,
  onCancel,
}: {
  early: EarlyEntry;
  /** What is shown until the services are known. */
  waiting: ReactNode;
  chosenBefore: string | null;
  signIn: SigningIn;
  /** Whether it is being added: then the dialog stays open. */
  busyRef: RefObject<boolean>;
  onChoose: (id: string) => void;
  onCancel: () => void;
}) {
  const { known, connection } = useLive(allProviders);
  const [start, setStart] = useState<Start | null>(null);
  /** What was entered before the service was changed. */
  const [kept, setKept] = useState<Pick<Start, 'token' | 'name'>>({ token: '', name: '' });
  const entries = serviceEntries(known?.value ?? []);

  function choose(chosen: Start): void {
    setStart({ ...chosen, inputs: { ...chosen.entry.inputs, ...chosen.inputs } });
    onChoose(chosen.entry.id);
  }
  function goBack(entered: Pick<Start, 'token' | 'name'>): void {
    setKept(entered);
    setStart(null);
  }

  /** Of a token that cannot be rotated, only its end is watched. */
  function keepPasted({ entry: { provider, inputs }, token, name }: Start): void {
    const entry = entries.find(isReminderOnly);
    if (entry === undefined) return;
    choose({ entry, token, name, inputs: {}, baseUrl: usualBaseUrl({ id: provider.id, inputs }) });
  }

  if (start !== null && isSignedIn(start.entry.provider)) {
    return (
      <SignInForm
        key={start.entry.id}
        start={start}
        signIn={signIn}
        onKeep={() => keepPasted(start)}
        onBack={goBack}
        onCancel={onCancel}
      />
    );
  }
  if (signIn.waiting !== null) {
    return (
      <Stack gap={5}>
        <SignInWaiting signIn={signIn.waiting} />
        <DialogButtons>
          <Button onPress={signIn.cancel}>{signInText.cancel}</Button>
        </DialogButtons>
      </Stack>
    );
  }
  if (start !== null) {
    return (
      <AddForm
        key={start.entry.id}
        start={start}
        entries={entries}
        busyRef={busyRef}
        onChoose={choose}
        onBack={goBack}
        onCancel={onCancel}
      />
    );
  }
  const isAsked = known !== undefined || connection.kind === 'asking' || connection.kind === 'live';
  return (
    <Stack gap={4}>
      {known === undefined ? (
        waiting
      ) : (
        <ServiceList
          entries={entries}
          early={early}
          chosenBefore={chosenBefore}
          keptToken={kept.token}
          onChoose={(entry, chosen) => choose({ entry, name: kept.name, ...chosen })}
        />
      )}
      <DialogButtons>
        <FormRefusal reason={signIn.failure ?? (isAsked ? undefined : problemText(connection))} />
        <Button onPress={onCancel}>{text.cancel}</Button>
      </DialogButtons>
    </Stack>
  );
}
