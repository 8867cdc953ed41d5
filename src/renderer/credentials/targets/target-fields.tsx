import { Choice } from '../../kit/choice.tsx';
import { Field, FieldGroup } from '../../kit/field.tsx';
import inputStyles from '../../kit/input.module.css';
import { TextField } from '../../kit/text-field.tsx';
import type { FieldsProps } from './target-draft.ts';
import styles from './targets.module.css';

/** What a place of the chosen kind needs to be found. */
export function TargetFields(props: FieldsProps) {
  switch (props.draft.kind) {
    case 'keychain':
      return <KeychainFields {...props} />;
    case 'file':
      return (
        <PathField
          {...props}
          hint="The file has the value and nothing else, readable by you alone. In full: /home/me/app/token."
        />
      );
    case 'dotenv':
      return (
        <>
          <PathField
            {...props}
            hint="One variable of it is changed, everything else stays as it is. In full: /home/me/app/.env."
          />
          <VariableField {...props} />
        </>
      );
    case 'hook':
      return <HookFields {...props} />;
  }
}

function KeychainFields({ draft, errors, onChange, onLeave }: FieldsProps) {
  return (
    <div className={styles['pair']}>
      <TextField
        label="Service"
        hint="As the other program looks it up."
        face="code"
        value={draft.service}
        error={errors.service}
        isRequired
        onChange={(service) => onChange({ service })}
        onLeave={() => onLeave('service')}
      />
      <TextField
        label="Account"
        face="code"
        value={draft.account}
        error={errors.account}
        isRequired
        onChange={(account) => onChange({ account })}
        onLeave={() => onLeave('account')}
      />
    </div>
  );
}

function PathField({ draft, errors, hint, onChange, onLeave }: FieldsProps & { hint: string }) {
  return (
    <TextField
      label="Path"
      hint={hint}
      face="code"
      value={draft.path}
      error={errors.path}
      isRequired
      onChange={(path) => onChange({ path })}
      onLeave={() => onLeave('path')}
    />
  );
}

const ways = [
  { value: 'stdin', label: 'On its standard input' },
  { value: 'env', label: 'In its environment' },
] as const;

/** The command that is run with every new value, and how it gets it. */
function HookFields(props: FieldsProps) {
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

/** The variable that has the value. */
function VariableField({ draft, errors, onChange, onLeave }: FieldsProps) {
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
