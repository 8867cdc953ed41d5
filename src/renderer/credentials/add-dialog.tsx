import { isSignedIn } from '../../providers/catalogue.ts';
import { useRef, useState } from 'react';
import { addCredentialText as text } from '../../text/credential/add-credential.ts';
import { problemText } from '../../text/window/connection.ts';
import { signInText } from '../../text/credential/sign-in-text.ts';
import { credentialPath } from '../kit/window-paths.ts';
import { Button } from '../kit/button.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { Stack } from '../kit/layout.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { goInstead } from '../kit/navigation.ts';
import { AddForm, type Start } from './add-form.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignInWaiting } from './sign-in-waiting.tsx';
import { allProviders, serviceEntries, ServiceList } from './service-list.tsx';
import { useSignIn } from './use-sign-in.ts';

/** Adds a credential: first its service, then what that needs. Its page, where the next steps are, is shown then. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const busyRef = useRef(false);
  const { known, connection } = useLive(allProviders);
  const [start, setStart] = useState<Start | null>(null);
  /** What was entered before the service was changed. */
  const [kept, setKept] = useState<Pick<Start, 'token' | 'name'>>({ token: '', name: '' });
  const entries = serviceEntries(known?.value ?? []);
  const close = () => ref.current?.close();
  const signIn = useSignIn(({ name }) => goInstead(`${credentialPath(name)}?new=1`));

  function leave(): void {
    if (signIn.waiting !== null) signIn.cancel();
    onClose();
  }

  return (
    <Dialog ref={ref} title={text.title} mayClose={() => !busyRef.current} onClose={leave}>
      {start !== null && isSignedIn(start.entry.provider) ? (
        <SignInForm
          start={start}
          signIn={signIn}
          onBack={(entered) => {
            setKept(entered);
            setStart(null);
          }}
          onCancel={close}
        />
      ) : signIn.waiting !== null ? (
        <Stack gap={5}>
          <SignInWaiting signIn={signIn.waiting} />
          <DialogButtons>
            <Button onPress={signIn.cancel}>{signInText.cancel}</Button>
          </DialogButtons>
        </Stack>
      ) : start !== null ? (
        <AddForm
          key={start.entry.id}
          start={start}
          entries={entries}
          busyRef={busyRef}
          onChoose={setStart}
          onBack={(entered) => {
            setKept(entered);
            setStart(null);
          }}
          onCancel={close}
        />
      ) : (
        <Stack gap={4}>
          {known === undefined ? null : (
            <ServiceList
              entries={entries}
              onChoose={(entry, chosen) => setStart({ entry, ...kept, ...chosen })}
            />
          )}
          <DialogButtons>
            <FormRefusal
              reason={
                signIn.failure ??
                (known !== undefined || connection.kind === 'asking' || connection.kind === 'live'
                  ? undefined
                  : problemText(connection))
              }
            />
            <Button onPress={close}>{text.cancel}</Button>
          </DialogButtons>
        </Stack>
      )}
    </Dialog>
  );
}
