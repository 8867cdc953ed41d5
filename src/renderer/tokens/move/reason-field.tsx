import { Field } from '../../kit/field.tsx';
import inputStyles from '../../kit/input.module.css';

/** How many characters a reason may have; the contract says so too. */
const longest = 500;

/** Why the owner does it, in words that the history keeps. */
export function ReasonField({
  reason,
  error,
  onChange,
}: {
  reason: string;
  error: string | undefined;
  onChange: (reason: string) => void;
}) {
  const left = longest - reason.trim().length;
  return (
    <Field
      label="Reason"
      error={error === undefined ? undefined : `The reason ${error}: ${-left} fewer.`}
      hint={
        left < 100
          ? `Kept in the history. ${left} characters left.`
          : 'Kept in the history. May be left empty.'
      }
    >
      {(tied) => (
        <textarea
          {...tied}
          rows={2}
          className={inputStyles['input']}
          value={reason}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
