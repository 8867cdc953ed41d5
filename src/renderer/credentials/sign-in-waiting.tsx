import type { SignInView } from '../../contract/credential/sign-in.ts';
import { signInText as text } from '../../text/credential/sign-in-text.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { Countdown } from '../kit/moment.tsx';
import { desktop } from '../kit/desktop-bridge.ts';
import { Row, Stack } from '../kit/layout.tsx';
import pageStyles from '../kit/page.module.css';
import { RichText } from '../kit/rich-text.tsx';
import { Text } from '../kit/text.tsx';
import styles from './sign-in-waiting.module.css';

/** What a person does to sign in: the page to open, the code to enter there, and how long that counts. */
export function SignInWaiting({ signIn }: { signIn: SignInView }) {
  const { url, user_code: code, expires_at: until } = signIn;
  return (
    <Stack gap={4}>
      <Stack gap={2}>
        {code === null ? null : <Text>{text.openThenEnter}</Text>}
        <SignInLink url={url} />
      </Stack>
      {code === null ? null : (
        <Row gap={4} wraps align="center" className={styles['code'] ?? ''}>
          <code className={styles['value']}>{code}</code>
          <CopyButton text={code} what={text.code} />
        </Row>
      )}
      <Text tone="soft" isTabular>
        <span role="status">{code === null ? text.waiting : text.waitingForApproval}</span>{' '}
        <RichText
          text={code === null ? text.expires : text.codeExpires}
          parts={{ left: <Countdown to={until} past={text.noTime} /> }}
        />
      </Text>
    </Stack>
  );
}

/** The app opens no page of another origin: there its address is copied. */
function SignInLink({ url }: { url: string }) {
  const { host } = new URL(url);
  return (
    <Row gap={2} wraps align="center">
      {desktop === undefined ? (
        <a className={pageStyles['link']} href={url} target="_blank" rel="noreferrer">
          {text.open(host)}
        </a>
      ) : (
        <code>{host}</code>
      )}
      <CopyButton text={url} what={text.address} />
    </Row>
  );
}
