import { Button } from './button.tsx';
import { CommandLine } from './command-line.tsx';
import { Moment } from './moment.tsx';
import { Notice } from './notice.tsx';
import type { LiveView } from './live/resource.ts';

/** Says that the window is not live, why, and what to do; nothing while it is. */
export function ConnectionNotice({
  connection,
  knownAt,
  onRetry,
}: {
  connection: LiveView<unknown>['connection'];
  knownAt: string | undefined;
  onRetry: () => void;
}) {
  if (connection.kind === 'live' || connection.kind === 'asking') return null;
  const retry = (
    <Button rank="main" onPress={onRetry}>
      Retry
    </Button>
  );

  if (connection.kind === 'signed-out') {
    return (
      <Notice tone="warn" title="This window is not signed in." action={retry}>
        <p>
          Rotavox shows its state to its owner only. This makes a sign-in link, for one use, and opens it:
        </p>
        <CommandLine line="rotavox open" what="the command for a sign-in link" />
      </Notice>
    );
  }
  const asOf =
    knownAt === undefined ? null : (
      <>
        What you see is as of <Moment at={knownAt} />.{' '}
      </>
    );
  if (connection.kind === 'refused') {
    return (
      <Notice tone="bad" title="The service runs, but could not tell its state." action={retry}>
        <p>{connection.reason}</p>
        <p>{asOf}</p>
      </Notice>
    );
  }
  return (
    <Notice tone="bad" title={`The service does not answer: ${connection.reason}.`} action={retry}>
      <p>
        {asOf}
        {asOf === null
          ? 'Nothing is known about it yet. Start it with npm start, or rotavox serve.'
          : 'Tokens cannot be rotated until it runs again; this window notices by itself when it does.'}
      </p>
    </Notice>
  );
}
