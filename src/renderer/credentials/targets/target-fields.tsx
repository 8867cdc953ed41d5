import { TextField } from '../../kit/text-field.tsx';
import { HookFields } from './hook-fields.tsx';
import type { FieldsProps } from './target-draft.ts';
import styles from './target-editor.module.css';
import { VariableField } from './variable-field.tsx';

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
