import { useEffect, useId, useRef, useState } from 'react';
import {
  type OfferedVoice,
  type VoiceAdding,
  type VoicePack,
  type VoicePackList,
  voicePackLimitBytes,
} from '../../contract/menu/voice-pack.ts';
import type { Voice } from '../../contract/menu/speech.ts';
import type { Settings, SettingsChange } from '../../contract/service/settings.ts';
import { voiceFor } from '../../core/speech/speech-request.ts';
import {
  downloadText,
  languageName,
  sampleSentence,
  voiceFacts,
  voicesText as text,
} from '../../text/menu/speech-window.ts';
import { problemText } from '../../text/window/connection.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton } from '../kit/button.tsx';
import { Consequences, QuestionDialog } from '../kit/dialog.tsx';
import { FieldError } from '../kit/field.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import type { Resource } from '../kit/live/resource.ts';
import { combineLive, useLive } from '../kit/live/use-live.ts';
import type { PortalReply } from '../kit/read-portal.ts';
import { Text } from '../kit/text.tsx';
import { ListenButton } from '../recordings/listen-button.tsx';
import { knownVoices, languagesOf, VoiceFields } from '../recordings/voice-fields.tsx';
import { Setting } from './setting.tsx';
import styles from './settings.module.css';
import { type SaveSettings, useSaving } from './use-settings.ts';
import { splitLanguages, type VoiceRow, voiceRows } from './voice-rows.ts';

const voicePacks: Resource<VoicePackList> = {
  key: ['voice packs'],
  about: ['voice', 'adding.', 'recording.'],
  read: (signal) => askPortal('listVoicePacks', { signal }),
};

/** What texts are spoken with, the voices that there are, and the ways to more of them. */
export function VoicesSettings({ settings, save }: { settings: Settings; save: SaveSettings }) {
  const voices = useLive(knownVoices);
  const packs = useLive(voicePacks);
  const adding = useAdding(packs.known?.value.adding ?? null, () => {
    voices.retry();
    packs.retry();
  });
  if (voices.known === undefined || packs.known === undefined) {
    const { connection } = combineLive({ voices, packs });
    if (connection.kind === 'asking' || connection.kind === 'live') return null;
    return <Text tone="bad">{problemText(connection)}</Text>;
  }
  const { voices: there } = voices.known.value;
  const { runtime, downloading, packs: added, offered } = packs.known.value;
  const rows = voiceRows(there, { packs: added, offered });
  return (
    <>
      <UsualVoiceSetting settings={settings} voices={there} save={save} />
      <Setting title={text.list.title} hint={text.list.hint} saving={{ kind: 'idle' }}>
        <Stack gap={3} className={styles['wide']}>
          <Languages
            rows={rows}
            usual={settings.speech_language}
            render={(row) => (
              <VoiceLine
                row={row}
                isUsual={
                  voiceFor({ language: settings.speech_language, voice: settings.speech_voice }, there)
                    ?.id === row.id
                }
                adding={adding}
                download={downloadNote(rows, downloading)}
                onRemoved={() => {
                  voices.retry();
                  packs.retry();
                }}
              />
            )}
          />
          {there.some(({ engine }) => engine === 'pico') ? null : (
            <Text tone="soft" size="small">
              {text.list.pico}
            </Text>
          )}
        </Stack>
      </Setting>
      {runtime === null ? null : (
        <FileSetting
          adding={adding}
          note={runtime.installed ? null : text.runtime(runtime)}
          download={downloadNote(rows, downloading)}
        />
      )}
    </>
  );
}

/** The rows by language, each language to be opened; that of the menus is open. */
function Languages({
  rows,
  usual,
  render,
}: {
  rows: readonly VoiceRow[];
  usual: string;
  render: (row: VoiceRow) => React.ReactNode;
}) {
  if (rows.length === 0) return <Text tone="soft">{text.list.none}</Text>;
  const byLanguage = Map.groupBy(rows, ({ language }) => language);
  const languages = languagesOf(rows, usual).filter((one) => byLanguage.has(one));
  const { main, more } = splitLanguages(languages, rows, usual);
  const show = (language: string) => {
    const ofLanguage = byLanguage.get(language) ?? [];
    const offered = ofLanguage.filter((row) => row.offered !== null).length;
    return (
      <details key={language} className={styles['package']} open={language === usual}>
        <summary className={styles['packageName']}>
          <Text as="span" tone="plain" weight="strong">
            {languageName(language)}
          </Text>{' '}
          {text.countOf(ofLanguage.length - offered, offered)}
        </summary>
        <ul>
          {ofLanguage.map((row) => (
            <li key={row.id}>{render(row)}</li>
          ))}
        </ul>
      </details>
    );
  };
  return (
    <>
      {main.map(show)}
      {more.length === 0 ? null : (
        <details className={styles['package']}>
          <summary className={styles['packageName']}>{text.list.more(more.length)}</summary>
          {more.map(show)}
        </details>
      )}
    </>
  );
}

/** One voice: what it is, how it sounds, and what can be done with it. */
function VoiceLine({
  row,
  isUsual,
  adding,
  download,
  onRemoved,
}: {
  row: VoiceRow;
  isUsual: boolean;
  adding: Adding;
  /** How far the download is, if there is one. */
  download: string | null;
  onRemoved: () => void;
}) {
  const { id, name, language, quality, pack, offered } = row;
  const [isAsking, setAsking] = useState(false);
  const listenErrorId = useId();
  const problem = pack?.problem ?? null;
  const isBusy = adding.state.kind === 'busy' && adding.state.what === id;
  return (
    <div className={styles['voice']}>
      <Stack gap={1}>
        <Text breaks>
          <Text as="strong" weight="strong">
            {name}
          </Text>{' '}
          <Text as="span" tone="soft" size="small">
            {text.qualities[quality]}
            {isUsual ? `, ${text.usual}` : null}
          </Text>
        </Text>
        <Text tone="soft" size="small" breaks>
          {voiceFacts(row)}
        </Text>
        {row.isPersonalOnly ? (
          <Text tone="warn" size="small">
            {text.personalOnly}
          </Text>
        ) : null}
        {problem === null ? null : (
          <Text tone="bad" size="small">
            {text.problems[problem]}
          </Text>
        )}
        {isBusy ? (
          <Text role="status" tone="soft" size="small" isTabular>
            {download ?? text.adding}
          </Text>
        ) : null}
        {adding.state.kind === 'refused' && adding.state.what === id ? (
          <FieldError id={`${listenErrorId}-add`} error={adding.state.reason} />
        ) : null}
      </Stack>
      <Row gap={2} wraps align="center" justify="end">
        {offered !== null || problem !== null ? null : (
          <ListenButton
            heard={{ text: sampleSentence(language), language, voice: id }}
            about={name}
            errorId={listenErrorId}
          />
        )}
        {offered === null ? null : (
          <ActionButton
            about={name}
            isBusy={adding.state.kind === 'busy' && !isBusy}
            onPress={() => (isBusy ? adding.stop() : adding.download(offered))}
          >
            {isBusy ? text.stop : text.add}
          </ActionButton>
        )}
        {pack === null ? null : (
          <ActionButton about={name} onPress={() => setAsking(true)}>
            {text.remove}
          </ActionButton>
        )}
      </Row>
      {isAsking && pack !== null ? (
        <RemoveVoiceDialog
          pack={pack}
          isUsual={isUsual}
          onDone={onRemoved}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  );
}

/** How many recordings are named. */
const namedRecordings = 5;

function RemoveVoiceDialog({
  pack: { voice, name, recordings },
  isUsual,
  onDone,
  onClose,
}: {
  pack: VoicePack;
  isUsual: boolean;
  onDone: () => void;
  onClose: () => void;
}) {
  const { removal } = text;
  const named = recordings.slice(0, namedRecordings).map((one) => one.name);
  const consequences = [
    recordings.length === 0 ? removal.unused : removal.keep(named, recordings.length - named.length),
    ...(isUsual ? [removal.usual] : []),
    removal.again,
  ];
  return (
    <QuestionDialog
      title={removal.title(name)}
      cancel={removal.cancel}
      verb={removal.remove}
      pending={removal.removing}
      ask={() => askPortal('removeVoicePack', { query: { voice } })}
      change="voice_removed"
      onDone={onDone}
      onClose={onClose}
    >
      <Consequences of={consequences} />
    </QuestionDialog>
  );
}

/** The language and the voice of texts: the one place where they are set. */
function UsualVoiceSetting({
  settings: { speech_language: language, speech_voice: voice },
  voices,
  save,
}: {
  settings: Settings;
  voices: readonly Voice[];
  save: SaveSettings;
}) {
  const { saving, submit } = useSaving(save);
  const [chosen, setChosen] = useState({ language, voice: voice as string | null });
  const present = { language, voice: voice as string | null };
  return (
    <Setting title={text.spoken.title} hint={text.spoken.hint} saving={saving}>
      <div className={styles['wide']}>
        <VoiceFields
          voices={voices}
          chosen={saving.kind === 'saving' ? chosen : present}
          hasWayToAdd={false}
          onChange={(wanted) => {
            setChosen(wanted);
            const change = { speech_language: wanted.language, speech_voice: wanted.voice };
            void submit(change as SettingsChange);
          }}
        />
      </div>
    </Setting>
  );
}

/** Adds a voice that was downloaded elsewhere: the way without a network. */
function FileSetting({
  adding,
  note,
  download,
}: {
  adding: Adding;
  note: string | null;
  download: string | null;
}) {
  const inputRef = useRef<HTMLInputElement>(null);
  const { state } = adding;
  const isOurs = state.kind !== 'idle' && state.what === fromFile;
  const isBusy = isOurs && state.kind === 'busy';
  const { title, hint, choose, file } = text.fromFile;
  return (
    <Setting
      title={title}
      hint={note === null ? hint : `${hint} ${note}`}
      saving={
        isOurs && state.kind === 'refused' ? { kind: 'refused', reason: state.reason } : { kind: 'idle' }
      }
    >
      <Row gap={3} wraps align="center">
        <ActionButton
          isBusy={state.kind === 'busy' && !isBusy}
          onPress={() => (isBusy ? adding.stop() : inputRef.current?.click())}
        >
          {isBusy ? text.stop : choose}
        </ActionButton>
        <input
          ref={inputRef}
          type="file"
          hidden
          accept=".bz2,.gz,.tgz,.zip"
          aria-label={file}
          onChange={({ currentTarget }) => {
            const [chosen] = currentTarget.files ?? [];
            if (chosen !== undefined) adding.addFile(chosen);
            currentTarget.value = ''; // the same file can be chosen again
          }}
        />
        <Text role="status" tone={state.kind === 'done' ? 'good' : 'soft'} size="small">
          {stateText(state, isBusy ? (download ?? text.adding) : null)}
        </Text>
      </Row>
    </Setting>
  );
}

function stateText(state: AddingState, busyText: string | null): string | null {
  return state.kind === 'done' ? state.words : busyText;
}

function downloadNote(rows: readonly VoiceRow[], downloading: VoicePackList['downloading']): string | null {
  if (downloading === null) return null;
  const name = rows.find(({ id }) => id === downloading.voice)?.name ?? text.runtimeName;
  return downloadText({ name, ...downloading });
}

/** In place of the id of a voice. */
const fromFile = 'file';

type AddingState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'busy'; readonly what: string }
  | { readonly kind: 'done'; readonly what: string; readonly words: string }
  | { readonly kind: 'refused'; readonly what: string; readonly reason: string };

interface Adding {
  readonly state: AddingState;
  readonly addFile: (file: File) => void;
  readonly download: (voice: OfferedVoice) => void;
  readonly stop: () => void;
}

/** Ends of the work that were shown before the section was left: not shown again. */
const shownEnds = new Set<string>();

/**
 * Adds one voice at a time, from a file or from its address. The work is that of the service (`job`): it may have been begun in another
 * window, or before this section was left. What is stopped leaves everything as it was.
 */
function useAdding(job: VoiceAdding | null, onAdded: () => void): Adding {
  /** What was begun here and never became work of the service; `startedAt` is that of the work that was known then. */
  const [failed, setFailed] = useState<{
    readonly what: string;
    readonly reason: string;
    readonly startedAt: string | null;
  } | null>(null);
  const [asking, setAsking] = useState<string | null>(null);
  const [shownBefore] = useState(() => new Set(shownEnds));
  const startedAt = job?.started_at ?? null;
  const hasEnded = job !== null && job.status !== 'running';
  useEffect(
    () => () => {
      if (hasEnded && startedAt !== null) shownEnds.add(startedAt);
    },
    [hasEnded, startedAt],
  );

  async function run(what: string, ask: () => Promise<PortalReply<unknown>>): Promise<void> {
    if (asking !== null || job?.status === 'running') return;
    setFailed(null);
    setAsking(what);
    const reply = await ask();
    setAsking(null);
    if (reply.kind === 'ok') onAdded();
    else setFailed({ what, reason: problemText(reply, 'voice_added'), startedAt });
  }
  async function addFile(file: File): Promise<void> {
    const refuse = (reason: string): void => setFailed({ what: fromFile, reason, startedAt });
    if (file.size > voicePackLimitBytes)
      return refuse(text.fromFile.tooLarge(file.size, voicePackLimitBytes));
    try {
      await file.slice(0, 1).arrayBuffer(); // a folder, and a file that was taken away, show only when they are read
    } catch {
      return refuse(text.fromFile.unreadable);
    }
    await run(fromFile, () => askPortal('addVoicePack', { body: file }));
  }
  return {
    state: stateOf(),
    addFile: (file) => void addFile(file),
    download: ({ voice }) =>
      void run(voice, () => askPortal('downloadVoicePack', { body: { voice, keep: true } })),
    stop: () => void askPortal('stopAddingVoice', {}),
  };

  function stateOf(): AddingState {
    if (job?.status === 'running') return { kind: 'busy', what: job.voice ?? fromFile };
    if (asking !== null) return { kind: 'busy', what: asking };
    if (failed?.startedAt === startedAt) return { kind: 'refused', ...failed };
    if (job === null || shownBefore.has(job.started_at) || !endedHere(job)) return { kind: 'idle' };
    const what = job.voice ?? fromFile;
    if (job.status === 'refused') return { kind: 'refused', what, reason: job.message ?? '' };
    return job.added === null ? { kind: 'idle' } : { kind: 'done', what, words: addedText(job.added.name) };
  }
}

function addedText(name: string | null): string {
  return name === null ? text.fromFile.runtimeAdded : text.fromFile.added(name);
}

/** Whether it ended while this window was open: what was added days ago is no news. */
function endedHere({ ended_at: endedAt }: VoiceAdding): boolean {
  return endedAt !== null && Date.parse(endedAt) >= performance.timeOrigin;
}
