import { fingerprintOf } from '../../../../core/ivr/fingerprint.ts';
import { alteredSentences, isOutdated, liveVersions, liveText } from '../../../../text/menu/phone-menu.ts';
import { useLive } from '../../../kit/live/use-live.ts';
import { Text } from '../../../kit/text.tsx';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { publicationsOf } from './read-publications.ts';
import { Row } from '../../../kit/layout.tsx';
import { Button } from '../../../kit/button.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { versionsText as text } from '../../../../text/menu/versions.ts';

/** Which version callers meet, and whether the draft, as it is shown, differs from it. */
export function LiveSign() {
  const { words, isOutdated: differs, altered } = useLiveVersions();
  if (words === null) return null;
  return (
    <Text
      as="span"
      tone={differs || altered.length > 0 ? 'warn' : 'soft'}
      size="small"
      isCut
      title={words}
      role="status"
    >
      {words}
    </Text>
  );
}

/** What is published of the draft, compared with the draft as it is shown. */
export function useLiveVersions(): {
  /** Null until it is known. */
  readonly words: string | null;
  /** The versions only, such as `version 2`. */
  readonly live: string;
  readonly isOutdated: boolean;
  /** What is no longer stored as it was published, in sentences. */
  readonly altered: readonly string[];
} {
  const { draftId } = useDesigner();
  const publications = useLive(publicationsOf(draftId)).known?.value;
  const fingerprint = useDesignerState(({ document }) => fingerprintOf(document));
  return {
    words: publications === undefined ? null : liveText(publications, fingerprint),
    live: liveVersions(publications ?? []),
    isOutdated: (publications ?? []).some((one) => isOutdated(one, fingerprint)),
    altered: (publications ?? []).flatMap(alteredSentences),
  };
}

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
