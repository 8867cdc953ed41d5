import { connectionText } from '../../text/window/connection.ts';
import { windowText } from '../../text/window/window.ts';
import { Component, type ReactNode } from 'react';

import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { isOnLoopback } from './page-key.ts';

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
export class PartFailure extends Component<{ children: ReactNode }, Failure> {
  override state: Failure = { failure: undefined, isServiceGone: false };

  static getDerivedStateFromError(thrown: unknown): Partial<Failure> {
    return { failure: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override render(): ReactNode {
    const { failure, isServiceGone } = this.state;
    if (failure === undefined) return this.props.children;
    return (
      <Notice
        tone="bad"
        title={windowText.failure.title}
        action={
          <Button rank="main" onPress={() => void this.#loadAgain()}>
            {windowText.failure.reload}
          </Button>
        }
      >
        <p>{failure.message}</p>
        {isServiceGone ? (
          <p>
            {windowText.failure.unreachable}{' '}
            {(isOnLoopback() ? connectionText.here : connectionText.elsewhere).unknown}
          </p>
        ) : null}
      </Notice>
    );
  }

  /** Only from a service that is there: a page that cannot be loaded would take the window itself away. */
  async #loadAgain(): Promise<void> {
    try {
      await fetch('/', { method: 'HEAD', cache: 'no-store' });
    } catch {
      this.setState({ isServiceGone: true });
      return;
    }
    location.reload();
  }
}
