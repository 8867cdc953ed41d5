import { useState } from 'react';
import { publishText as text } from '../../../../text/publish.ts';
import { Button } from '../../../kit/button.tsx';
import { Row } from '../../../kit/layout.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { useLiveVersions } from './live-sign.tsx';

/** A stored menu was deleted or replaced since it was published: what that means, and the way to publish again. */
export function AlteredNotice({ onPublish }: { onPublish: () => void }) {
  const title = useLiveVersions().altered.join(' ');
  const [dismissed, setDismissed] = useState('');
  if (title === dismissed) return null;
  return (
    <Notice
      tone="warn"
      title={title}
      action={
        <Row gap={2} wraps>
          <Button onPress={() => setDismissed(title)}>{text.altered.dismiss}</Button>
          <Button rank="main" onPress={onPublish}>
            {text.altered.publish}
          </Button>
        </Row>
      }
    >
      <p>{text.altered.meaning}</p>
    </Notice>
  );
}
