import type { ReactNode } from 'react';

import { historyPath } from '../kit/address.ts';
import { exactInstant } from '../kit/exact-instant.ts';
import { Link } from '../kit/link.tsx';
import styles from './event-dialog.module.css';
import { factsOf } from './event-facts.ts';
import type { KnownEvent } from './event-reader.ts';
import { actorWords } from './event-words.ts';
import { subjectLink } from './subject-link.ts';

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** An event as a list of names and values, with links to what it is about. */
export function EventDetails({ known: { event, name }, result }: { known: KnownEvent; result: string }) {
  const link = subjectLink(event, name);
  return (
    <dl className={styles['facts']}>
      <Fact name="Event">
        {event.seq.toLocaleString()}, <code>{event.kind}</code>
      </Fact>
      <Fact name="When">
        <Instant at={event.at} />
      </Fact>
      <Fact name="About">
        {link === undefined ? (name ?? null) : <Link to={link.to}>{link.words}</Link>}
        <span className={styles['line']}>
          <code>{event.subject}</code>
        </span>
        <Link to={historyPath(event.subject)}>All events about it</Link>
      </Fact>
      <Fact name="Who">{actorWords(event.actor).exact}</Fact>
      <Fact name="Result">{result}</Fact>
      {factsOf(event.data).map((fact) => (
        <Fact key={fact.name} name={fact.name}>
          {fact.isInstant ? <Instant at={fact.value} /> : fact.value}
        </Fact>
      ))}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles['fact']}>
      <dt className={styles['name']}>{name}</dt>
      <dd className={styles['value']}>{children}</dd>
    </div>
  );
}

function Instant({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactInstant(at)}>
      {exact.format(new Date(at))}
    </time>
  );
}
