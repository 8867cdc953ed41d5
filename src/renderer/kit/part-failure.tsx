import { connectionText } from '../../text/window/connection.ts';
import { windowText } from '../../text/window/window.ts';
import { Component, type ComponentType, lazy, type LazyExoticComponent, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { isOnLoopback } from './page-key.ts';

interface Props {
  /** What it shows now: a part that failed at another page is tried anew. */
  at?: string;
  /** Around what is said of a failure; for a whole window. */
  frame?: (notice: ReactNode) => ReactNode;
  children: ReactNode;
}

interface Failure {
  readonly failure: Error | undefined;
  /** Whether loading again was tried and the service was not there for it. */
  readonly isServiceGone: boolean;
}

/**
 * Keeps a part of a window that cannot be shown from taking the rest along, and says what to do.
 *
 * Parts are loaded when they are first needed: the service may be gone by then, or another build of the windows be there.
 */
export class PartFailure extends Component<Props, Failure> {
  override state: Failure = { failure: undefined, isServiceGone: false };

  static getDerivedStateFromError(thrown: unknown): Partial<Failure> {
    return { failure: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override componentDidUpdate({ at }: Props): void {
    if (at !== this.props.at && this.state.failure !== undefined)
      this.setState({ failure: undefined, isServiceGone: false });
  }

  override render(): ReactNode {
    const { children, frame = (notice) => notice } = this.props;
    const { failure, isServiceGone } = this.state;
    if (failure === undefined) return children;
    const text = windowText.failure;
    const isWindow = failure instanceof WindowNotLoaded;
    return frame(
      <Notice
        tone="bad"
        title={isWindow ? `${text.window}.` : text.title}
        action={
          <Button rank="main" onPress={() => void this.#loadAgain()}>
            {isWindow ? text.again : text.reload}
          </Button>
        }
      >
        <p>{failure.message}</p>
        {isServiceGone ? (
          <p>
            {text.unreachable} {(isOnLoopback() ? connectionText.here : connectionText.elsewhere).unknown}
          </p>
        ) : null}
      </Notice>,
    );
  }

  async #loadAgain(): Promise<void> {
    if (await isServiceThere()) location.reload();
    else this.setState({ isServiceGone: true });
  }
}

const loadedAgainAs = 'rotavox.loaded-again';

/** A window whose files could not be loaded, by itself not even at a second attempt. */
class WindowNotLoaded extends Error {
  override readonly name = 'WindowNotLoaded';
}

/**
 * A window whose files are loaded when it is first shown, and once more by itself when one of them does not arrive.
 *
 * The second attempt loads the page again, for a browser may keep the failure of a script for as long as the page is there
 * (https://github.com/whatwg/html/issues/6768), and Vite takes a style sheet whose link failed for loaded. The address says
 * which window it is, and nothing else is shown that could be lost.
 */
export function lazyWindow<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      const Window = await load();
      sessionStorage.removeItem(loadedAgainAs);
      return { default: Window };
    } catch (error) {
      if (!(await mayLoadAgain())) throw new WindowNotLoaded(messageOf(error), { cause: error });
      location.reload();
      return await new Promise<never>(() => undefined);
    }
  });
}

/** Whether the service is there to load a page from: one that cannot be loaded would take the window itself away. */
async function isServiceThere(): Promise<boolean> {
  try {
    return (await fetch('/', { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/** Once for a window, until its files have arrived. */
async function mayLoadAgain(): Promise<boolean> {
  const { pathname } = location;
  if (sessionStorage.getItem(loadedAgainAs) === pathname || !(await isServiceThere())) return false;
  sessionStorage.setItem(loadedAgainAs, pathname);
  return true;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
