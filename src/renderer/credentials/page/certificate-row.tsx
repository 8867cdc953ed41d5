import { useRef, useState } from 'react';
import type { CredentialView } from '../../../contract/credential/credential-view.ts';
import { clientCertificateInput } from '../../../contract/service/network.ts';
import { clientCertificateText as text } from '../../../text/credential/client-certificate.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton, Button } from '../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Row } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { type ChosenCertificate, ClientCertificateFields } from '../client-certificate-fields.tsx';

/** Which client certificate a credential presents, and how to change that. */
export function CertificateRow({ one }: { one: CredentialView }) {
  const [isOpen, setOpen] = useState(false);
  const fingerprint = one.provider.inputs[clientCertificateInput];
  return (
    <Row gap={3} wraps align="center" justify="between">
      {fingerprint === undefined ? (
        <Text tone="soft">{text.none}</Text>
      ) : (
        <Text breaks>
          {text.has} <code>{fingerprint}</code>
        </Text>
      )}
      <Button onPress={() => setOpen(true)}>{text.open}</Button>
      {isOpen ? (
        <CertificateDialog
          name={one.name}
          isThere={fingerprint !== undefined}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </Row>
  );
}

function CertificateDialog({
  name,
  isThere,
  onClose,
}: {
  name: string;
  isThere: boolean;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const [chosen, setChosen] = useState<ChosenCertificate>(null);
  const [isMissing, setMissing] = useState(false);
  const act = useAct();
  const isBusy = act.state.kind === 'busy';
  const params = { name };

  async function save(): Promise<void> {
    const body = chosen;
    if (body === null) return setMissing(true);
    const saved = await act.run('save', () => askPortal('setClientCertificate', { params, body }));
    if (saved !== null) ref.current?.close();
  }
  async function remove(): Promise<void> {
    setMissing(false);
    const removed = await act.run('remove', () => askPortal('removeClientCertificate', { params }));
    if (removed !== null) ref.current?.close();
  }
  return (
    <Dialog ref={ref} title={text.heading(name)} mayClose={() => !isBusy} onClose={onClose}>
      <ClientCertificateFields
        onChange={(now) => {
          setChosen(now);
          setMissing(false);
          act.clear();
        }}
      />
      <DialogButtons>
        <FormRefusal
          reason={act.state.kind === 'refused' ? act.state.reason : isMissing ? text.missing : undefined}
        />
        <Button onPress={() => ref.current?.close()}>{text.cancel}</Button>
        {isThere ? (
          <ActionButton isBusy={isBusyWith(act, 'remove')} onPress={() => void remove()}>
            {isBusyWith(act, 'remove') ? text.removing : text.remove}
          </ActionButton>
        ) : null}
        <ActionButton rank="main" isBusy={isBusyWith(act, 'save')} onPress={() => void save()}>
          {isBusyWith(act, 'save') ? text.saving : text.save}
        </ActionButton>
      </DialogButtons>
    </Dialog>
  );
}
