import { useEffect, useRef } from 'react';

import { TextField } from '../kit/text-field.tsx';
import { Tick } from '../kit/tick.tsx';
import { useCommandLine } from '../kit/use-command-line.ts';
import styles from './keep-fresh-fields.module.css';
import { credentialNameOf, type DraftFieldsProps } from './token-draft.ts';

/** Whether Rotavox itself keeps the token fresh, and under which name. */
export function KeepFreshFields({ draft, error, onChange, onLeave }: DraftFieldsProps) {
  const ref = useRef<HTMLDivElement>(null);
  const commandLine = useCommandLine();
  useEffect(() => {
    // Ticked, there is one more field to see, at the end of a dialog that may be longer than the window.
    if (draft.isKeptFresh) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [draft.isKeptFresh]);

  return (
    <div ref={ref} className={styles['fields']}>
      <Tick
        label="Keep this fresh"
        hint="Rotavox puts it into this machine’s keychain and replaces it there before it ends."
        isOn={draft.isKeptFresh}
        onChange={(isKeptFresh) => onChange({ isKeptFresh })}
      />
      {draft.isKeptFresh ? (
        <div className={styles['name']}>
          <TextField
            label="Credential name"
            hint={
              commandLine === null ? (
                'Scripts and windows know it by this name.'
              ) : (
                <>
                  Scripts get the current value with{' '}
                  <code>
                    {commandLine} get {credentialNameOf(draft) || 'NAME'}
                  </code>
                  .
                </>
              )
            }
            face="code"
            value={credentialNameOf(draft)}
            error={error}
            isRequired
            onChange={(credentialName) => onChange({ credentialName })}
            onLeave={onLeave}
          />
        </div>
      ) : null}
    </div>
  );
}
