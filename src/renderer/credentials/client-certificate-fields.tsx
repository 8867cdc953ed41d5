import { useState } from 'react';
import { ClientCertificate } from '../../contract/service/network.ts';
import { clientCertificateText as text } from '../../text/credential/add-credential.ts';
import { ChooseFile } from '../kit/choose-file.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { Text } from '../kit/text.tsx';
import { TextField } from '../kit/text-field.tsx';
import { OptionalFields } from './token-fields.tsx';

/** Far more than certificates up to a root have: another kind of file is not read. */
const largestPemBytes = 1_000_000;

/** What was chosen; null: nothing that can be used, which is said beside the button. */
export type ChosenCertificate = ClientCertificate | null;

/** The same behind a tick, for a form. Undefined: none is given. */
export function ClientCertificateOption({
  chosen,
  onChange,
}: {
  chosen: ChosenCertificate | undefined;
  onChange: (chosen: ChosenCertificate | undefined) => void;
}) {
  return (
    <OptionalFields
      label={text.label}
      hint={text.optionalHint}
      isOn={chosen !== undefined}
      onChange={(isOn) => onChange(isOn ? null : undefined)}
    >
      <ClientCertificateFields onChange={onChange} />
    </OptionalFields>
  );
}

function foundText(found: Pem): string {
  return found.kind === 'both' ? text.chosen(found.names) : text[found.kind](found.names);
}

/** Takes a client certificate and its key from files, with the passphrase of the key. */
export function ClientCertificateFields({ onChange }: { onChange: (chosen: ChosenCertificate) => void }) {
  const [found, setFound] = useState<Pem>();
  const [passphrase, setPassphrase] = useState('');

  function tell(pem: Pem | undefined, typed: string): void {
    if (pem?.kind !== 'both') return onChange(null);
    const parsed = ClientCertificate.safeParse({
      certificate: pem.certificate,
      key: pem.key,
      passphrase: typed === '' ? null : typed,
    });
    onChange(parsed.success ? parsed.data : null);
  }
  async function read(files: readonly File[]): Promise<void> {
    const pem = pemOf(
      await Promise.all(
        files.map(async (file) => ({
          name: file.name,
          text: file.size > largestPemBytes ? '' : await file.text(),
        })),
      ),
    );
    setFound(pem);
    tell(pem, passphrase);
  }
  return (
    <Stack gap={4}>
      <Text tone="soft" size="small">
        {text.lead}
      </Text>
      <Row gap={3} align="center" wraps>
        <ChooseFile label={text.choose} name={text.files} takesMany onFiles={(files) => void read(files)} />
        <Text size="small" role="status" breaks {...(found?.kind === 'both' ? {} : { tone: 'bad' })}>
          {found === undefined ? null : foundText(found)}
        </Text>
      </Row>
      <TextField
        label={text.passphrase}
        hint={text.passphraseHint}
        value={passphrase}
        isSecret
        onChange={(typed) => {
          setPassphrase(typed);
          tell(found, typed);
        }}
      />
    </Stack>
  );
}

/** What files have of a client certificate. `names` are those of the files. */
export type Pem = { readonly names: readonly string[] } & (
  | { readonly kind: 'both'; readonly certificate: string; readonly key: string }
  | { readonly kind: 'noPem' | 'noCertificate' | 'noKey' }
);

const block = /-----BEGIN ([A-Z0-9 ]+)-----(?:(?!-----)[\s\S])*-----END \1-----/g;

/**
 * Finds a certificate, with those between it and its root, and the first private key in the texts of files, whatever stands
 * around them (`openssl pkcs12` writes bag attributes there).
 */
export function pemOf(files: readonly { readonly name: string; readonly text: string }[]): Pem {
  const names = files.map(({ name }) => name);
  const blocks = files.flatMap(({ text }) => [...text.matchAll(block)]);
  const of = (label: RegExp): string[] =>
    blocks.filter(([, what = '']) => label.test(what)).map(([all]) => all);
  const certificates = of(/^(?:TRUSTED |X509 )?CERTIFICATE$/);
  const [key] = of(/PRIVATE KEY$/);
  if (key !== undefined && certificates.length > 0) {
    return { kind: 'both', names, certificate: `${certificates.join('\n')}\n`, key: `${key}\n` };
  }
  if (key === undefined && certificates.length === 0) return { kind: 'noPem', names };
  return { kind: key === undefined ? 'noKey' : 'noCertificate', names };
}
