import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { Text } from '../kit/text.tsx';
import { foundText, recordingsText, recordingText } from '../../text/menu/recordings-text.ts';
import { MenuButton } from '../kit/action-menu.tsx';
import { Button } from '../kit/button.tsx';
import { Empty } from '../kit/empty.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { useMedia } from '../kit/use-media.ts';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { RecordDialog } from './microphone/record-dialog.tsx';
import { allRecordings } from './read-recordings.ts';
import styles from './recordings.module.css';
import { UploadButton, UploadInput, UploadList } from './upload/upload-list.tsx';
import { useUploads } from './upload/use-uploads.ts';
import type { RecordingView } from '../../contract/menu/recording.ts';
import cardStyles from '../kit/card.module.css';
import { searchList } from '../kit/search-list.ts';
import { FilterSelect, ListPage, useFound } from '../kit/list/list-page.tsx';
import { setSearch, useSearch } from '../kit/navigation.ts';
import { pronunciationsText, speakText, spokenText } from '../../text/menu/speech-window.ts';
import { PronunciationsDialog } from './pronunciations-dialog.tsx';
import { SpeakDialog } from './speak-dialog.tsx';
import { SpeechWork } from './speech-work.tsx';
import { RecordingRow } from './recording-row.tsx';
import goodbyeChime from '../../../resources/recordings/goodbye-chime.wav?url';
import greetingChime from '../../../resources/recordings/greeting-chime.wav?url';
import waitingTone from '../../../resources/recordings/waiting-tone.wav?url';
import wrongKeyTone from '../../../resources/recordings/wrong-key-tone.wav?url';
import type { Upcoming } from './upload/use-uploads.ts';

/** What callers hear: the recordings, and the ways to one more. */
export function RecordingsWindow() {
  const live = useLive(allRecordings);
  const known = live.known?.value;
  const { uploads, add, addFiles, clear } = useUploads();
  const [open, setOpen] = useState<'record' | 'speak' | 'pronunciations' | null>(null);
  const [added, setAdded] = useState('');
  const wantedWord = useSearch().get('pronounce');
  const openDialogs = {
    record: () => setOpen('record'),
    speak: () => setOpen('speak'),
    pronunciations: () => setOpen('pronunciations'),
  };
  const upload = (files: readonly File[]): void => void addFiles(files);
  const isOver = useFileDrop(upload);

  return (
    <WindowFrame
      title={recordingsText.pageTitle}
      heading={recordingsText.title}
      below={<Text tone="soft">{recordingsText.lead}</Text>}
      live={live}
      nav={<WindowNav current="recordings" />}
    >
      {isOver ? <DropVeil /> : null}
      <UploadList uploads={uploads} onClear={clear} />
      <Text role="status" tone="good">
        {added}
      </Text>
      {known === undefined ? null : (
        <>
          <SpeechWork recordings={known} />
          {known.length === 0 ? (
            <FirstRecording
              onOpen={openDialogs}
              onFiles={upload}
              onSamples={() => void add(sampleRecordings)}
            />
          ) : (
            <FoundRecordings recordings={known} onOpen={openDialogs} onFiles={upload} />
          )}
        </>
      )}
      {open === 'record' ? <RecordDialog onClose={() => setOpen(null)} /> : null}
      {open === 'speak' ? (
        <SpeakDialog
          onSaved={({ id, name }) => {
            const isThere = known?.some((one) => one.id === id) === true;
            setAdded(isThere ? speakText.alreadyThere(name) : speakText.added(name));
          }}
          onClose={() => setOpen(null)}
        />
      ) : null}
      {open === 'pronunciations' || wantedWord !== null ? (
        <PronunciationsDialog
          word={wantedWord ?? ''}
          onClose={() => {
            setSearch({ pronounce: undefined });
            setOpen(null);
          }}
        />
      ) : null}
    </WindowFrame>
  );
}

/** Opens each of the dialogs. */
type Openers = Readonly<Record<'record' | 'speak' | 'pronunciations', () => void>>;

/** What to do while there is no recording. */
function FirstRecording({
  onOpen,
  onFiles,
  onSamples,
}: {
  onOpen: Openers;
  onFiles: (files: readonly File[]) => void;
  onSamples: () => void;
}) {
  const { first } = recordingsText;
  return (
    <Empty
      title={first.title}
      text={first.text}
      aside={
        <Text tone="soft" size="small">
          {first.samples}
        </Text>
      }
    >
      <Button rank="main" onPress={onOpen.record}>
        {recordingsText.record}
      </Button>
      <UploadButton onFiles={onFiles} />
      <Button onPress={onOpen.speak}>{speakText.open}</Button>
      <Button onPress={onSamples}>{first.addSamples}</Button>
    </Empty>
  );
}

/** What the page says while files are held above it. */
function DropVeil() {
  return (
    <div className={styles['veil']} aria-hidden="true">
      {recordingsText.drop}
    </div>
  );
}

/**
 * Takes files that are dropped anywhere on the page. Answers whether some are held above it now.
 *
 * Files only: text that is dragged from the page into one of its fields goes on as ever.
 */
function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent(onFiles);

  useEffect(() => {
    let depth = 0; // every element that the mouse comes over says so, before the one it left does
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth += 1;
      setOver(true);
    };
    const over = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault(); // or a drop would open the file in the place of the page
    };
    const leave = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      take([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener('dragenter', enter);
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragenter', enter);
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  return isOver;
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true;
}

/** The recordings that are looked for, and the ways to one more. What is looked for stands in the address. */
function FoundRecordings({
  recordings,
  onOpen,
  onFiles,
}: {
  recordings: readonly RecordingView[];
  onOpen: Openers;
  onFiles: (files: readonly File[]) => void;
}) {
  const kind = kindOf(useSearch().get('kind'));
  const ofKind = useMemo(
    () => (kind === null ? recordings : recordings.filter(kinds[kind])),
    [recordings, kind],
  );
  const { sought, found } = useFound(ofKind, findRecordings);
  const listRef = useRef<HTMLUListElement>(null);
  const uploadRef = useRef<HTMLInputElement>(null);
  const isNarrow = useMedia('(max-width: 40rem)');
  const { none, ...search } = recordingsText.search;

  return (
    <ListPage
      search={{ name: 'q', maxLength: 100, ...search }}
      filterNames={['q', 'kind']}
      filters={(isFew) =>
        isFew || recordings.every(kinds.recorded) ? null : (
          <FilterSelect name="kind" label={spokenText.filter} all={spokenText.all} options={kindOptions} />
        )
      }
      rows={found.length}
      count={foundText(found.length, recordings.length)}
      buttons={
        <>
          {isNarrow ? (
            <MenuButton
              label={recordingsText.moreWays}
              actions={[
                { label: recordingsText.upload, act: () => uploadRef.current?.click() },
                { label: speakText.open, act: onOpen.speak },
                { label: pronunciationsText.open, act: onOpen.pronunciations },
              ]}
            >
              {recordingText.more}
            </MenuButton>
          ) : (
            <>
              <Button onPress={onOpen.pronunciations}>{pronunciationsText.open}</Button>
              <Button onPress={() => uploadRef.current?.click()}>{recordingsText.upload}</Button>
              <Button onPress={onOpen.speak}>{speakText.open}</Button>
            </>
          )}
          <UploadInput ref={uploadRef} onFiles={onFiles} />
          <Button rank="main" onPress={onOpen.record}>
            {recordingsText.record}
          </Button>
        </>
      }
      none={{ title: sought.trim() === '' ? search.noneOfKind : none(sought), showAll: search.showAll }}
      onDown={() => listRef.current?.querySelector('button')?.focus()}
    >
      <ul ref={listRef} className={cardStyles['box']} aria-label={recordingsText.title}>
        {found.map((recording) => (
          <li key={recording.id} className={styles['one']}>
            <RecordingRow recording={recording} />
          </li>
        ))}
      </ul>
    </ListPage>
  );
}

/** What the list can be narrowed to, by what the address calls it. */
const kinds = {
  spoken: ({ speech }: RecordingView) => speech !== null,
  changed: ({ changed }: RecordingView) => changed.length > 0,
  recorded: ({ speech }: RecordingView) => speech === null,
} as const;
const kindOptions = (Object.keys(kinds) as (keyof typeof kinds)[]).map((value) => ({
  value,
  label: spokenText.kinds[value],
}));

function kindOf(named: string | null): keyof typeof kinds | null {
  return kindOptions.find(({ value }) => value === named)?.value ?? null;
}

/** The recordings that have every word somewhere: in the name, the id, the format, the text and the voice, or where they are played. */
export function findRecordings(
  recordings: readonly RecordingView[],
  sought: string,
): readonly RecordingView[] {
  return searchList(recordings, sought, ({ name, id, format, speech, used_by: uses }) =>
    [name, `recording||${id}`, format, speech?.text, speech?.voice, ...uses.map((use) => use.name)].join(
      '\n',
    ),
  );
}

const { samples } = recordingsText;

/** Four tones to start with, uploaded like files of the user. */
const sampleRecordings: readonly Upcoming[] = [
  sample(samples.greeting, greetingChime),
  sample(samples.wrongKey, wrongKeyTone),
  sample(samples.waiting, waitingTone),
  sample(samples.goodbye, goodbyeChime),
];

function sample(name: string, address: string): Upcoming {
  return {
    fileName: `${name}.wav`,
    read: async () => {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(answer.statusText);
      return answer.blob();
    },
  };
}
