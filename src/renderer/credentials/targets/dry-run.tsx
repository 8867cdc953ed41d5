import { maskedValue } from '../../../contract/credential-checks.ts';
import type { DeliveryPreview } from '../../../contract/credential-checks.ts';
import { Icon } from '../../kit/icon.tsx';
import { PathText } from '../../kit/path-text.tsx';
import { ServiceWords } from '../../kit/service-words.tsx';
import styles from './dry-run.module.css';
import type { Previewing } from './use-preview.ts';

/** What adding the target would change, before it is added; values are masked. Read out when it is known. */
export function DryRun({ previewing }: { previewing: Previewing }) {
  return (
    <section
      className={styles['dry']}
      aria-label="What will change"
      aria-live="polite"
      aria-busy={previewing.kind === 'asking'}
    >
      <p className={styles['title']}>What will change</p>
      <DryRunWords previewing={previewing} />
    </section>
  );
}

function DryRunWords({ previewing }: { previewing: Previewing }) {
  switch (previewing.kind) {
    case 'none':
      return <p className={styles['soft']}>Say where, and it is shown here before anything is written.</p>;
    case 'asking':
      return <p className={styles['asking']}>Looking at it …</p>;
    case 'refused':
      return (
        <p className={styles['wrong']}>
          <Icon name="alert" />
          <span>It could not be looked at. {previewing.reason}</span>
        </p>
      );
    case 'told':
      return <Preview preview={previewing.preview} />;
  }
}

function Preview({ preview: { possible, message, place, lines } }: { preview: DeliveryPreview }) {
  return (
    <>
      <p className={possible ? undefined : styles['wrong']}>
        {possible ? null : <Icon name="alert" />}
        <span>
          <ServiceWords said={message} />
        </span>
      </p>
      {message.includes(place) ? null : (
        <p className={styles['soft']}>
          <PathText path={place} />
        </p>
      )}
      {lines.length === 0 ? null : (
        <ul className={styles['lines']}>
          {lines.map((line, index) => (
            <li key={index} className={styles['line']}>
              <span className={styles['number']}>{line.number === null ? '' : `line ${line.number}`}</span>
              <div className={styles['change']}>
                {line.before === null ? null : (
                  <del className={styles['before']}>
                    <Masked text={line.before} />
                  </del>
                )}
                {line.after === null ? null : (
                  <ins className={styles['after']}>
                    <Masked text={line.after} />
                  </ins>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** A line with its dots heard as what they are. */
function Masked({ text }: { text: string }) {
  return text.split(maskedValue).map((part, place) => (
    <span key={place}>
      {place === 0 ? null : (
        <span role="img" aria-label="a value, masked">
          {maskedValue}
        </span>
      )}
      {part}
    </span>
  ));
}
