import { troubleText as text } from '../../text/credential/credential-page.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { desktop } from '../kit/desktop-bridge.ts';
import { Row } from '../kit/layout.tsx';
import pageStyles from '../kit/page.module.css';

/** Where another service issues tokens: a browser can open it, and anybody can copy where it is. */
export function PortalLink({ address }: { address: string }) {
  return (
    <Row as="span" gap={2} wraps align="center">
      {desktop === undefined ? (
        <a className={pageStyles['link']} href={address} target="_blank" rel="noreferrer">
          {text.open(address)}
        </a>
      ) : (
        <code>{address}</code>
      )}
      <CopyButton text={address} what={text.address} />
    </Row>
  );
}
