import { TextField } from '../../kit/text-field.tsx';
import type { FieldsProps } from './target-draft.ts';

/** The variable that has the value. */
export function VariableField({ draft, errors, onChange, onLeave }: FieldsProps) {
  return (
    <TextField
      label="Variable"
      face="code"
      value={draft.variable}
      error={errors.variable}
      isRequired
      onChange={(variable) => onChange({ variable })}
      onLeave={() => onLeave('variable')}
    />
  );
}
