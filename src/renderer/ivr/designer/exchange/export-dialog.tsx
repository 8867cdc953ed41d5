import { useEffect, useMemo, useRef, useState } from 'react';
import type { IvrDocument, NodeId } from '../../../../contract/menu/ivr-draft.ts';
import type { OutsideRules } from '../../../../contract/calls/outside-calls.ts';
import { defaultDestinationRules, type DestinationRules } from '../../../../contract/calls/pbx.ts';
import type { KnownIds } from '../../../../contract/menu/ivr-reference.ts';
import type { ScheduleHours, ScheduleId } from '../../../../contract/menu/schedule.ts';
import { byId, withAllStored } from '../reference-data.ts';
import type { RecordingView } from '../../../../contract/menu/recording.ts';
import { bodyExport } from '../../../../core/ivr/body/menu-body.ts';
import { documentExport } from '../../../../core/ivr/document-file.ts';
import {
  asteriskArchive,
  type FlowSounds,
  flowSounds,
  knownRecordings,
  type TelephoneAudio,
  type PromptFile,
} from '../../../../core/ivr/export/asterisk-archive.ts';
import { asteriskDialplan } from '../../../../core/ivr/export/asterisk-dialplan.ts';
import { freeswitchLacks, freeswitchMenus } from '../../../../core/ivr/export/freeswitch-menus.ts';
import { graphvizPicture } from '../../../../core/ivr/export/graphviz-picture.ts';
import { svgPicture } from '../../../../core/ivr/export/svg-picture.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import { promptTitle } from '../../../../text/menu/recordings-text.ts';
import { pictureLabels } from '../../../../text/menu/phone-menu.ts';
import { ActionButton, Button } from '../../../kit/button.tsx';
import { Choice } from '../../../kit/choice.tsx';
import { CopyButton } from '../../../kit/copy-button.tsx';
import { Dialog, DialogButtons } from '../../../kit/dialog.tsx';
import { Field, FieldGroup } from '../../../kit/field.tsx';
import { FormRefusal } from '../../../kit/form-refusal.tsx';
import inputStyles from '../../../kit/input.module.css';
import { useLive } from '../../../kit/live/use-live.ts';
import { fileName, saveFile } from '../../../kit/save-file.ts';
import { Text } from '../../../kit/text.tsx';
import { knownIds, publicationsOf } from '../publish/read-publications.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { drawPng, svgAddress } from './draw-png.ts';
import { TelephoneSteps, useEntry } from './telephone-steps.tsx';
import panel from '../panel.module.css';
import styles from './exchange.module.css';
import {
  asteriskReadme,
  exportFormatText,
  exportText,
  type FormatName,
  telephoneText,
  freeswitchLackLines,
} from '../../../../text/menu/flow-export.ts';
import { speakTextAs, type SpokenAs, spokenTextOf } from '../../../../core/speech/spoken-recording.ts';
import { readAudio, readSpeech } from '../../../recordings/read-recordings.ts';
import {
  holdFile,
  type SoundThread,
  startSoundThread,
} from '../../../recordings/sound/start-sound-thread.ts';

/** The call flow in the formats of other programs, with a preview. */
export function ExportDialog({
  first = 'draft',
  onClose,
}: {
  first?: FormatName | undefined;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const { check, draftId, referenceData } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const known = knownIds(useLive(publicationsOf(draftId)).known?.value ?? [], null);
  const systems = referenceData.pbxs;
  const [systemName, setSystemName] = useState('');
  const system = systems.find((one) => one.name === systemName) ?? systems[0];
  const entry = useEntry();
  const [name, setName] = useState<FormatName>(first);
  const [reason, setReason] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const whole = useMemo(() => {
    // A telephone system would follow opening hours that only lead to each other for as long as the caller waits.
    const isEndless = check.problems.some(({ code }) => code === 'circle_unheard');
    return check.flow === null || isEndless ? null : withAllStored(check.flow, referenceData);
  }, [check.flow, check.problems, referenceData]);
  const lacks = whole === null || name !== 'freeswitch' ? [] : freeswitchLackLines(freeswitchLacks(whole));
  const flow = name === 'asterisk' ? whole : null;
  const { recordings, usualSpokenAs } = referenceData;
  const plays = useMemo(
    () => (flow === null ? null : flowSounds(flow, recordings, usualSpokenAs)),
    [flow, recordings, usualSpokenAs],
  );
  const audio = useTelephoneAudio(plays);
  const format = exportFormats.find((other) => other.name === name);
  if (format === undefined) return null;
  const { ending, type } = format;
  const { label, purpose } = exportFormatText[name];
  const rules = system?.destinations ?? defaultDestinationRules;
  const text = exportOf(name, {
    document,
    flow: lacks.length === 0 ? whole : null,
    entry,
    rules,
    recordings: knownRecordings(recordings),
    outside: referenceData.outside,
    schedules: byId(referenceData.schedules ?? []),
    idOf: (menu) => known[menu] ?? menu,
  });
  const isForTelephones = name === 'asterisk' || name === 'freeswitch';
  const file = isForTelephones ? `${entry}${ending}` : fileName(document.name, ending);
  const saveLabel = file.length > 40 ? exportText.saveAs(ending) : exportText.save(file);

  async function contentOf(content: string): Promise<Blob> {
    if (name === 'png') return drawPng(content);
    if (flow !== null && plays !== null) {
      const files = audio instanceof Map ? audio : await telephoneAudio(plays.prompts);
      const prompts = plays.prompts.map((one) => ({ ...one, title: promptTitle(one.prompt, recordings) }));
      const readme = asteriskReadme({
        drawing: document.name,
        entry,
        prompts,
        audio: files,
        sounds: plays.sounds,
      });
      const archive = asteriskArchive(
        {
          flow,
          entry,
          rules,
          recordings: knownRecordings(recordings),
          outside: referenceData.outside,
          readme,
        },
        files,
      );
      return new Blob([archive], { type: 'application/zip' });
    }
    return new Blob([content], { type });
  }

  async function save(content: string): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    try {
      saveFile(file, await contentOf(content));
      setReason(undefined);
    } catch {
      setReason(name === 'png' ? exportText.noPng : exportText.noAudio);
    }
    setBusy(false);
  }

  return (
    <Dialog ref={ref} title={exportText.title} mayClose={() => true} onClose={onClose}>
      <div className={panel['column']}>
        <FieldGroup legend={exportText.format} hint={purpose}>
          <Choice
            options={exportFormats.map(({ name: value }) => ({
              value,
              label: exportFormatText[value].label,
            }))}
            value={name}
            onChange={setName}
          />
        </FieldGroup>
        {text === null ? (
          <p className={panel['note']}>{lacks.length === 0 ? exportText.incomplete : lacks.join(' ')}</p>
        ) : (
          <Preview text={text} format={name} of={document.name} />
        )}
        {name === 'asterisk' && systems.length > 1 && system !== undefined ? (
          <Field label={exportText.system} hint={exportText.systemHint}>
            {(tied) => (
              <select
                {...tied}
                className={inputStyles['input']}
                value={system.name}
                onChange={({ target }) => setSystemName(target.value)}
              >
                {systems.map((one) => (
                  <option key={one.name}>{one.name}</option>
                ))}
              </select>
            )}
          </Field>
        ) : null}
        {plays === null ? null : <AudioFiles plays={plays} audio={audio} recordings={recordings} />}
        {text !== null && isForTelephones ? (
          <section className={panel['group']} aria-label={telephoneText.title}>
            <Text as="h3" size="medium" weight="bold">
              {telephoneText.title}
            </Text>
            <TelephoneSteps system={name} />
          </section>
        ) : null}
        <DialogButtons>
          <FormRefusal reason={reason} />
          <Button onPress={() => ref.current?.close()}>{exportText.close}</Button>
          {text === null || name === 'png' ? null : <CopyButton text={text} what={exportText.copy(label)} />}
          {text === null ? null : (
            <ActionButton rank="main" isBusy={isBusy} onPress={() => void save(text)}>
              {isBusy && name === 'asterisk' ? exportText.saving : saveLabel}
            </ActionButton>
          )}
        </DialogButtons>
      </div>
    </Dialog>
  );
}

type Sounds = FlowSounds<RecordingView>;

/** `failed`: there is no memory for them. Null: they are being made. */
type MadeAudio = TelephoneAudio | 'failed' | null;

/** The audio files of an export, made when it is chosen, so that the dialog says how many it really has. */
function useTelephoneAudio(plays: Sounds | null): MadeAudio {
  const [made, setMade] = useState<{ readonly plays: Sounds; readonly audio: MadeAudio } | null>(null);
  useEffect(() => {
    if (plays === null) return;
    telephoneAudio(plays.prompts).then(
      (audio) => setMade({ plays, audio }),
      () => setMade({ plays, audio: 'failed' }),
    );
  }, [plays]);
  return made?.plays === plays ? made.audio : null;
}

/** How many audio files the export has, which have to be added by hand, and what the telephone system has to have. */
function AudioFiles({
  plays: { prompts, sounds },
  audio,
  recordings,
}: {
  plays: Sounds;
  audio: MadeAudio;
  recordings: readonly RecordingView[];
}) {
  if (audio === null) return <p className={panel['note']}>{exportText.saving}</p>;
  const missing = prompts.filter(({ name }) => audio === 'failed' || !audio.has(name));
  return (
    <div className={panel['note']}>
      <p role="status">{exportText.audio(prompts.length - missing.length, missing.length)}</p>
      <ul>
        {missing.map(({ name, prompt }) => (
          <li key={name}>{exportText.missing(name, promptTitle(prompt, recordings))}</li>
        ))}
      </ul>
      {sounds.length === 0 ? null : (
        <>
          <p>{exportText.sounds}</p>
          <ul>
            {sounds.map((sound) => (
              <li key={sound}>{sound}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

const exportFormats: readonly {
  readonly name: FormatName;
  readonly ending: string;
  /** Media type. */
  readonly type: string;
}[] = [
  {
    name: 'draft',
    ending: '.rotavox.json',
    type: 'application/json',
  },
  {
    name: 'body',
    ending: '.json',
    type: 'application/json',
  },
  {
    name: 'asterisk',
    ending: '.zip',
    type: 'application/zip',
  },
  {
    name: 'freeswitch',
    ending: '.xml',
    type: 'application/xml',
  },
  {
    name: 'svg',
    ending: '.svg',
    type: 'image/svg+xml',
  },
  {
    name: 'png',
    ending: '.png',
    type: 'image/png',
  },
  {
    name: 'graphviz',
    ending: '.dot',
    type: 'text/vnd.graphviz',
  },
];

/** The text of an export (of a PNG: its SVG); null for a format that needs a call flow without errors. */
function exportOf(
  name: FormatName,
  {
    document,
    flow,
    entry,
    rules,
    recordings,
    outside,
    schedules,
    idOf,
  }: {
    readonly document: IvrDocument;
    readonly flow: Flow | null;
    readonly entry: string;
    readonly rules: DestinationRules;
    readonly recordings: KnownIds;
    readonly outside: OutsideRules;
    readonly schedules: ReadonlyMap<ScheduleId, ScheduleHours>;
    readonly idOf: (menu: NodeId) => string;
  },
): string | null {
  switch (name) {
    case 'body':
      return bodyExport(document, idOf);
    case 'draft':
      return documentExport(document, schedules);
    case 'asterisk':
      return flow === null ? null : asteriskDialplan(flow, entry, { rules, recordings, outside });
    case 'freeswitch':
      return flow === null ? null : freeswitchMenus(flow, entry, { recordings, outside });
    case 'graphviz':
      return graphvizPicture(document, pictureLabels);
    case 'svg':
    case 'png':
      return svgPicture(document, pictureLabels);
  }
}

/** The audio of the recordings that are here, and of texts that can be spoken. */
async function telephoneAudio(prompts: readonly PromptFile<RecordingView>[]): Promise<TelephoneAudio> {
  const audio = new Map<string, Uint8Array>();
  if (prompts.every(({ recording, prompt }) => recording === null && spokenTextOf(prompt) === null))
    return audio;
  const thread = await startSoundThread();
  try {
    for (const prompt of prompts) {
      const { name } = prompt;
      const content = await telephoneFile(thread, prompt);
      if (content !== null) audio.set(name, content);
    }
  } finally {
    thread.end();
  }
  return audio;
}

/** A picture, or what will be in the file as text; `of`: the name of the call flow. */
function Preview({ text, format, of }: { text: string; format: FormatName; of: string }) {
  if (format === 'svg' || format === 'png') {
    return <img className={panel['picture']} src={svgAddress(text)} alt={exportText.picture(of)} />;
  }
  return (
    <pre
      className={styles['preview']}
      tabIndex={0}
      aria-label={exportText.preview(exportFormatText[format].label, of)}
    >
      <code>{text}</code>
    </pre>
  );
}

async function telephoneFile(
  thread: SoundThread,
  { recording, prompt, spokenAs }: PromptFile<RecordingView>,
): Promise<Uint8Array | null> {
  const file = await fileOf(recording, prompt, spokenAs);
  if (file === null) return null;
  try {
    const { all } = await holdFile(thread, file, recording?.duration_ms ?? null);
    const { file: narrow } = await thread.cut(all, 'telephone');
    return new Uint8Array(await narrow.arrayBuffer());
  } catch (error) {
    if (error instanceof DOMException && error.name === 'EncodingError') return null;
    throw error;
  }
}

async function fileOf(
  recording: RecordingView | null,
  prompt: string,
  spokenAs: SpokenAs,
): Promise<ArrayBuffer | null> {
  if (recording !== null) return readAudio(recording.id, new AbortController().signal);
  const text = spokenTextOf(prompt);
  return text === null
    ? null
    : ((await (await readSpeech(speakTextAs(text, spokenAs)))?.arrayBuffer()) ?? null);
}
