/** What the desktop app offers its windows beyond the service; see src/preload/index.ts. */
export interface Desktop {
  quit(): Promise<void>;
}

/** The desktop app around this window, or nothing when the window is a tab of a browser. */
export function findDesktop(): Desktop | undefined {
  const candidate: unknown = Reflect.get(globalThis, 'rotavox');
  return isDesktop(candidate) ? candidate : undefined;
}

function isDesktop(candidate: unknown): candidate is Desktop {
  return (
    typeof candidate === 'object' &&
    candidate !== null &&
    'quit' in candidate &&
    typeof candidate.quit === 'function'
  );
}
