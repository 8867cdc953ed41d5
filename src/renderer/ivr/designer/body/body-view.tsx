import { useState } from 'react';

import type { IvrDocument, MenuNode, NodeId } from '../../../../contract/ivr-draft.ts';
import { menuBody } from '../../../../core/ivr/body/menu-body.ts';
import { Button } from '../../../kit/button.tsx';
import { Choice } from '../../../kit/choice.tsx';
import { CodeBlock } from '../../../kit/code-block.tsx';
import { bodyText } from '../../request-body.ts';
import type { Selection } from '../designer-store.ts';
import { nodeWords } from '../inspector/node-words.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { BodyEditor } from './body-editor.tsx';
import styles from './body-view.module.css';
import { RequestsView } from './requests-view.tsx';

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
  const { surroundings } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const selection = useDesignerState((state) => state.selection);
  /** The menu that is edited as text: it stays while something else is selected. */
  const [edited, setEdited] = useState<NodeId | null>(null);
  const menu = menuOf(document, edited === null ? selection : new Set([edited]));
  if (menu === undefined)
    return <p className={styles['note']}>There is no menu yet, so there is no body to look at.</p>;
  const text = bodyText(menuBody(document, menu.id, (id) => id));
  const name = nodeWords(menu, surroundings);
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
