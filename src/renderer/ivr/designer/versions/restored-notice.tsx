import { Row } from '../../../kit/layout.tsx';
import { Button } from '../../../kit/button.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { versionsText as text } from '../../../../text/menu/versions.ts';
import { useLiveVersions } from '../publish/live-sign.tsx';

/** After a version was restored: that callers do not meet it yet, and how they do. Nothing once it is live. */
export function RestoredNotice({
  version,
  onPublish,
  onClose,
}: {
  version: number;
  onPublish: () => void;
  onClose: () => void;
}) {
  const { live, isOutdated } = useLiveVersions();
  if (!isOutdated) return null;
  return (
    <Notice
      tone="warn"
      title={text.restored(version)}
      action={
        <Row gap={2} wraps>
          <Button onPress={onClose}>{text.dismiss}</Button>
          <Button rank="main" onPress={onPublish}>
            {text.publish}
          </Button>
        </Row>
      }
    >
      <p>{text.stillLive(live)}</p>
    </Notice>
  );
}
