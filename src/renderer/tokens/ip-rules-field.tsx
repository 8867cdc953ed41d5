import { Field } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';
import { ipRulesOf } from './token-draft.ts';

/** From where the token may be used. */
export function IpRulesField({
  text,
  error,
  onChange,
  onLeave,
}: {
  text: string;
  error: string | undefined;
  onChange: (text: string) => void;
  onLeave: () => void;
}) {
  const { length } = ipRulesOf(text);
  return (
    <Field
      label="Allowed addresses"
      error={error}
      hint={
        length === 0
          ? 'Left empty, it works from any address. Else one address or CIDR range a line, such as 10.0.0.0/8 or ::1.'
          : `It works from ${length === 1 ? 'this one' : `these ${length}`} only; anywhere else it is refused.`
      }
    >
      {(tied) => (
        <textarea
          {...tied}
          rows={2}
          className={inputStyles['input']}
          data-face="code"
          value={text}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onLeave}
        />
      )}
    </Field>
  );
}
