import { Panel, useReactFlow, useStore } from '@xyflow/react';

import { useShortcut } from '../../../kit/keys/use-shortcut.ts';
import { ToolButton } from '../tool-button.tsx';
import styles from './zoom-controls.module.css';

/** How much the drawing is magnified, and the ways to change that. */
export function ZoomControls() {
  const flow = useReactFlow();
  const percent = useStore(({ transform }) => Math.round(transform[2] * 100));
  const motion = matchMedia('(prefers-reduced-motion: reduce)').matches ? {} : { duration: 160 };
  const fit = (): void => void flow.fitView({ padding: 0.08, maxZoom: 1, ...motion });
  useShortcut('f', 'Fit the drawing into the canvas', fit);
  useShortcut('+', 'Zoom in', () => void flow.zoomIn(motion));
  useShortcut('-', 'Zoom out', () => void flow.zoomOut(motion));

  return (
    <Panel position="bottom-left" className={styles['controls'] ?? ''}>
      <ToolButton drawing="minus" name="Zoom out" onPress={() => void flow.zoomOut(motion)} />
      <button
        type="button"
        className={styles['percent']}
        title="Show at 100 %"
        onClick={() => void flow.zoomTo(1, motion)}
      >
        {percent} %
      </button>
      <ToolButton drawing="plus" name="Zoom in" onPress={() => void flow.zoomIn(motion)} />
      <ToolButton drawing="fit" name="Fit the drawing into the canvas" onPress={fit} />
    </Panel>
  );
}
