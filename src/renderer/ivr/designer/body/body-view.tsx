import { useEffect, useId, useRef, useState } from 'react';
import type { IvrDocument, MenuNode, NodeId } from '../../../../contract/ivr-draft.ts';
import type { FieldError } from '../../../../contract/problems.ts';
import { menuBody } from '../../../../core/ivr/body/menu-body.ts';
import { nodeWords } from '../../../../text/phone-menu.ts';
import { Button } from '../../../kit/button.tsx';
import { Choice } from '../../../kit/choice.tsx';
import { CodeBlock } from '../../../kit/command-line.tsx';
import { useLive } from '../../../kit/live/use-live.ts';
import { bodyText } from '../../request-body.ts';
import type { Selection } from '../designer-store.ts';
import { plannedRequests } from '../publish/planned-requests.ts';
import { knownIds, publicationsOf } from '../publish/read-publications.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { applyBody, placeOfField, readBody } from './apply-body.ts';
import styles from './body-view.module.css';

const views = [
  { value: 'body', label: 'Body of a menu' },
  { value: 'requests', label: 'All requests' },
] as const;

/** The JSON that is sent for the selected menu, to look at and to edit, and everything that publishing sends. */
export function BodyView() {
  const [view, setView] = useState<'body' | 'requests'>('body');
  return (
    <section className={styles['view']} aria-label="JSON">
      <div role="group" aria-label="What is shown">
        <Choice options={views} value={view} onChange={setView} />
      </div>
      {view === 'body' ? <ShownBody /> : <RequestsView />}
    </section>
  );
}

function ShownBody() {
  const { referenceData } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const selection = useDesignerState((state) => state.selection);
  /** The menu that is edited as text: it stays while something else is selected. */
  const [edited, setEdited] = useState<NodeId | null>(null);
  const menu = menuOf(document, edited === null ? selection : new Set([edited]));
  if (menu === undefined)
    return <p className={styles['note']}>There is no menu yet, so there is no body to look at.</p>;
  const text = bodyText(menuBody(document, menu.id, (id) => id));
  const name = nodeWords(menu, referenceData);
  if (edited !== null)
    return <BodyEditor menu={menu} name={name} text={text} onClose={() => setEdited(null)} />;
  return (
    <>
      <div className={styles['head']}>
        <h3 className={styles['what']}>
          <strong>{name}</strong>, as it is sent to <code>/v1/ivr</code>
        </h3>
        <Button onPress={() => setEdited(menu.id)}>Edit as JSON</Button>
      </div>
      <CodeBlock text={text} what={`the JSON body of ${name}`} />
      <Explanation document={document} menu={menu} />
    </>
  );
}

/** What is not in the body, or stands in for what is only known later. */
function Explanation({ document, menu }: { document: IvrDocument; menu: MenuNode }) {
  const ends = [...menu.keys.map(({ to }) => to), menu.invalid_destination, menu.timeout_destination];
  const inner = ends.find((to) => to !== null && document.nodes[to]?.kind === 'menu');
  const hasOpen =
    [menu.recording, menu.invalid_recording, menu.timeout_retry_recording, menu.timeout_recording].includes(
      null,
    ) ||
    ends.includes(null) ||
    [menu.timeout, menu.incorrect_count, menu.timeout_tries].includes(null);
  return (
    <>
      {inner === undefined ? null : (
        <p className={styles['note']}>
          <code>ivr||{inner}</code> is a menu of this drawing. When it is published, the id that it gets there
          stands in its place.
        </p>
      )}
      {hasOpen ? <p className={styles['note']}>What is still open is left out.</p> : null}
    </>
  );
}

/** The selected menu, else the one that a call meets first, else any. */
function menuOf({ nodes, caller }: IvrDocument, selection: Selection): MenuNode | undefined {
  const ids = [...selection, caller.to, ...Object.keys(nodes)];
  for (const id of ids) {
    const node = id === null ? undefined : nodes[id as NodeId];
    if (node?.kind === 'menu') return node;
  }
  return undefined;
}

/** A menu's body as text: what is written counts when it is applied, and only when the service would take it. */
function BodyEditor({
  menu,
  name,
  text,
  onClose,
}: {
  menu: MenuNode;
  name: string;
  text: string;
  onClose: () => void;
}) {
  const id = useId();
  const { store } = useDesigner();
  const textRef = useRef<HTMLTextAreaElement>(null);
  const [written, setWritten] = useState(text);
  const [errors, setErrors] = useState<readonly FieldError[]>([]);
  const [leftOut, setLeftOut] = useState('');

  useEffect(() => textRef.current?.focus(), []);

  function apply(): void {
    const read = readBody(written);
    if (!read.ok) {
      setErrors(read.refusal);
      return;
    }
    const { body, warnings } = read.value;
    store.edit('edit a menu as JSON', (document) => applyBody(document, menu.id, body));
    if (warnings.length === 0) {
      onClose();
      return;
    }
    setErrors([]);
    setLeftOut(warnings.map(({ field, message }) => `${field} ${message}.`).join(' '));
  }

  function show(field: string): void {
    const place = placeOfField(written, field);
    textRef.current?.focus();
    if (place !== null) textRef.current?.setSelectionRange(place.start, place.end);
  }

  return (
    <>
      <h3 className={styles['what']}>
        <label htmlFor={id}>
          JSON body of <strong>{name}</strong>
        </label>
      </h3>
      <textarea
        ref={textRef}
        id={id}
        className={styles['text']}
        value={written}
        spellCheck={false}
        aria-invalid={errors.length > 0 || undefined}
        aria-describedby={`${id}-errors`}
        onChange={({ target }) => setWritten(target.value)}
      />
      <div id={`${id}-errors`} role="alert" className={styles['errors']}>
        {errors.map(({ field, message }) => (
          <button
            key={`${field} ${message}`}
            type="button"
            className={styles['error']}
            onClick={() => show(field)}
          >
            {field === '' ? null : <code>{field}</code>} {message}
          </button>
        ))}
        {leftOut === '' ? null : <p className={styles['note']}>Applied. {leftOut}</p>}
      </div>
      <div className={styles['buttons']}>
        <Button rank="main" onPress={apply}>
          Apply
        </Button>
        <Button onPress={onClose}>{leftOut === '' ? 'Cancel' : 'Close'}</Button>
      </div>
    </>
  );
}

/** Everything that publishing to this service would send, in its order. */
function RequestsView() {
  const { check, draftId } = useDesigner();
  const live = useLive(publicationsOf(draftId));
  if (check.flow === null)
    return <p className={styles['note']}>Nothing can be sent while something is open. See the problems.</p>;
  const requests = plannedRequests(check.flow, knownIds(live.known?.value ?? [], null));
  return (
    <>
      <p className={styles['note']}>
        What publishing to this service sends, in this order. <code>{'<id of …>'}</code> stands for an id that
        the service gives on the way.
      </p>
      <ol className={styles['requests']}>
        {requests.map(({ method, path, menu, body, completes }, place) => (
          <li key={place}>
            <h3 className={styles['what']}>
              <code>
                {method} {path}
              </code>{' '}
              {menu}
              {completes ? ', once more, now that all it leads to is there' : ''}
            </h3>
            <CodeBlock text={bodyText(body)} what={`the body of ${method} ${path} for ${menu}`} />
          </li>
        ))}
      </ol>
    </>
  );
}
