import type { Ref } from 'react';

import { Button } from '../../kit/button.tsx';
import { CommandLine } from '../../kit/command-line.tsx';
import { useCommandLine } from '../../kit/use-command-line.ts';
import styles from './no-tokens.module.css';

/** What stands there while no token was ever issued. */
export function NoTokens({ issueRef, onIssue }: { issueRef: Ref<HTMLButtonElement>; onIssue: () => void }) {
  const commandLine = useCommandLine();
  return (
    <section className={styles['empty']} aria-label="Tokens">
      <p className={styles['title']}>No token has been issued yet</p>
      <p className={styles['words']}>
        A token lets one app on this machine call the service. It expires after the days that you give it,
        unless it is replaced in time.
      </p>
      <Button rank="main" ref={issueRef} onPress={onIssue}>
        Issue a token…
      </Button>
      {commandLine === null ? null : (
        <div className={styles['command']}>
          <p className={styles['words']}>Or on the command line:</p>
          <CommandLine
            line={`${commandLine} token issue --name my-app --validity 7`}
            what="the command that issues a token"
          />
        </div>
      )}
    </section>
  );
}
