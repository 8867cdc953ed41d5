import { useEffect, useEffectEvent } from 'react';

import { changeStream } from './change-stream.ts';

/** Hears the events of a name on the window's stream while the view is there. */
export function useStreamEvent(name: string, listener: (event: MessageEvent) => void): void {
  const hear = useEffectEvent(listener);
  useEffect(() => changeStream.on(name, (event) => hear(event)), [name]);
}
