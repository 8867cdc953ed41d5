import { useRef, useState } from 'react';
import { originOf } from '../../../contract/address.ts';
import type { CredentialView } from '../../../contract/credential/credential-view.ts';
import { credentialRemedies, serviceAddressText as text } from '../../../text/window/remedies.ts';
import { addressHint } from '../../../text/credential/providers.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton, Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { setSearch, useSearch } from '../../kit/navigation.ts';
import { RichText } from '../../kit/rich-text.tsx';
import { Text } from '../../kit/text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { clientCertificateInput } from '../../../contract/service/network.ts';
import { clientCertificateText as certificateText } from '../../../text/credential/add-credential.ts';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { type ChosenCertificate, ClientCertificateFields } from '../client-certificate-fields.tsx';

/** Where the service of a credential is, and how to change that. Nothing for a token of this service. */
export function AddressPart({ one }: { one: CredentialView }) {
  const [isOpen, setOpen] = useState(false);
  /** What needs attention leads here with the question. */
  const isAsked = useSearch().has('address');
  if (one.service === 'embedded') return null;
  return (
    <Card isPart title={text.title}>
      <Stack gap={4}>
        <Row gap={3} wraps align="center" justify="between">
          <Text as="code" breaks>
            {one.base_url}
          </Text>
          <Button onPress={() => setOpen(true)}>{text.open}</Button>
        </Row>
        <CertificateRow one={one} />
      </Stack>
      {isOpen || isAsked ? (
        <AddressDialog
          one={one}
          onClose={() => {
            setOpen(false);
            setSearch({ address: undefined });
          }}
        />
      ) : null}
    </Card>
  );
}

/** Asks for the address, and for the person's consent before the token goes to another origin. */
function AddressDialog({ one, onClose }: { one: CredentialView; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const { name, base_url: before, provider } = one;
  const moved = credentialRemedies(one).find((remedy) => remedy.kind === 'change_address');
  const [address, setAddress] = useState(moved?.address ?? before);
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string>();
  const act = useAct();
  const isBusy = isBusyWith(act, 'address');
  const [from, to] = [originOf(before), originOf(address.trim())];

  async function change(): Promise<void> {
    setFailure(undefined);
    const body = { base_url: address.trim(), ...(from === to ? {} : { confirmed_origin: to }) };
    const done = await act.run('address', () =>
      askPortal('changeCredentialAddress', { params: { name }, body }),
    );
    setAsking(false);
    if (done === null) return;
    if (done.value.is_saved) ref.current?.close();
    else setFailure(`${done.value.test.message} ${text.notSaved}`);
  }

  const testLabel = isAsking ? text.send : text.test;
  return (
    <Dialog ref={ref} title={text.heading(name)} mayClose={() => !isBusy} onClose={onClose}>
      {isAsking ? (
        <>
          <Text weight="bold" breaks>
            <RichText text={text.question} parts={{ to: <code>{to}</code> }} />
          </Text>
          <Text breaks>
            <RichText text={text.consequence} parts={{ from: <code>{from}</code>, to: <code>{to}</code> }} />
          </Text>
        </>
      ) : (
        <TextField
          label={text.field}
          hint={text.hint(addressHint(provider.id))}
          value={address}
          face="code"
          inputMode="url"
          isRequired
          onChange={(typed) => {
            setAddress(typed);
            setFailure(undefined);
            act.clear();
          }}
        />
      )}
      <DialogButtons>
        <Text tone="bad" size="small" role="status" breaks>
          {act.state.kind === 'refused' ? act.state.reason : failure}
        </Text>
        <Button onPress={() => (isAsking ? setAsking(false) : ref.current?.close())}>
          {isAsking ? text.back : text.cancel}
        </Button>
        <ActionButton
          rank="main"
          isBusy={isBusy}
          onPress={() => {
            if (from !== to && !isAsking) setAsking(true);
            else void change();
          }}
        >
          {isBusy ? text.testing : testLabel}
        </ActionButton>
      </DialogButtons>
    </Dialog>
  );
}

/** Which client certificate a credential presents, and how to change that. */
function CertificateRow({ one }: { one: CredentialView }) {
  const [isOpen, setOpen] = useState(false);
  const fingerprint = one.provider.inputs[clientCertificateInput];
  return (
    <Row gap={3} wraps align="center" justify="between">
      {fingerprint === undefined ? (
        <Text tone="soft">{certificateText.none}</Text>
      ) : (
        <Text breaks>
          {certificateText.has} <code>{fingerprint}</code>
        </Text>
      )}
      <Button onPress={() => setOpen(true)}>{certificateText.open}</Button>
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
  const missing = isMissing ? certificateText.missing : undefined;

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
    <Dialog ref={ref} title={certificateText.heading(name)} mayClose={() => !isBusy} onClose={onClose}>
      <ClientCertificateFields
        onChange={(now) => {
          setChosen(now);
          setMissing(false);
          act.clear();
        }}
      />
      <DialogButtons>
        <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : missing} />
        <Button onPress={() => ref.current?.close()}>{certificateText.cancel}</Button>
        {isThere ? (
          <ActionButton isBusy={isBusyWith(act, 'remove')} onPress={() => void remove()}>
            {isBusyWith(act, 'remove') ? certificateText.removing : certificateText.remove}
          </ActionButton>
        ) : null}
        <ActionButton rank="main" isBusy={isBusyWith(act, 'save')} onPress={() => void save()}>
          {isBusyWith(act, 'save') ? certificateText.saving : certificateText.save}
        </ActionButton>
      </DialogButtons>
    </Dialog>
  );
}
