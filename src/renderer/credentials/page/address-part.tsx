import { useRef, useState } from 'react';
import { originOf } from '../../../contract/address.ts';
import type { CredentialView } from '../../../contract/credential/credential-view.ts';
import { credentialRemedies } from '../../../text/window/remedies.ts';
import { addressHint } from '../../../text/credential/providers.ts';
import { serviceAddressText as text } from '../../../text/credential/service-address.ts';
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
import { CertificateRow } from './certificate-row.tsx';

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
          {isBusy ? text.testing : isAsking ? text.send : text.test}
        </ActionButton>
      </DialogButtons>
    </Dialog>
  );
}
