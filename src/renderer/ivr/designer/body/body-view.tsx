import { useEffect, useId, useRef, useState } from 'react';
import { Row } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import type { IvrDocument, MenuNode, NodeId } from '../../../../contract/menu/ivr-draft.ts';
import type { FieldError } from '../../../../contract/problems.ts';
import { menuBody } from '../../../../core/ivr/body/menu-body.ts';
import { withFlowPrompts } from '../../../../core/ivr/flow-prompts.ts';
import { nodeTitle } from '../../../../text/menu/phone-menu.ts';
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
import panel from '../panel.module.css';
import { editText, menuJsonText as text } from '../../../../text/menu/designer.ts';
import { publishText } from '../../../../text/menu/publish.ts';
import { RichText } from '../../../kit/rich-text.tsx';

const views = [
  { value: 'body', label: text.views.body },
  { value: 'requests', label: text.views.requests },
] as const;

/** The JSON body of the selected menu, which can be edited, and all requests of publishing. */
export function BodyView() {
  const [view, setView] = useState<'body' | 'requests'>('body');
  return (
    <section className={panel['view']} aria-label={text.title}>
      <div role="group" aria-label={text.shown}>
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
  /** The menu that is edited as JSON; it stays while something else is selected. */
  const [edited, setEdited] = useState<NodeId | null>(null);
  const menu = menuOf(document, edited === null ? selection : new Set([edited]));
  if (menu === undefined) return <p className={panel['note']}>{text.noMenu}</p>;
  const json = bodyText(menuBody(document, menu.id, (id) => id));
  const name = nodeTitle(menu, referenceData);
  if (edited !== null)
    return <BodyEditor menu={menu} name={name} json={json} onClose={() => setEdited(null)} />;
  return (
    <>
      <Row gap={3} wraps align="center" justify="between">
        <Text as="h3" size="medium" weight="bold" breaks>
          <RichText
            text={text.sentAs}
            parts={{ menu: <strong>{name}</strong>, path: <code>/v1/ivr</code> }}
          />
        </Text>
        <Button onPress={() => setEdited(menu.id)}>{text.edit}</Button>
      </Row>
      <CodeBlock text={json} what={text.copy(name)} />
      <Explanation document={document} menu={menu} />
    </>
  );
}

/** What is missing in the body, and ids that are only known after publishing. */
function Explanation({ document, menu: drawn }: { document: IvrDocument; menu: MenuNode }) {
  const menu = withFlowPrompts(document, drawn);
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
        <p className={panel['note']}>
          <RichText text={text.inner} parts={{ reference: <code>ivr||{inner}</code> }} />
        </p>
      )}
      {hasOpen ? <p className={panel['note']}>{text.incomplete}</p> : null}
    </>
  );
}

/** The selected menu, otherwise the first menu of a call, otherwise any. */
function menuOf({ nodes, caller }: IvrDocument, selection: Selection): MenuNode | undefined {
  const ids = [...selection, caller.to, ...Object.keys(nodes)];
  for (const id of ids) {
    const node = id === null ? undefined : nodes[id as NodeId];
    if (node?.kind === 'menu') return node;
  }
  return undefined;
}

/** A menu's body as text. It is applied on request, and only if the service would accept it. */
function BodyEditor({
  menu,
  name,
  json,
  onClose,
}: {
  menu: MenuNode;
  name: string;
  json: string;
  onClose: () => void;
}) {
  const id = useId();
  const { store } = useDesigner();
  const textRef = useRef<HTMLTextAreaElement>(null);
  const [written, setWritten] = useState(json);
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
    store.edit(editText.editBody, (document) => applyBody(document, menu.id, body));
    if (warnings.length === 0) {
      onClose();
      return;
    }
    setErrors([]);
    setLeftOut(warnings.map(({ field, message }) => text.leftOut(field, message)).join(' '));
  }

  function show(field: string): void {
    const place = placeOfField(written, field);
    textRef.current?.focus();
    if (place !== null) textRef.current?.setSelectionRange(place.start, place.end);
  }

  return (
    <>
      <Text as="h3" size="medium" weight="bold" breaks>
        <label htmlFor={id}>
          <RichText text={text.label} parts={{ menu: <strong>{name}</strong> }} />
        </label>
      </Text>
      <textarea
        ref={textRef}
        id={id}
        className={panel['json']}
        value={written}
        spellCheck={false}
        aria-invalid={errors.length > 0 || undefined}
        aria-describedby={`${id}-errors`}
        onChange={({ target }) => setWritten(target.value)}
      />
      <Text as="div" id={`${id}-errors`} tone="bad" role="alert">
        {errors.map(({ field, message }) => (
          <button
            key={`${field} ${message}`}
            type="button"
            className={panel['line']}
            onClick={() => show(field)}
          >
            {field === '' ? null : <code>{field}</code>} {message}
          </button>
        ))}
        {leftOut === '' ? null : <p className={panel['note']}>{text.applied(leftOut)}</p>}
      </Text>
      <Row gap={2} wraps>
        <Button rank="main" onPress={apply}>
          {text.apply}
        </Button>
        <Button onPress={onClose}>{leftOut === '' ? text.cancel : text.close}</Button>
      </Row>
    </>
  );
}

/** All requests of publishing to this service, in their order. */
function RequestsView() {
  const { check, draftId } = useDesigner();
  const live = useLive(publicationsOf(draftId));
  if (check.flow === null) return <p className={panel['note']}>{text.blocked}</p>;
  const requests = plannedRequests(check.flow, knownIds(live.known?.value ?? [], null));
  return (
    <>
      <p className={panel['note']}>
        <RichText text={text.order} parts={{ id: <code>{text.anyId}</code> }} />
      </p>
      <ol className={panel['column']}>
        {requests.map(({ method, path, menu, body, completes }, place) => (
          <li key={place}>
            <Text as="h3" size="medium" weight="bold" breaks>
              <code>
                {method} {path}
              </code>{' '}
              {menu}
              {completes ? text.completes : ''}
            </Text>
            <CodeBlock text={bodyText(body)} what={publishText.copyBody(`${method} ${path}`, menu)} />
          </li>
        ))}
      </ol>
    </>
  );
}
