import { Choice } from '../../kit/choice.tsx';
import { Field, FieldGroup } from '../../kit/field.tsx';
import inputStyles from '../../kit/input.module.css';
import { TextField } from '../../kit/text-field.tsx';
import type { FieldsProps } from './target-draft.ts';
import { VariableField } from './variable-field.tsx';

const ways = [
  { value: 'stdin', label: 'On its standard input' },
  { value: 'env', label: 'In its environment' },
] as const;

/** The command that is run with every new value, and how it gets it. */
export function HookFields(props: FieldsProps) {
  const { draft, errors, onChange, onLeave } = props;
  return (
    <>
      <TextField
        label="Program"
        hint="Run without a shell after each rotation, with the new value. Its whole path, or a name that is found in PATH."
        face="code"
        value={draft.program}
        error={errors.program}
        isRequired
        onChange={(program) => onChange({ program })}
        onLeave={() => onLeave('program')}
      />
      <Field
        label="Arguments"
        hint="One a line, as they are: quotes are part of them. Never the value."
        error={errors.args}
      >
        {(tied) => (
          <textarea
            {...tied}
            rows={2}
            className={inputStyles['input']}
            data-face="code"
            value={draft.args}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => onChange({ args: event.target.value })}
            onBlur={() => onLeave('args')}
          />
        )}
      </Field>
      <FieldGroup legend="It gets the value">
        <Choice options={ways} value={draft.pass} onChange={(pass) => onChange({ pass })} />
      </FieldGroup>
      {draft.pass === 'env' ? <VariableField {...props} /> : null}
      <TextField
        label="Time limit, in seconds"
        hint="From 1 to 240; what runs longer is ended and tried again."
        value={draft.timeLimit}
        error={errors.timeLimit}
        inputMode="numeric"
        isRequired
        onChange={(timeLimit) => onChange({ timeLimit })}
        onLeave={() => onLeave('timeLimit')}
      />
    </>
  );
}
