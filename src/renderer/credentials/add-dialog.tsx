import { useRef, useState } from 'react';
import { addCredentialText as text } from '../../text/add-credential.ts';
import { problemText } from '../../text/connection.ts';
import { Button } from '../kit/button.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { Stack } from '../kit/layout.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { AddForm, type Start } from './add-form.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { allProviders, serviceEntries, ServiceList } from './service-list.tsx';

/** Adds a credential: first its service, then what that needs. Its page, where the next steps are, is shown then. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const isBusy = useRef(false);
  const { known, connection } = useLive(allProviders);
  const [start, setStart] = useState<Start | null>(null);
  /** What was entered before the service was changed. */
  const [kept, setKept] = useState<Pick<Start, 'token' | 'name'>>({ token: '', name: '' });
  const entries = serviceEntries(known?.value ?? []);
  const close = () => ref.current?.close();

  return (
    <Dialog ref={ref} title={text.title} mayClose={() => !isBusy.current} onClose={onClose}>
      {start?.entry.provider.id === 'oauth2' ? (
        <SignInForm
          entry={start.entry}
          name={start.name}
          onBack={(entered) => {
            setKept(entered);
            setStart(null);
          }}
          onCancel={close}
        />
      ) : start !== null ? (
        <AddForm
          key={start.entry.id}
          start={start}
          entries={entries}
          isBusy={isBusy}
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
              onChoose={(entry, pasted) => setStart({ entry, inputs: {}, ...kept, ...pasted })}
            />
          )}
          <DialogButtons>
            <FormRefusal
              reason={
                known !== undefined || connection.kind === 'asking' || connection.kind === 'live'
                  ? undefined
                  : problemText(connection)
              }
            />
            <Button onPress={close}>{text.cancel}</Button>
          </DialogButtons>
        </Stack>
      )}
    </Dialog>
  );
}
