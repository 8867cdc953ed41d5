import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { problemText } from '../../text/window/connection.ts';
import { Text } from '../kit/text.tsx';
import type { HistoryEvent } from '../../contract/history/audit-event.ts';
import { resultOfEvent } from '../../core/history/choose-events.ts';
import { credentialPath, familyPath, historyPath, menuPath } from '../kit/window-paths.ts';
import { Button } from '../kit/button.tsx';
import { CodeBlock } from '../kit/command-line.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { Link } from '../kit/link.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { Fact, Facts } from '../kit/page.tsx';
import { type EventReader, type KnownEvent, useKnownEvent } from './event-reader.ts';
import { fullText, instantText } from '../../text/time.ts';
import { actorText, eventTitle, resultLabels } from '../../text/window/events.ts';
import { eventDialogText as text, historyText } from '../../text/window/history-text.ts';

/** Everything that one event says, for a person and as JSON, and the way to the events beside it. */
export function EventDialog({
  reader,
  seq,
  newer,
  older,
  onMove,
  onClose,
}: {
  reader: EventReader;
  seq: number;
  /** The events beside it in the list. */
  newer: number | undefined;
  older: number | undefined;
  onMove: (seq: number) => void;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const known = useKnownEvent(reader, seq);
  const problem = useSyncExternalStore(reader.subscribe, reader.problem);
  const [asked, setAsked] = useState<number>();
  useEffect(() => {
    void reader.readOne(seq).then(() => setAsked(seq));
  }, [reader, seq]);
  const missing = problem === undefined ? text.none : problemText(problem);

  return (
    <Dialog
      ref={ref}
      title={known === undefined ? text.title(seq) : eventTitle(known.event.kind, known.event.actor)}
      mayClose={() => true}
      onClose={onClose}
    >
      <Stack gap={4}>
        {known === undefined ? (
          <Text tone="soft">{asked === seq ? missing : historyText.loading}</Text>
        ) : (
          <>
            <EventDetails known={known} result={resultLabels[resultOfEvent(known.event.kind)]} />
            <CodeBlock text={JSON.stringify(known.event, null, 2)} what={text.json} />
          </>
        )}
      </Stack>
      <DialogButtons>
        <Row gap={2} grows>
          {newer === undefined ? null : <Button onPress={() => onMove(newer)}>{text.newer}</Button>}
          {older === undefined ? null : <Button onPress={() => onMove(older)}>{text.older}</Button>}
        </Row>
        <Button rank="main" onPress={() => ref.current?.close()}>
          {text.close}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** An event as a list of names and values, with links to what it is about. */
function EventDetails({ known: { event, name }, result }: { known: KnownEvent; result: string }) {
  const link = subjectLink(event, name);
  return (
    <Facts isWide>
      <Fact name={text.facts.event}>
        {event.seq.toLocaleString()}, <code>{event.kind}</code>
      </Fact>
      <Fact name={text.facts.when}>
        <Instant at={event.at} />
      </Fact>
      <Fact name={text.facts.about}>
        {link === undefined ? (name ?? null) : <Link to={link.to}>{link.words}</Link>}
        <div>
          <code>{event.subject}</code>
        </div>
        <Link to={historyPath(event.subject)}>{text.allAbout}</Link>
      </Fact>
      <Fact name={text.facts.who}>{actorText(event.actor).full}</Fact>
      <Fact name={text.facts.result}>{result}</Fact>
      {factsOf(event.data).map((fact) => (
        <Fact key={fact.name} name={fact.name}>
          {fact.isInstant ? <Instant at={fact.value} /> : fact.value}
        </Fact>
      ))}
    </Facts>
  );
}

function Instant({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullText(at)}>
      {instantText(at)}
    </time>
  );
}

/** One thing that an event says, under a name that a person can read. */
export interface DataField {
  readonly name: string;
  readonly value: string;
  /** An instant is shown in the person's own time. */
  readonly isInstant: boolean;
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Every field of an event's data in a flat list: `configuration.validity_days` is "configuration · validity days". */
export function factsOf(data: HistoryEvent['data']): readonly DataField[] {
  return Object.entries(data).flatMap(([key, value]) => factsUnder(words(key), value));
}

function factsUnder(name: string, value: unknown): DataField[] {
  if (Array.isArray(value))
    return [fact(name, value.length === 0 ? text.nothing : value.map(plain).join(', '))];
  if (typeof value !== 'object' || value === null) return [fact(name, plain(value))];
  return Object.entries(value).flatMap(([key, part]) => factsUnder(`${name} · ${words(key)}`, part));
}

function fact(name: string, value: string): DataField {
  return { name, value, isInstant: instant.test(value) };
}

function words(key: string): string {
  return key.replaceAll('_', ' ');
}

function plain(value: unknown): string {
  if (value === null || value === '') return text.nothing;
  if (typeof value === 'boolean') return value ? text.yes : text.no;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** Where what an event is about has a page of its own: nothing for what is gone, and for what never had one. */
function subjectLink(
  { kind, subject }: HistoryEvent,
  name: string | undefined,
): { readonly to: string; readonly words: string } | undefined {
  if (name === undefined) return undefined;
  if (kind.startsWith('token.')) return { to: familyPath(subject), words: text.token(name) };
  if (kind.startsWith('credential.')) return { to: credentialPath(name), words: text.credential(name) };
  if (kind.startsWith('ivr.')) return { to: menuPath(subject), words: text.menu(name) };
  return undefined;
}
