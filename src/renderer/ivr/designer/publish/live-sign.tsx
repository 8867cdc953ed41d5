import { fingerprintOf } from '../../../../core/ivr/fingerprint.ts';
import { alteredSentences, isOutdated, liveVersions, liveText } from '../../../../text/menu/phone-menu.ts';
import { useLive } from '../../../kit/live/use-live.ts';
import { Text } from '../../../kit/text.tsx';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { publicationsOf } from './read-publications.ts';

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
