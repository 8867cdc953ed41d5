import { useRef, useState } from 'react';

import { Button } from '../../kit/button.tsx';
import { Setting } from '../setting.tsx';
import type { Saving } from '../use-saving.ts';
import { LicencesDialog } from './licences-dialog.tsx';
import { type Licences, readLicences } from './read-licences.ts';

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
            reason: 'The service does not answer, so there is nothing to show. Start it and try again.',
          }),
      )
      .finally(() => {
        isReading.current = false;
      });
  }
  return (
    <Setting
      title="Licences"
      hint="Rotavox is under the MIT licence. What others made and is in it is under theirs."
      saving={reading}
    >
      <Button onPress={open}>Show the licences</Button>
      {isOpen && licences !== undefined ? (
        <LicencesDialog licences={licences} onClose={() => setOpen(false)} />
      ) : null}
    </Setting>
  );
}
