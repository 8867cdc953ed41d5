import { useRef, useState } from 'react';

import { Button } from '../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { TextField } from '../../kit/text-field.tsx';
import styles from './licences-dialog.module.css';
import type { Licences } from './read-licences.ts';

/** Every package with its licence; the text of one is there when it is opened. */
export function LicencesDialog({ licences, onClose }: { licences: Licences; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const [sought, setSought] = useState('');
  const words = sought.trim().toLowerCase();
  const found = licences.packages.filter(({ name, licence }) =>
    `${name} ${licence}`.toLowerCase().includes(words),
  );
  return (
    <Dialog ref={ref} title="What is in Rotavox" mayClose={() => true} onClose={onClose}>
      <TextField label="Find a package or a licence" value={sought} onChange={setSought} />
      <p role="status" className={styles['count']}>
        {found.length === licences.packages.length
          ? `${found.length} packages. The licences of Chromium come beside the desktop app.`
          : `${found.length} of ${licences.packages.length} packages`}
      </p>
      <ul className={styles['list']}>
        {found.map(({ name, version, licence, text }) => (
          <li key={`${name} ${version}`}>
            <PackageLicence
              name={name}
              version={version}
              licence={licence}
              text={text === null ? undefined : licences.texts[text]}
            />
          </li>
        ))}
      </ul>
      <DialogButtons>
        <Button rank="main" onPress={() => ref.current?.close()}>
          Close
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
  text = 'This package brings no text of its licence; its name above is what it says of itself.',
}: {
  name: string;
  version: string;
  licence: string;
  text?: string | undefined;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles['package']} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles['summary']}>
        <span className={styles['name']}>{name}</span> <span>{version}</span>{' '}
        <span className={styles['licence']}>{licence}</span>
      </summary>
      {isOpen ? (
        <pre className={styles['text']} tabIndex={0}>
          {text}
        </pre>
      ) : null}
    </details>
  );
}
