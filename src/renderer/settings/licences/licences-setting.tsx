import { useRef, useState } from 'react';
import { Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { settingsText } from '../../../text/service/settings-text.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { Setting } from '../setting.tsx';
import type { Saving } from '../use-settings.ts';
import styles from '../settings.module.css';

const { licences: text } = settingsText;

/** Its own licence, and the way to those of everything that is in it. */
export function LicencesSetting() {
  const [licences, setLicences] = useState<Licences>();
  const [isOpen, setOpen] = useState(false);
  const [reading, setReading] = useState<Saving>({ kind: 'idle' });
  const isReading = useRef(false);

  function open(): void {
    if (licences !== undefined) return setOpen(true);
    if (isReading.current) return;
    isReading.current = true;
    setReading({ kind: 'idle' });
    readLicences()
      .then(
        (read) => {
          setLicences(read);
          setOpen(true);
        },
        () =>
          setReading({
            kind: 'refused',
            reason: text.unreachable,
          }),
      )
      .finally(() => {
        isReading.current = false;
      });
  }
  return (
    <Setting title={text.title} hint={text.hint} saving={reading}>
      <Button onPress={open}>{text.show}</Button>
      {isOpen && licences !== undefined ? (
        <LicencesDialog licences={licences} onClose={() => setOpen(false)} />
      ) : null}
    </Setting>
  );
}

/** Every package with its licence; the text of one is there when it is opened. */
function LicencesDialog({ licences, onClose }: { licences: Licences; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const [sought, setSought] = useState('');
  const words = sought.trim().toLowerCase();
  const found = licences.packages.filter(({ name, licence }) =>
    `${name} ${licence}`.toLowerCase().includes(words),
  );
  return (
    <Dialog ref={ref} title={text.dialog} mayClose={() => true} onClose={onClose}>
      <Stack gap={3}>
        <TextField label={text.search} value={sought} onChange={setSought} />
        <Text role="status" tone="soft" size="small">
          {text.count(found.length, licences.packages.length)}
        </Text>
      </Stack>
      <ul>
        {found.map(({ name, version, licence, text: place }) => (
          <li key={`${name} ${version}`}>
            <PackageLicence
              name={name}
              version={version}
              licence={licence}
              licenceText={place === null ? undefined : licences.texts[place]}
            />
          </li>
        ))}
      </ul>
      <DialogButtons>
        <Button rank="main" onPress={() => ref.current?.close()}>
          {text.close}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** One package; its text is put into the page when it is opened, for all of them together are a book. */
function PackageLicence({
  name,
  version,
  licence,
  licenceText = text.noText,
}: {
  name: string;
  version: string;
  licence: string;
  licenceText?: string | undefined;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles['package']} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles['packageName']}>
        <span>
          <Text as="span" tone="plain" weight="strong">
            {name}
          </Text>{' '}
          {version}
        </span>
        <span>{licence}</span>
      </summary>
      {isOpen ? (
        <pre className={styles['licenceText']} tabIndex={0}>
          {licenceText}
        </pre>
      ) : null}
    </details>
  );
}

/** What of others is in Rotavox, and under which licence: `licences.json`, made by test/tools/collect-licences.ts. */
interface Licences {
  readonly packages: readonly {
    readonly name: string;
    readonly version: string;
    /** An SPDX expression, as the package itself has it. */
    readonly licence: string;
    /** Its place in `texts`; null where the package brings none. */
    readonly text: number | null;
  }[];
  readonly texts: readonly string[];
}

const file = new URL('./licences.json', import.meta.url).href;

/** Read when somebody looks: nobody else needs them. Throws when the service does not answer. */
async function readLicences(): Promise<Licences> {
  const reply = await fetch(file);
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  return (await reply.json()) as Licences;
}
