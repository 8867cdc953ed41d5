import type { Publication } from '../../../../contract/menu/ivr-draft.ts';
import { allCredentials } from '../../../credentials/read-credentials.ts';
import { Field } from '../../../kit/field.tsx';
import { useLive } from '../../../kit/live/use-live.ts';
import { Moment } from '../../../kit/moment.tsx';
import panel from '../panel.module.css';
import { alteredSentences } from '../../../../text/menu/phone-menu.ts';
import { publishText as text } from '../../../../text/menu/publish.ts';
import { RichText } from '../../../kit/rich-text.tsx';

/** Where to publish: to this service, or to the service of a credential, with its current token. */
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
    <Field label={text.where} hint={credential === null ? text.hereHint : text.credentialHint}>
      {(tied) => (
        <select
          {...tied}
          className={panel['select']}
          value={credential === null ? 'here' : `at ${credential}`}
          onChange={({ target }) => onChange(target.value === 'here' ? null : target.value.slice(3))}
        >
          <option value="here">{text.here}</option>
          {credentials.length === 0 ? null : (
            <optgroup label={text.withCredential}>
              {credentials.map(({ name, base_url }) => (
                <option key={name} value={`at ${name}`}>
                  {text.credential(name, base_url)}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      )}
    </Field>
  );
}

/** What is published there already. */
export function PublishedBefore({ before }: { before: Publication | undefined }) {
  const count = Object.keys(before?.menus ?? {}).length;
  if (before === undefined || count === 0) return <p className={panel['note']}>{text.nothingThere}</p>;
  return (
    <p className={panel['note']}>
      {before.published_at === null ? (
        text.storedThere(count)
      ) : (
        <RichText
          text={text.publishedThere(before.version, count)}
          parts={{ when: <Moment at={before.published_at} /> }}
        />
      )}{' '}
      {alteredSentences(before).join(' ')}
    </p>
  );
}
