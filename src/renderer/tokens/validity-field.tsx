import { maxValidityDays, namedValidities } from '../../contract/token.ts';
import { Choice } from '../kit/choice.tsx';
import { FieldGroup } from '../kit/field.tsx';
import { TextField } from '../kit/text-field.tsx';
import type { DraftFieldsProps } from './token-draft.ts';
import styles from './validity-field.module.css';

const options = [
  ...namedValidities.map((days) => ({
    value: String(days),
    label: days === 1 ? '1 day' : `${days} days`,
  })),
  { value: 'custom', label: 'Other' },
];

/** How long the token works: one of the named spans, or any number of days. */
export function ValidityField({ draft, error, onChange, onLeave }: DraftFieldsProps) {
  return (
    <FieldGroup legend="Valid for" hint="Every rotation starts this time anew.">
      <Choice options={options} value={draft.validity} onChange={(validity) => onChange({ validity })} />
      {draft.validity === 'custom' ? (
        <div className={styles['days']}>
          <TextField
            label={`Days, from 1 to ${maxValidityDays}`}
            value={draft.customDays}
            error={error}
            inputMode="numeric"
            isRequired
            onChange={(customDays) => onChange({ customDays })}
            onLeave={onLeave}
          />
        </div>
      ) : null}
    </FieldGroup>
  );
}
