import { useId, useRef, useState } from 'react';
import {
  type OfferedVoice,
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
import { ActionButton, Button } from '../kit/button.tsx';
import { Consequences, QuestionDialog } from '../kit/dialog.tsx';
import { FieldError } from '../kit/field.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import type { Resource } from '../kit/live/resource.ts';
import { combineLive, useLive } from '../kit/live/use-live.ts';
import type { PortalReply } from '../kit/portal-reply.ts';
import { Text } from '../kit/text.tsx';
import { ListenButton } from '../recordings/listen-button.tsx';
import { knownVoices, languagesOf, VoiceFields } from '../recordings/voice-fields.tsx';
import { Setting } from './setting.tsx';
import styles from './settings.module.css';
import { type SaveSettings, useSaving } from './use-settings.ts';
import { splitLanguages, type VoiceRow, voiceRows } from './voice-rows.ts';

const voicePacks: Resource<VoicePackList> = {
  key: ['voice packs'],
  about: ['voice', 'recording.'],
  read: (signal) => askPortal('listVoicePacks', { signal }),
};

/** What texts are spoken with, the voices that there are, and the ways to more of them. */
export function VoicesSettings({ settings, save }: { settings: Settings; save: SaveSettings }) {
  const voices = useLive(knownVoices);
  const packs = useLive(voicePacks);
  const adding = useAdding(() => {
    voices.retry();
    packs.retry();
  });
  if (voices.known === undefined || packs.known === undefined) {
    const { connection } = combineLive({ voices, packs });
    if (connection.kind === 'asking' || connection.kind === 'live') return null;
    return <Text tone="bad">{problemText(connection)}</Text>;
  }
  const { voices: there } = voices.known.value;
  const { runtime, downloading, ...list } = packs.known.value;
  const rows = voiceRows(there, list);
  return (
    <>
      <UsualVoiceSetting settings={settings} voices={there} save={save} />
      <Setting title={text.list.title} hint={text.list.hint} saving={{ kind: 'idle' }}>
        <div className={styles['wide']}>
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
                onRemoved={() => {
                  voices.retry();
                  packs.retry();
                }}
              />
            )}
          />
        </div>
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
  onRemoved,
}: {
  row: VoiceRow;
  isUsual: boolean;
  adding: Adding;
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
        {isBusy ? (
          <Button onPress={adding.stop}>{text.stop}</Button>
        ) : (
          <Button onPress={() => inputRef.current?.click()}>{choose}</Button>
        )}
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
          {stateText(state, download)}
        </Text>
      </Row>
    </Setting>
  );
}

function stateText(state: AddingState, download: string | null): string | null {
  if (state.kind === 'done') return state.words;
  return state.kind === 'busy' ? (download ?? text.adding) : null;
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

/** Adds one voice at a time, from a file or from its address. What is stopped leaves everything as it was. */
function useAdding(onAdded: () => void): Adding {
  const [state, setState] = useState<AddingState>({ kind: 'idle' });
  const stopping = useRef<AbortController | null>(null);

  async function run(
    what: string,
    ask: (signal: AbortSignal) => Promise<PortalReply<{ pack: { name: string } | null }>>,
  ): Promise<void> {
    if (stopping.current !== null) return;
    const controller = new AbortController();
    stopping.current = controller;
    setState({ kind: 'busy', what });
    try {
      const reply = await ask(controller.signal);
      if (reply.kind !== 'ok') {
        setState({ kind: 'refused', what, reason: problemText(reply, 'voice_added') });
        return;
      }
      const { pack } = reply.value;
      const words = pack === null ? text.fromFile.runtimeAdded : text.fromFile.added(pack.name);
      setState({ kind: 'done', what, words });
      onAdded();
    } catch (error) {
      if (!controller.signal.aborted) throw error;
      setState({ kind: 'idle' });
    } finally {
      stopping.current = null;
    }
  }
  async function addFile(file: File): Promise<void> {
    const refuse = (reason: string): void => setState({ kind: 'refused', what: fromFile, reason });
    if (file.size > voicePackLimitBytes)
      return refuse(text.fromFile.tooLarge(file.size, voicePackLimitBytes));
    try {
      await file.slice(0, 1).arrayBuffer(); // a folder, and a file that was taken away, show only when they are read
    } catch {
      return refuse(text.fromFile.unreadable);
    }
    await run(fromFile, (signal) => askPortal('addVoicePack', { body: file, signal }));
  }
  return {
    state,
    addFile: (file) => void addFile(file),
    download: ({ voice }) =>
      void run(voice, (signal) => askPortal('downloadVoicePack', { body: { voice }, signal })),
    stop: () => stopping.current?.abort(),
  };
}
