import { eventKindNames } from '../../contract/audit-event.ts';
import { eventGroups } from '../../contract/history.ts';
import styles from '../kit/select.module.css';
import { kindWords } from './event-words.ts';

const groupNames: Readonly<Record<string, string>> = {
  'token.': 'Tokens',
  'credential.': 'Credentials',
  'ivr.': 'Phone menus',
  'settings.': 'Settings',
  'journal.': 'Journal',
};

/** Which kinds of event are shown: all, a whole group, or one. */
export function KindSelect({
  kind,
  onChange,
}: {
  kind: string | undefined;
  onChange: (kind: string | undefined) => void;
}) {
  const isListed = kind?.includes(',') === true; // several at once come by a link only
  return (
    <select
      className={styles['select']}
      aria-label="Kind of event"
      value={kind ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    >
      <option value="">Every kind of event</option>
      {isListed ? <option value={kind}>Several kinds</option> : null}
      {eventGroups.map((group) => {
        const kinds = eventKindNames.filter((name) => name.startsWith(group));
        const name = groupNames[group] ?? group;
        return (
          <optgroup key={group} label={name}>
            {kinds.length > 1 ? <option value={group}>{name}: all of them</option> : null}
            {kinds.map((one) => (
              <option key={one} value={one}>
                {kindWords(one)}
              </option>
            ))}
          </optgroup>
        );
      })}
    </select>
  );
}
