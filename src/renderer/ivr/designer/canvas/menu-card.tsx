import { Handle, type NodeProps, Position } from '@xyflow/react';
import { memo } from 'react';

import { Drawing } from '../drawing.tsx';
import { SeveritySign } from '../severity-sign.tsx';
import { CardFrame } from './card-frame.tsx';
import styles from './cards.module.css';
import type { MenuCardNode } from './flow-nodes.ts';
import { FreeKeys } from './free-keys.tsx';
import { MarkLine } from './mark-line.tsx';
import { WayRow } from './way-row.tsx';

/** A menu on the canvas: what it plays, how long it waits, and a port for every way out of it. */
export const MenuCard = memo(function MenuCard({ data, selected }: NodeProps<MenuCardNode>) {
  const { menu, words, marks, lit, litPorts } = data;
  const litHandles = litPorts.split(' ');
  return (
    <CardFrame kind="menu" name={words.name} isSelected={selected} lit={lit} marks={marks}>
      <Handle
        type="target"
        position={Position.Left}
        id="in"
        className={styles['in'] ?? ''}
        isConnectableStart={false}
      />
      <div className={styles['head']}>
        <span className={styles['sign']}>
          <Drawing name="menu" />
        </span>
        <span className={styles['name']} title={words.name}>
          {words.name}
        </span>
        {marks?.parts['name'] === undefined ? null : <SeveritySign severity={marks.parts['name']} />}
      </div>
      <div className={styles['prompt']}>
        <Drawing name="recording" />
        <span className={styles['leads']} data-open={words.prompt?.isOpen} title={words.prompt?.words}>
          {words.prompt?.words}
        </span>
        {marks?.parts['prompt'] === undefined ? null : <SeveritySign severity={marks.parts['prompt']} />}
        <span className={styles['wait']}>
          {menu.timeout === null ? 'waits …' : `waits ${menu.timeout} s`}
        </span>
      </div>
      {words.keys.map((key) => (
        <WayRow
          key={key.handle}
          words={key}
          marks={marks}
          isLit={litHandles.includes(key.handle)}
          badge={<kbd className={styles['key']}>{key.key}</kbd>}
          aside={
            key.sms === null ? undefined : (
              <span className={styles['sms']} title={`Sends the SMS “${key.sms}”`}>
                <Drawing name="sms" />
                SMS
              </span>
            )
          }
        />
      ))}
      <FreeKeys menu={menu} />
      {words.invalid === null ? null : (
        <WayRow
          words={words.invalid}
          marks={marks}
          isLit={litHandles.includes('invalid')}
          badge={<span className={styles['way']}>Wrong key</span>}
          aside={<Retries count={menu.incorrect_count} />}
        />
      )}
      {words.timeout === null ? null : (
        <WayRow
          words={words.timeout}
          marks={marks}
          isLit={litHandles.includes('timeout')}
          badge={<span className={styles['way']}>Silence</span>}
          aside={<Retries count={menu.timeout_tries} />}
        />
      )}
      <MarkLine marks={marks} />
    </CardFrame>
  );
});

/** How often the menu begins again before the way is taken. */
function Retries({ count }: { count: number | null }) {
  if (count === 0) return null;
  return (
    <span className={styles['retries']} title={`The menu begins again, ${count ?? '…'} times at most`}>
      <Drawing name="again" />
      {count ?? '…'}
    </span>
  );
}
