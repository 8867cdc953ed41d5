import { type SyntheticEvent, useRef, useState } from 'react';
import { sessionIdleHours, sessionMostDays } from '../../contract/service/portal.ts';
import { problemText } from '../../text/window/connection.ts';
import { ownerSignInText as text } from '../../text/service/owners.ts';
import { askPortal } from './ask-portal.ts';
import { Button, SubmitButton } from './button.tsx';
import { Card } from './card.tsx';
import { CommandLine } from './command-line.tsx';
import { Field } from './field.tsx';
import inputStyles from './input.module.css';
import { Row, Stack } from './layout.tsx';
import { beginSession } from './page-key.ts';
import styles from './window-frame.module.css';
import { Text } from './text.tsx';

/** Asks for the key of an owner. `command`: what signs in on this computer without one, where that is known. */
export function SignInCard({ command, onSignedIn }: { command: string | undefined; onSignedIn: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isShown, setShown] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  async function signIn(event: SyntheticEvent): Promise<void> {
    event.preventDefault(); // the policy allows no page to be sent anywhere
    if (isBusy) return;
    const key = input.current?.value.trim() ?? '';
    setBusy(true);
    const refusal = key === '' ? text.missing : await enter(key);
    setBusy(false);
    setError(refusal);
    if (refusal === undefined) onSignedIn();
    else input.current?.focus();
  }
  return (
    <div className={styles['signIn']}>
      <Card title={text.title}>
        <form noValidate onSubmit={(event) => void signIn(event)}>
          <Stack gap={5}>
            <Text tone="soft">{text.lead(sessionMostDays, sessionIdleHours)}</Text>
            <Field label={text.key} hint={text.hint} error={error}>
              {(tied) => (
                <Row gap={2}>
                  <input
                    {...tied}
                    ref={input}
                    type={isShown ? 'text' : 'password'}
                    className={inputStyles['input']}
                    data-face="code"
                    aria-required
                    autoComplete="current-password"
                    autoCapitalize="off"
                    spellCheck={false}
                    onChange={() => setError(undefined)}
                  />
                  <Button onPress={() => setShown(!isShown)}>{isShown ? text.hide : text.show}</Button>
                </Row>
              )}
            </Field>
            <Row gap={2}>
              <SubmitButton isBusy={isBusy}>{isBusy ? text.submitting : text.submit}</SubmitButton>
            </Row>
            {command === undefined ? null : (
              <Stack gap={2}>
                <Text tone="soft" size="medium">
                  {text.command}
                </Text>
                <CommandLine line={command} what={text.copyCommand} />
              </Stack>
            )}
          </Stack>
        </form>
      </Card>
    </div>
  );
}

/** Why the key did not sign in; undefined when it did. */
async function enter(key: string): Promise<string | undefined> {
  const reply = await askPortal('signInAgain', { body: { key } });
  if (reply.kind !== 'ok') return problemText(reply);
  return (await beginSession(reply.value.page_code)) ? undefined : text.notKept;
}
