import { z } from 'zod';
import {
  ChangeExtensions,
  ChangeSmsTemplates,
  DirectoryImported,
  ExtensionList,
  ImportDirectory,
  SmsTemplateList,
} from './directory.ts';
import {
  CreateDraft,
  DraftDeleted,
  DraftList,
  DraftSaved,
  DraftVersions,
  DraftWindows,
  IvrDraft,
  PublishDraft,
  PublishReply,
  SaveDraft,
  ShowDraftWindow,
} from './ivr-draft.ts';
import { IvrCreated, IvrDeleted, IvrUpdated, StoredIvr } from './ivr.ts';
import { IvrVersions } from '../service/portal.ts';
import {
  recordingLimitBytes,
  RecordingList,
  RecordingRemoved,
  RecordingView,
  RenameRecording,
  SpeakAgain,
  SpeakIvr,
  SpeakRecording,
  SpokenPrompts,
  UploadRecording,
  CheckTexts,
  ReadSpeech,
  SpeakAll,
  SpeechStatus,
} from './recording.ts';
import { FlowPart } from './schedule.ts';
import { VoiceList, ChangePronunciations, PronunciationList } from './speech.ts';
import {
  bodyProblems,
  historyProblems,
  largeBodyProblems,
  portalProblems,
  portalRoute,
  type Route,
  valueProblems,
} from '../route.ts';

/** The stored phone menus, for the owner. */
export const ivrRoutes = {
  portalCreateIvr: {
    ...portalRoute('POST', '/portal/ivrs'),
    title: 'Create an IVR as the owner',
    summary: 'Create an IVR as the owner.',
    body: z.unknown(),
    reply: IvrCreated,
    problems: [...portalProblems, ...bodyProblems],
  },
  portalListIvrs: {
    ...portalRoute('GET', '/portal/ivrs'),
    title: 'List IVRs as the owner',
    summary: 'List the stored IVRs.',
    /** `parts`: opening hours and messages of published call flows; absent if there are none. */
    reply: z.object({ ivrs: z.array(StoredIvr), parts: z.array(FlowPart).optional() }),
    problems: portalProblems,
  },
  portalReadIvr: {
    ...portalRoute('GET', '/portal/ivrs/:id'),
    title: 'Read an IVR as the owner',
    summary: 'Read one IVR.',
    reply: StoredIvr,
    problems: [...portalProblems, 'not_found'],
  },
  portalIvrVersions: {
    ...portalRoute('GET', '/portal/ivrs/:id/versions'),
    title: 'Versions of an IVR',
    summary: 'Every version of an IVR, newest first, also of a deleted one.',
    reply: IvrVersions,
    problems: [...historyProblems, 'not_found'],
  },
  portalUpdateIvr: {
    ...portalRoute('PUT', '/portal/ivrs/:id'),
    title: 'Replace an IVR as the owner',
    summary: 'Replace an IVR as the owner.',
    body: z.unknown(),
    reply: IvrUpdated,
    problems: [...portalProblems, ...bodyProblems, 'not_found'],
  },
  portalDeleteIvr: {
    ...portalRoute('DELETE', '/portal/ivrs/:id'),
    title: 'Delete an IVR as the owner',
    summary:
      'Delete an IVR as the owner, or the opening hours or message that a published call flow begins with; its menus stay.',
    reply: IvrDeleted,
    problems: [...portalProblems, ...bodyProblems, 'not_found'],
  },
} as const satisfies Record<string, Route>;

/** A directory may have 10,000 entries, in bytes. */
const directoryLimitBytes = 4 * 1024 * 1024;

/** Extensions and SMS templates. */
export const directoryRoutes = {
  listExtensions: {
    ...portalRoute('GET', '/portal/extensions'),
    title: 'List extensions',
    summary: 'List the extensions that this service knows, by id.',
    reply: ExtensionList,
    problems: portalProblems,
  },
  changeExtensions: {
    ...portalRoute('PATCH', '/portal/extensions'),
    title: 'Change extensions',
    summary: 'Add, change and remove extensions: all of it, or nothing.',
    body: ChangeExtensions,
    limitBytes: directoryLimitBytes,
    reply: ExtensionList,
    problems: [...portalProblems, ...largeBodyProblems],
  },
  importExtensions: {
    ...portalRoute('POST', '/portal/extensions/import'),
    title: 'Import extensions',
    summary:
      'Add and change extensions from a CSV text with columns for id and name, as spreadsheets and telephone systems write it. Other columns are left out.',
    body: ImportDirectory,
    limitBytes: directoryLimitBytes,
    reply: DirectoryImported,
    problems: [...portalProblems, ...largeBodyProblems],
  },
  listSmsTemplates: {
    ...portalRoute('GET', '/portal/sms-templates'),
    title: 'List SMS templates',
    summary: 'List the SMS templates that this service knows, by id.',
    reply: SmsTemplateList,
    problems: portalProblems,
  },
  changeSmsTemplates: {
    ...portalRoute('PATCH', '/portal/sms-templates'),
    title: 'Change SMS templates',
    summary: 'Add, change and remove SMS templates: all of it, or nothing.',
    body: ChangeSmsTemplates,
    limitBytes: directoryLimitBytes,
    reply: SmsTemplateList,
    problems: [...portalProblems, ...largeBodyProblems],
  },
  importSmsTemplates: {
    ...portalRoute('POST', '/portal/sms-templates/import'),
    title: 'Import SMS templates',
    summary:
      'Add and change SMS templates from a CSV text with columns for id, name and text. Other columns are left out.',
    body: ImportDirectory,
    limitBytes: directoryLimitBytes,
    reply: DirectoryImported,
    problems: [...portalProblems, ...largeBodyProblems],
  },
} as const satisfies Record<string, Route>;

/** What callers are played. */
export const recordingRoutes = {
  listRecordings: {
    ...portalRoute('GET', '/portal/recordings'),
    title: 'List recordings',
    summary: 'List the recordings and where each is played.',
    reply: RecordingList,
    problems: portalProblems,
  },
  uploadRecording: {
    ...portalRoute('POST', '/portal/recordings'),
    title: 'Upload a recording',
    summary:
      'Keep an audio file (WAV, MP3 or Ogg). What it is is read from its content, not from a name. A WAV file that not everything plays is stored as one of 16 bits.',
    query: UploadRecording,
    body: z.unknown(),
    takes: 'audio',
    limitBytes: recordingLimitBytes,
    reply: RecordingView,
    problems: [...portalProblems, 'bad_request', 'body_too_large', 'conflict'],
  },
  renameRecording: {
    ...portalRoute('PATCH', '/portal/recordings/:id'),
    title: 'Rename a recording',
    summary: 'Change the name of a recording; its id stays.',
    body: RenameRecording,
    reply: RecordingView,
    problems: [...portalProblems, ...bodyProblems, 'not_found'],
  },
  replaceRecording: {
    ...portalRoute('PUT', '/portal/recordings/:id'),
    title: 'Replace the audio of a recording',
    summary: 'Replace the audio of a recording; its id and its name stay.',
    body: z.unknown(),
    takes: 'audio',
    limitBytes: recordingLimitBytes,
    reply: RecordingView,
    problems: [...portalProblems, 'bad_request', 'body_too_large', 'not_found'],
  },
  speakRecording: {
    ...portalRoute('POST', '/portal/recordings/speak'),
    title: 'Speak a text',
    summary:
      'Make a recording of a text, which menus play as outbound_tts||TEXT. A recording that has this text and this voice already is the answer.',
    body: SpeakRecording,
    reply: RecordingView,
    problems: [...portalProblems, ...bodyProblems, 'conflict'],
  },
  speakRecordingAgain: {
    ...portalRoute('POST', '/portal/recordings/:id/speak'),
    title: 'Speak a recording again',
    summary:
      'Speak the text of a recording with the voice of the settings, or with another one; its id and its name stay. Without a body it is as the settings have it.',
    body: SpeakAgain.default({}),
    reply: RecordingView,
    problems: [...portalProblems, ...bodyProblems, 'not_found', 'conflict'],
  },
  speakIvr: {
    ...portalRoute('POST', '/portal/ivrs/:id/speak'),
    title: 'Speak the texts of a menu',
    summary:
      'Speak the texts of a stored menu, and of those that it leads to, that have no recording yet or one with another voice.',
    body: SpeakIvr,
    reply: SpokenPrompts,
    problems: [...portalProblems, ...bodyProblems, 'not_found'],
  },
  listVoices: {
    ...portalRoute('GET', '/portal/voices'),
    title: 'List voices',
    summary: 'List the voices that can speak the texts of menus.',
    reply: VoiceList,
    problems: portalProblems,
  },
  removeRecording: {
    ...portalRoute('DELETE', '/portal/recordings/:id'),
    title: 'Remove a recording',
    summary: 'Remove a recording. Refused while a stored menu or a draft plays it.',
    reply: RecordingRemoved,
    problems: [...portalProblems, ...bodyProblems, 'not_found', 'conflict'],
  },
} as const satisfies Record<string, Route>;

/** A draft may hold 500 nodes, in bytes. */
const drawingLimitBytes = 1024 * 1024;

/** The drafts of the designer, their versions, and publishing. */
export const draftRoutes = {
  listDrafts: {
    ...portalRoute('GET', '/portal/ivrs/drafts'),
    title: 'List IVR drafts',
    summary: 'List the drafts of the designer, the one changed last first.',
    reply: DraftList,
    problems: portalProblems,
  },
  createDraft: {
    ...portalRoute('POST', '/portal/ivrs/drafts'),
    title: 'Create an IVR draft',
    summary: 'Keep a new draft, which may be half wired.',
    body: CreateDraft,
    limitBytes: drawingLimitBytes,
    reply: IvrDraft,
    problems: [...portalProblems, ...largeBodyProblems],
  },
  readDraft: {
    ...portalRoute('GET', '/portal/ivrs/drafts/:id'),
    title: 'Read an IVR draft',
    summary: 'Read a draft with its revision and where it was published.',
    reply: IvrDraft,
    problems: [...portalProblems, 'not_found'],
  },
  saveDraft: {
    ...portalRoute('PUT', '/portal/ivrs/drafts/:id'),
    title: 'Save an IVR draft',
    summary:
      'Save a draft. Refused when somebody has saved it since the named revision; nothing is lost then.',
    body: SaveDraft,
    limitBytes: drawingLimitBytes,
    reply: DraftSaved,
    problems: [...portalProblems, ...largeBodyProblems, 'not_found', 'conflict'],
  },
  showDraftWindow: {
    ...portalRoute('POST', '/portal/ivrs/drafts/:id/windows'),
    title: 'Show who has an IVR draft open',
    summary:
      'Tell that a window has a draft open or has closed it, and which card is selected there. Windows of the same draft are told by the event stream. A window that says nothing for 75 seconds has left.',
    body: ShowDraftWindow,
    reply: DraftWindows,
    problems: [...portalProblems, ...bodyProblems, 'not_found'],
  },
  deleteDraft: {
    ...portalRoute('DELETE', '/portal/ivrs/drafts/:id'),
    title: 'Delete an IVR draft',
    summary: 'Delete a draft. What was published of it stays.',
    reply: DraftDeleted,
    problems: [...portalProblems, ...bodyProblems, 'not_found'],
  },
  draftVersions: {
    ...portalRoute('GET', '/portal/ivrs/drafts/:id/versions'),
    title: 'Versions of an IVR draft',
    summary: 'Every version that was published, newest first, also of a deleted draft.',
    reply: DraftVersions,
    problems: [...historyProblems, 'not_found'],
  },
  publishDraft: {
    ...portalRoute('POST', '/portal/ivrs/drafts/:id/publish'),
    title: 'Publish an IVR draft',
    summary: 'Prove a draft, then store its menus here or in the service of a credential.',
    body: PublishDraft,
    reply: PublishReply,
    problems: [...valueProblems, 'conflict'],
  },
} as const satisfies Record<string, Route>;

/** How texts are spoken, and the work of speaking many. */
export const speechRoutes = {
  listPronunciations: {
    ...portalRoute('GET', '/portal/pronunciations'),
    title: 'List pronunciations',
    summary:
      'List the words that are said otherwise than they are written, and how many recordings have each.',
    reply: PronunciationList,
    problems: portalProblems,
  },
  changePronunciations: {
    ...portalRoute('PATCH', '/portal/pronunciations'),
    title: 'Change pronunciations',
    summary:
      'Add, change and remove pronunciations: all of it, or nothing. Recordings that have a word of these stay as they are until they are spoken again.',
    body: ChangePronunciations,
    reply: PronunciationList,
    problems: [...portalProblems, ...bodyProblems],
  },
  checkTexts: {
    ...portalRoute('POST', '/portal/speech/check'),
    title: 'Check texts',
    summary:
      'What callers would hear of these texts: their recording, voice, and what no voice can read. Nothing is made.',
    body: CheckTexts,
    reply: SpokenPrompts,
    problems: [...portalProblems, ...bodyProblems],
  },
  readSpeech: {
    ...portalRoute('GET', '/portal/speech'),
    title: 'Read the state of speech',
    summary:
      'How many texts have no recording, how many recordings have changed, and how far speaking all of them is.',
    query: ReadSpeech,
    reply: SpeechStatus,
    problems: [...portalProblems, ...bodyProblems],
  },
  speakAll: {
    ...portalRoute('POST', '/portal/speech/all'),
    title: 'Speak all texts',
    summary:
      'Begin to speak all texts that have no recording, one after the other. While that runs already, this changes nothing. Progress is told by the event stream (`speech`).',
    body: SpeakAll,
    reply: SpeechStatus,
    problems: [...portalProblems, ...bodyProblems],
  },
  stopSpeakingAll: {
    ...portalRoute('DELETE', '/portal/speech/all'),
    title: 'Stop speaking all texts',
    summary: 'Stop speaking all texts. What was made stays; what is being spoken is not stored.',
    reply: SpeechStatus,
    problems: [...portalProblems, ...bodyProblems],
  },
} as const satisfies Record<string, Route>;
