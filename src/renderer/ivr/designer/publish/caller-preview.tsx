import { useMemo } from 'react';
import type { DraftVersion, Publication } from '../../../../contract/menu/ivr-draft.ts';
import {
  asStored,
  type CallerFlow,
  callerChanges,
  callerFlowOf,
  isHeard,
} from '../../../../core/ivr/caller-changes.ts';
import { isSame } from '../../../../core/ivr/draft/document-delta.ts';
import {
  callerChangesText as text,
  startSentence,
  type ToldMenu,
  toldMenus,
} from '../../../../text/menu/change-sentences.ts';
import { differenceText } from '../../../../text/menu/versions.ts';
import { scenarioTally } from '../../../../text/menu/flow-findings.ts';
import { Box } from '../../../kit/box.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { useLive } from '../../../kit/live/use-live.ts';
import { Text } from '../../../kit/text.tsx';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { hoursToRestore } from '../versions/hours-to-restore.ts';
import { versionsOf } from './read-publications.ts';

/** What publishing changes for callers, menu by menu, and how many scenarios pass. */
export function CallerPreview({
  publication,
  credential,
}: {
  /** What is published there; undefined before the first time. */
  publication: Publication | undefined;
  credential: string | null;
}) {
  const { check, draftId, referenceData } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const versions = useLive(versionsOf(draftId)).known?.value;
  const publishedVersion = versions?.find(({ version }) => version === publication?.version);
  const before = usePublished(publication, credential);
  const sms = credential !== null || referenceData.smsTemplatesEnabled;
  const changes = useMemo(() => {
    if (before === undefined) return null;
    return callerChanges(before, callerFlowOf(document, { ids: publication?.menus ?? {}, sms }));
  }, [before, document, publication, sms]);
  const spoken = useSpokenChange(publication, credential);
  if (changes === null) return null;

  const start = startSentence(changes);
  const failing = check.runs.filter(({ passed }) => !passed).length;
  const title = before === null ? text.first : text.title;
  return (
    <Stack as="section" gap={2} aria-label={title}>
      <Text as="h3" size="medium" weight="bold">
        {title}
      </Text>
      {isHeard(changes) || spoken !== null ? null : <p>{text.none}</p>}
      {spoken === null ? null : <p>{spoken}</p>}
      {start === null ? null : <p>{start}</p>}
      {toldMenus(changes, referenceData).map(({ menu, name, isPart, kind, sentences }) => (
        <Box key={menu}>
          <Text as="h4" size="medium" weight="bold" breaks>
            {name}{' '}
            <Text as="span" tone="soft" weight="regular">
              {before === null ? '' : kindText(kind, isPart)}
            </Text>
          </Text>
          <Sentences sentences={sentences} />
        </Box>
      ))}
      {credential === null ? <ChangedHours version={publishedVersion} /> : null}
      <p>{scenarioTally({ count: check.runs.length, failing, canRun: check.flow !== null })}</p>
    </Stack>
  );
}

function kindText(kind: ToldMenu['kind'], isPart: boolean): string {
  return isPart && kind === 'added' ? text.addedPart : text.kinds[kind];
}

/** The opening hours that were changed since they were published: callers follow them already. */
function ChangedHours({ version }: { version: DraftVersion | undefined }) {
  const { schedules } = useDesigner().referenceData;
  if (version === undefined || schedules === undefined) return null;
  const { changed } = hoursToRestore(version, schedules);
  return changed.map(({ present }) => <p key={present.id}>{text.hoursNow(present.name, version.version)}</p>);
}

/** Sentences about one thing, below each other. */
export function Sentences({ sentences }: { sentences: readonly string[] }) {
  return (
    <Stack as="ul" gap={1}>
      {sentences.map((sentence) => (
        <Text as="li" key={sentence} size="medium" breaks>
          {sentence}
        </Text>
      ))}
    </Stack>
  );
}

/** That texts are spoken in another way than those of the menus that are stored here. Other services speak with voices of their own. */
function useSpokenChange(publication: Publication | undefined, credential: string | null): string | null {
  const { referenceData } = useDesigner();
  const after = useDesignerState(({ document }) => document.speech);
  const ids = new Set(Object.values(publication?.menus ?? {}));
  const stored = referenceData.menus.find(({ id }) => ids.has(String(id)));
  if (credential !== null || stored === undefined || isSame(stored.speech, after)) return null;
  return differenceText.spokenAs(stored.speech ?? null, after ?? null);
}

/** What callers meet there now: as it is stored here, or as the last version was sent elsewhere. Undefined until it is known. */
function usePublished(
  publication: Publication | undefined,
  credential: string | null,
): CallerFlow | null | undefined {
  const { draftId, referenceData } = useDesigner();
  const versions = useLive(versionsOf(draftId)).known?.value;
  return useMemo(() => {
    if (publication === undefined || Object.keys(publication.menus).length === 0) return null;
    if (versions === undefined) return undefined;
    const ids = publication.menus;
    const last = versions.find(({ version }) => version === publication.version);
    const sent = last === undefined ? null : callerFlowOf(last.document, { ids });
    if (credential !== null) return sent;
    return asStored(sent, ids, new Map(referenceData.menus.map((menu) => [String(menu.id), menu])));
  }, [publication, credential, versions, referenceData.menus]);
}
