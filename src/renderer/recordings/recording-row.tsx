import {
  type KeyboardEvent,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
  type RefObject,
} from 'react';
import { Row, Stack } from '../kit/layout.tsx';
import { Text } from '../kit/text.tsx';
import { recordingAudioPath } from '../../contract/address.ts';
import type { RecordingUse, RecordingView } from '../../contract/menu/recording.ts';
import { recordingsText, recordingText, sizeText, usesText } from '../../text/menu/recordings-text.ts';
import { lengthText } from '../../text/time.ts';
import { changesText, listenText, spokenText } from '../../text/menu/speech-window.ts';
import { Icon } from '../kit/icon.tsx';
import { Moment } from '../kit/moment.tsx';
import { RichText } from '../kit/rich-text.tsx';
import { askPortal } from '../kit/ask-portal.ts';
import { MenuButton } from '../kit/action-menu.tsx';
import { ActionButton, Button, SubmitButton } from '../kit/button.tsx';
import { CopyButton } from '../kit/copy-button.tsx';
import { Consequences, Dialog, DialogButtons, QuestionDialog } from '../kit/dialog.tsx';
import { FieldError } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';
import { type PortalReply, readFile } from '../kit/read-portal.ts';
import { fileName, saveFile } from '../kit/save-file.ts';
import { isBusyWith, useAct } from '../kit/use-act.ts';
import { PlayBar } from './play-bar.tsx';
import { readAudioFile, readAudio } from './read-recordings.ts';
import styles from './recordings.module.css';
import { LoudnessDialog } from './loudness-dialog.tsx';
import { TrimDialog } from './trim-dialog.tsx';
import { usePlayer } from './use-player.ts';
import { menuPath } from '../kit/window-paths.ts';
import { Link } from '../kit/link.tsx';
import linkStyles from '../kit/link.module.css';
import type { Outline } from './outline.ts';
import { holdFile, SoundThreadFailed, startSoundThread } from './sound/start-sound-thread.ts';

/** One recording: what it is called, how it sounds, where callers hear it, and what can be done with it. */
export function RecordingRow({ recording }: { recording: RecordingView }) {
  const { id, name, format, bytes, digest, duration_ms: durationMs } = recording;
  const rowRef = useRef<HTMLDivElement>(null);
  const outline = useOutline(recording, rowRef);
  const read = useCallback(() => readAudioFile(id), [id]);
  const player = usePlayer(digest, read);
  const act = useAct();
  const [isNaming, setNaming] = useState(false);
  const [open, setOpen] = useState<'none' | 'trim' | 'loudness' | 'remove'>('none');
  const lengthMs = durationMs ?? outline?.lengthMs ?? null;
  const reference = `recording||${id}`;
  const facts = [format.toUpperCase(), lengthMs === null ? null : lengthText(lengthMs), sizeText(bytes)];

  return (
    <div className={styles['row']} ref={rowRef}>
      <Stack gap={1}>
        <RecordingName recording={recording} isEdited={isNaming} onEdit={setNaming} />
        <Spoken recording={recording} />
        <Text as="div" tone="soft" size="small" breaks isTabular>
          {facts.filter((fact) => fact !== null).join(' · ')} <code>{reference}</code>
        </Text>
      </Stack>
      <Stack gap={1} className={styles['sound']}>
        <PlayBar name={name} player={player} outline={outline} lengthMs={lengthMs} />
        <Text role="status" tone="bad" size="small">
          {act.refusal ?? (player.hasFailed ? recordingText.playFailed : null)}
        </Text>
        <UsedBy uses={recording.used_by} />
      </Stack>
      <div className={styles['actions']}>
        <CopyButton text={reference} what={reference} />
        {recording.speech === null ? (
          <ActionButton about={name} onPress={() => setOpen('trim')}>
            {recordingText.trim}
          </ActionButton>
        ) : (
          <ActionButton
            about={name}
            isBusy={isBusyWith(act, 'speak')}
            onPress={() =>
              void act.run(
                'speak',
                () => askPortal('speakRecordingAgain', { params: { id }, body: {} }),
                'recording_replaced',
              )
            }
          >
            {isBusyWith(act, 'speak') ? listenText.speaking : spokenText.again}
          </ActionButton>
        )}
        <MenuButton
          label={recordingText.moreFor(name)}
          actions={[
            { label: recordingText.rename, act: () => setNaming(true) },
            // What is spoken has its loudness already.
            ...(recording.speech === null
              ? [{ label: recordingText.loudness, act: () => setOpen('loudness') }]
              : []),
            {
              label: recordingText.download,
              act: () => void act.run('download', () => downloadRecording(recording)),
            },
            { label: recordingText.remove, act: () => setOpen('remove') },
          ]}
        >
          {recordingText.more}
        </MenuButton>
      </div>
      {open === 'trim' ? <TrimDialog recording={recording} onClose={() => setOpen('none')} /> : null}
      {open === 'loudness' ? <LoudnessDialog recording={recording} onClose={() => setOpen('none')} /> : null}
      {open === 'remove' ? <RemoveDialog recording={recording} onClose={() => setOpen('none')} /> : null}
    </div>
  );
}

/** What a recording was spoken of: the text unless that is its name, the voice, and what would be different now. */
function Spoken({
  recording: { name, speech, changed, removed_at: removedAt },
}: {
  recording: RecordingView;
}) {
  if (speech === null) return null;
  const { text, voice, language, voice_language: voiceLanguage } = speech;
  return (
    <>
      {text === name ? null : (
        <Text size="medium" lines={3} breaks title={text}>
          <bdi>{text}</bdi>
        </Text>
      )}
      <Text tone="soft" size="small" breaks>
        {spokenText.by(voice, language)}
        {voiceLanguage === undefined || voiceLanguage === language
          ? null
          : `. ${spokenText.otherVoice(voiceLanguage)}`}
      </Text>
      {changed.length === 0 ? null : (
        <Text tone="warn" size="small">
          <Icon name="alert" /> {changesText(changed)}
        </Text>
      )}
      {removedAt === null ? null : (
        <Text tone="soft" size="small">
          <RichText text={spokenText.removedAt} parts={{ at: <Moment at={removedAt} /> }} />
        </Text>
      )}
    </>
  );
}

/** Saves the audio as it was uploaded, under the name of the recording. */
async function downloadRecording({ id, name, format }: RecordingView): Promise<PortalReply<null>> {
  const reply = await readFile(recordingAudioPath(id));
  if (reply.kind !== 'ok') return reply;
  saveFile(fileName(name, `.${format}`), reply.value.content);
  return { kind: 'ok', value: null };
}

const longest = 100;

/** The name of a recording, which can be changed where it stands: Enter saves it, Esc leaves it as it was. */
function RecordingName({
  recording,
  isEdited,
  onEdit,
}: {
  recording: RecordingView;
  isEdited: boolean;
  onEdit: (isEdited: boolean) => void;
}) {
  if (isEdited) return <NameForm recording={recording} onDone={() => onEdit(false)} />;
  return (
    <Text as="h2" size="normal" weight="bold" breaks>
      <bdi>{recording.name}</bdi>
    </Text>
  );
}

function NameForm({ recording: { id, name }, onDone }: { recording: RecordingView; onDone: () => void }) {
  const act = useAct();
  const [typed, setTyped] = useState(name);
  const fieldRef = useRef<HTMLInputElement>(null);
  const before = useRef<Element | null>(null);
  const errorId = `name-error-${id}`;
  const isEmpty = typed.trim() === '';

  useEffect(() => {
    before.current = document.activeElement;
    fieldRef.current?.select();
  }, []);

  function leave(): void {
    onDone();
    if (before.current instanceof HTMLElement) before.current.focus();
  }
  async function save(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    if (isEmpty) return;
    if (typed.trim() === name) return leave();
    const saved = await act.run(
      'rename',
      () => askPortal('renameRecording', { params: { id }, body: { name: typed } }),
      'recording_renamed',
    );
    if (saved !== null) leave();
  }
  function press(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    leave();
  }

  return (
    <form onSubmit={(event) => void save(event)} onKeyDown={press}>
      <Stack gap={4}>
        <input
          ref={fieldRef}
          type="text"
          className={inputStyles['input']}
          aria-label={recordingText.newName(name)}
          aria-invalid={isEmpty || act.refusal !== undefined || undefined}
          aria-describedby={errorId}
          value={typed}
          maxLength={longest}
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
        />
        <FieldError id={errorId} error={isEmpty ? recordingsText.nameMissing : act.refusal} />
        <Row gap={2}>
          <SubmitButton isBusy={act.state.kind === 'busy'}>{recordingText.save}</SubmitButton>
          <Button onPress={leave}>{recordingsText.cancel}</Button>
        </Row>
      </Stack>
    </form>
  );
}

/** Removes a recording that nothing plays; of any other it says where it is played. */
function RemoveDialog({ recording, onClose }: { recording: RecordingView; onClose: () => void }) {
  const { id, name, used_by: uses } = recording;
  const { removal } = recordingText;
  if (uses.length > 0)
    return (
      <Dialog title={removal.inUse} mayClose={() => true} onClose={onClose}>
        <Stack gap={2}>
          <p>{removal.usedIn(name)}</p>
          <PlaceLinks uses={uses} />
          <p>{removal.chooseAnother}</p>
        </Stack>
        <DialogButtons cancel={recordingsText.close} />
      </Dialog>
    );
  return (
    <QuestionDialog
      title={removal.title(name)}
      cancel={recordingsText.cancel}
      verb={removal.remove}
      pending={removal.removing}
      ask={() => askPortal('removeRecording', { params: { id } })}
      change="recording_removed"
      onClose={onClose}
    >
      <Consequences of={[removal.deleted, removal.elsewhere]} />
    </QuestionDialog>
  );
}

/** Where a recording is played, with the way there. The phone menus have a window of their own. */
function UsedBy({ uses }: { uses: readonly RecordingUse[] }) {
  if (uses.length === 0)
    return (
      <Text tone="soft" size="small" breaks>
        {recordingText.unused}
      </Text>
    );
  return (
    <Text as="div" tone="soft" size="small" breaks>
      <span>{recordingText.playedIn} </span>
      <PlaceLinks uses={uses} />
    </Text>
  );
}

/** The places one after the other, each a link. */
function PlaceLinks({ uses }: { uses: readonly RecordingUse[] }) {
  return (
    <ul className={styles['places']}>
      {placesOfUse(uses).map(({ key, path, name, text }) => (
        <li key={key}>
          <Link to={path} className={linkStyles['link']}>
            <bdi>{name}</bdi>
          </Link>{' '}
          ({text})
        </li>
      ))}
    </ul>
  );
}

/** Where a recording is played, one place for each menu or draft, with everything that it is played for there. */
export interface UsePlace {
  readonly key: string;
  readonly path: string;
  readonly name: string;
  /** What it is played for there. */
  readonly text: string;
}

export function placesOfUse(uses: readonly RecordingUse[]): readonly UsePlace[] {
  const byPlace = Map.groupBy(uses, ({ kind, id }) => `${kind} ${id}`);
  return [...byPlace].flatMap(([key, [first, ...others]]) => {
    if (first === undefined) return [];
    return [
      {
        key,
        path: first.kind === 'draft' ? `/ivr/drafts/${encodeURIComponent(first.id)}` : menuPath(first.id),
        name: first.name,
        text: usesText(
          first.kind,
          [first, ...others].map(({ field }) => field),
        ),
      },
    ];
  });
}

/** Larger files are not read only to draw them, in bytes: decoded they would take hundreds of megabytes. */
const drawnBytes = 4 * 1024 * 1024;

/** By the digest of the audio: what has the same sound looks the same, and a replaced one is drawn anew. */
const known = new Map<string, Outline>();
let last: Promise<unknown> = Promise.resolve();

/**
 * The outline of a recording, made when its row first comes into sight; null while there is none.
 *
 * One after the other: a page that opens on forty recordings must not decode all of them at once.
 */
function useOutline(recording: RecordingView, rowRef: RefObject<Element | null>): Outline | null {
  const { id, digest, bytes, duration_ms: durationMs } = recording;
  const [made, setMade] = useState<{ readonly digest: string; readonly outline: Outline } | null>(null);

  useEffect(() => {
    const row = rowRef.current;
    if (row === null || known.has(digest) || bytes > drawnBytes) return;
    const leaving = new AbortController();
    const watch = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) return;
      watch.disconnect();
      void makeInTurn({ id, digest, durationMs }, leaving.signal).then((outline) => {
        if (outline !== null && !leaving.signal.aborted) setMade({ digest, outline });
      });
    });
    watch.observe(row);
    return () => {
      watch.disconnect();
      leaving.abort();
    };
  }, [id, digest, bytes, durationMs, rowRef]);

  return known.get(digest) ?? (made?.digest === digest ? made.outline : null);
}

interface Wanted {
  readonly id: string;
  readonly digest: string;
  readonly durationMs: number | null;
}

function makeInTurn(wanted: Wanted, signal: AbortSignal): Promise<Outline | null> {
  const mine = last.then(() => makeOutline(wanted, signal));
  last = mine;
  return mine;
}

/** Null where nothing can be drawn: that is no failure, the recording can still be played. */
async function makeOutline({ id, digest, durationMs }: Wanted, signal: AbortSignal): Promise<Outline | null> {
  const before = known.get(digest);
  if (before !== undefined || signal.aborted) return before ?? null;
  try {
    const file = await readAudio(id, signal);
    if (file === null) return null;
    const thread = await startSoundThread();
    try {
      const { outline } = await holdFile(thread, file, durationMs);
      known.set(digest, outline);
      return outline;
    } finally {
      thread.end();
    }
  } catch (error) {
    // Withdrawn, or in a coding that this browser has not.
    if (error instanceof DOMException && ['AbortError', 'EncodingError'].includes(error.name)) return null;
    if (error instanceof SoundThreadFailed) return null;
    throw error;
  }
}
