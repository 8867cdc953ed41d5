import type { Publication } from '../../../../contract/ivr-draft.ts';
import { allCredentials } from '../../../credentials/read-credentials.ts';
import { countWords } from '../../../../text/count.ts';
import { Field } from '../../../kit/field.tsx';
import { useLive } from '../../../kit/live/use-live.ts';
import { Moment } from '../../../kit/moment.tsx';
import styles from './publish-dialog.module.css';

/** Where to: this service, or the one of a credential, with that credential's present token. */
export function TargetField({
  credential,
  onChange,
}: {
  credential: string | null;
  onChange: (credential: string | null) => void;
}) {
  const live = useLive(allCredentials);
  const credentials = live.known?.value.credentials ?? [];
  return (
    <Field
      label="Where to"
      hint={
        credential === null
          ? 'Apps on this machine find it at /v1/ivr at once.'
          : 'It is sent with the present token of that credential.'
      }
    >
      {(tied) => (
        <select
          {...tied}
          className={styles['select']}
          value={credential === null ? 'here' : `at ${credential}`}
          onChange={({ target }) => onChange(target.value === 'here' ? null : target.value.slice(3))}
        >
          <option value="here">This service</option>
          {credentials.length === 0 ? null : (
            <optgroup label="With a credential">
              {credentials.map(({ name, base_url }) => (
                <option key={name} value={`at ${name}`}>
                  {name}, {base_url}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      )}
    </Field>
  );
}

/** What is there already of this drawing. */
export function PublishedBefore({
  publications,
  credential,
}: {
  publications: readonly Publication[];
  credential: string | null;
}) {
  const before = publications.find((publication) => publication.credential === credential);
  const count = Object.keys(before?.menus ?? {}).length;
  if (before === undefined || count === 0)
    return <p className={styles['note']}>Nothing of this drawing is there yet.</p>;
  const stored = countWords(count, 'menu');
  return (
    <p className={styles['note']}>
      {before.published_at === null ? (
        <>
          {stored} of this drawing {count === 1 ? 'is' : 'are'} there already. Publishing replaces{' '}
          {count === 1 ? 'it' : 'them'} and adds what is missing.
        </>
      ) : (
        <>
          Version {before.version} of {stored} is there since <Moment at={before.published_at} />. Publishing
          replaces it; calls are answered by the new one from then on.
        </>
      )}
    </p>
  );
}
