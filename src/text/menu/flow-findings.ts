import type { CallPort } from '../../contract/menu/ivr-call.ts';
import type { DraftRefusalReason } from '../../contract/menu/ivr-draft.ts';
import type {
  BodyField,
  IvrProblem,
  IvrProblemCode,
  IvrProblemParams,
  ScenarioPlace,
} from '../../contract/menu/ivr-problem.ts';
import { readReference } from '../../contract/menu/ivr-reference.ts';
import { ivrBounds, type IvrWarning } from '../../contract/menu/ivr.ts';
import { isFitForName } from '../../contract/shapes.ts';
import { languageName, shownLetters, speechProblemText } from './speech-text.ts';
import { blockingText, kindInSentence, menuFieldNames, quoted, referenceInSentence } from './phone-menu.ts';

/** What the checks of a call flow found, as sentences: what is wrong and what to do. */

/** The sentence about one finding. */
export function problemSentence<C extends IvrProblemCode>({
  code,
  params,
}: {
  readonly code: C;
  readonly params: IvrProblemParams[C];
}): string {
  return sentences[code](params);
}

/** The same in a window, where fields and settings have the names that a person sees there. */
export function findingSentence(problem: IvrProblem): string {
  const { code, params } = problem;
  if (code === 'never_played' && params.recording === 'retry')
    return `${menuFieldNames.timeout_retry_recording} of ${quoted(params.menu)}: it is never played, because the menu does not retry after a timeout. Increase “${menuFieldNames.timeout_tries}” if it should.`;
  if (code === 'sms_setting_off')
    return `${start(quoted(params.menu))} sends SMS templates, but they are turned off, so this service leaves them out. Turn them on in the settings to send them.`;
  if (code === 'prompt_unspoken' && params.problem.kind === 'no_voice' && params.problem.voice !== undefined)
    return `${willNotHear(params.menu, quoted(shortened(params.text)))} There is no voice ${quoted(params.problem.voice)} on this computer. Choose another in the settings, or record the prompt.`;
  return problemSentence(problem);
}

/** A finding as `rotavox ivr validate --json` prints it. */
export type WrittenProblem = Omit<IvrProblem, 'params'> & { readonly message: string };

export function writtenProblem(problem: IvrProblem): WrittenProblem {
  const { code, severity, path, node, field, scenario } = problem;
  return { code, severity, path, node, field, scenario, message: problemSentence(problem) };
}

/** Findings in a body, as the reply to creating or changing a menu has them. */
export function problemWarnings(problems: readonly IvrProblem[]): IvrWarning[] {
  return problems.map((problem) => ({ field: problem.field ?? '', message: problemSentence(problem) }));
}

/** How many errors the reply names. */
const namedErrors = 3;

/** Why nothing was published. */
export function blockedText(errors: readonly IvrProblem[]): string {
  const named = errors.slice(0, namedErrors).map((error) => problemSentence(error));
  const more = errors.length > namedErrors ? [`And ${errors.length - namedErrors} more.`] : [];
  return [`${blockingText(errors.length)}; nothing was sent.`, ...named, ...more].join(' ');
}

const orIgnore = 'or ignore this if the telephone system has it.';

const sentences: {
  readonly [C in IvrProblemCode]: (params: IvrProblemParams[C]) => string;
} = {
  field_open: (params) =>
    params.of === 'menu'
      ? missingField[params.field](quoted(params.menu))
      : `Choose which ${kindInSentence(params.type)} calls are led to here.`,
  field_not_allowed: (params) => {
    switch (params.of) {
      case 'menu':
        return `${menuFieldNames[params.field]} of ${quoted(params.menu)}: ${fieldLimit(params)}`;
      case 'keys':
        return `Remove keys from ${quoted(params.menu)}: it has ${params.keys}, and a menu can have ${params.most}.`;
      case 'sms_template':
        return `The SMS template of ${keyName(params.key)} of ${quoted(params.menu)} must be an id of at most ${params.longest} characters.`;
      case 'destination':
        return `The id of this ${kindInSentence(params.type)} must be 1 to 200 characters without | and control characters, and begin with no space.`;
    }
  },
  no_start: ({ first }) => `No menu is chosen for the start of a call. ${connectCaller(first)}`,
  no_keys: ({ menu }) => `${start(quoted(menu))} has no keys. Add at least one that a caller can press.`,
  key_not_allowed: ({ menu, key }) =>
    key === ''
      ? `Choose the key: ${quoted(menu)} has one that is not set. It must be one of 0-9, * or #.`
      : `“${key}” in ${quoted(menu)} is not a telephone key. It must be one of 0-9, * or #.`,
  key_twice: ({ menu, key }) => `Key ${key} is in ${quoted(menu)} twice. Change or remove one of them.`,
  destination_open: ({ menu, way }) =>
    `${start(wayName(way))} of ${quoted(menu)} has no destination. ${connectWay(way)}`,
  node_unknown: (params) =>
    params.from === 'caller'
      ? `The menu that a call starts with no longer exists. ${connectCaller(params.first)}`
      : `${start(wayName(params.way))} of ${quoted(params.menu)} leads to something that no longer exists. ${connectWay(params.way)}`,
  unreachable: ({ kind, node }) =>
    `No call can reach ${kind === 'menu' ? quoted(node) : referenceInSentence(node)}. Choose it as a destination, or remove it.`,
  no_way_out: ({ menu }) =>
    `Callers who reach ${quoted(menu)} can never leave the menus. Lead a key, the wrong key or the timeout to a destination.`,
  endless_without_key: ({ menus: [first, ...others], way }) => {
    const loop =
      others.length === 0
        ? `${quoted(first)} repeats forever`
        : `they go ${[first, ...others, first].map(quoted).join(' → ')} and so on`;
    const outcome = way === 'wrong_key' ? 'wrong key' : 'timeout';
    return `Callers who press none of the keys never get out: ${loop}. Lead the ${outcome} of ${quoted(first)} out of this loop.`;
  },
  never_played: ({ menu, recording }) =>
    recording === 'wrong_key'
      ? `The wrong-key recording of ${quoted(menu)} is never played, because the menu uses every key. If this is intended, there is nothing to do.`
      : `The retry recording of ${quoted(menu)} is never played, because the menu does not retry after a timeout. Increase timeout_tries if it should.`,
  destination_unreachable: ({ type, id, why }) => {
    const place = `${start(kindInSentence(type))} ${quoted(id)}`;
    if (why.code === 'reserved')
      return `${place} cannot be called: it has a meaning of its own for a telephone system. Enter the number that is dialled.`;
    if (why.code === 'too_long') return `${place} cannot be called: it has more than ${why.most} characters.`;
    const reason = `${place} cannot be called: it contains ${characterName(why.character)}.`;
    return why.suggested === null
      ? `${reason} A telephone system takes letters, digits and * # + - _ only. Choose another, or enter the number that is dialled.`
      : `${reason} Write ${why.suggested}.`;
  },
  destination_unrouted: ({ type, id }) =>
    `${start(kindInSentence(type))} ${id} is not reached: where it is on the telephone system is not known, so its callers go to the fallback. ${
      type === 'timegroup'
        ? 'Choose the time condition that uses it, or enter a place for time groups under Telephone systems.'
        : 'Enter a place for it under Telephone systems, or choose another destination.'
    }`,
  recording_unknown: ({ menu, recording, reason, pbx }) => {
    const unlisted = `Recording ${recording}, which ${quoted(menu)} plays, is not in the list of recordings`;
    switch (reason) {
      case 'gone':
        return `${unlisted}, and no sound of a telephone system can have this name: callers hear nothing. Upload it, or choose another.`;
      case 'no_sound':
        return `${unlisted}, and the telephone system ${quoted(pbx ?? '')} has no sound with this name: callers hear nothing. Upload it, choose another, or add the sound there.`;
      case 'unknown_sound':
        return `${unlisted}. Callers hear the sound of the telephone system with this name, and nothing if it has none. Upload it, or choose another.`;
    }
  },
  prompt_unspoken: ({ menu, text, problem }) =>
    `${willNotHear(menu, quoted(shortened(text)))} ${speechProblemText(problem)}`,
  letters_unspoken: ({ menu, letters, language }) =>
    `${willNotHear(menu, shownLetters(letters))} The voice for ${languageName(language)} cannot read these letters. Record the prompt, or choose a voice of its language in the settings.`,
  extension_unknown: ({ extension }) =>
    `Extension ${extension} is not in the list of extensions. Add it, choose another, ${orIgnore}`,
  menu_unknown: ({ menu_id: id }) =>
    `Menu ${id} is not stored here, and its callers would go to the fallback. Choose another, or ignore this if you publish where it is stored.`,
  sms_template_unknown: ({ menu, key, template }) =>
    `SMS template ${template}, which ${keyName(key)} of ${quoted(menu)} sends, is not in the list of SMS templates. Add it, choose another, ${orIgnore}`,
  sms_setting_off: ({ menu }) =>
    `${start(quoted(menu))} sends SMS templates, but they are turned off, so this service leaves them out. Turn on sms_templates_enabled to send them.`,
  scenario_failed: ({ scenario, expected, came }) =>
    `Scenario “${scenario}” fails: expected ${expectedPlace(expected)}, but the call ${callEnd(came)}. Change the flow or what the scenario expects.`,
};

/** `menu` is null for a prompt of all menus. */
function willNotHear(menu: string | null, what: string): string {
  return menu === null
    ? `Callers will not hear ${what} in a prompt of all menus.`
    : `Callers of ${quoted(menu)} will not hear ${what}.`;
}

const longestShown = 60;

function shortened(text: string): string {
  const characters = Array.from(text.trim());
  return characters.length <= longestShown
    ? text.trim()
    : `${characters.slice(0, longestShown).join('').trim()}…`;
}

/** What a field says that holds something outside of its limits. */
export const limitText = {
  tooLong: (length: number, most: number) =>
    `At most ${most.toLocaleString()} characters. This has ${length.toLocaleString()}.`,
  /** For what is longer than a draft can hold. */
  saved: (most: number) => `Only the first ${most.toLocaleString()} are saved.`,
  unfitName: 'Remove line breaks and characters that cannot be seen, or that turn the direction of the text.',
  number: ({ min, max }: { readonly min: number; readonly max: number }) =>
    `Enter a whole number from ${min} to ${max}.`,
  prompt: (id: number, spoken: number) =>
    `Choose a recording, or enter an id of at most ${id.toLocaleString()} or a spoken text of at most ${spoken.toLocaleString()} characters, without “|”.`,
} as const;

/** The same as the field itself says. */
function fieldLimit({
  field,
  value,
}: {
  readonly field: BodyField;
  readonly value: string | number;
}): string {
  switch (field) {
    case 'name':
    case 'description':
      if (String(value).length <= ivrBounds[field].max && !isFitForName(String(value)))
        return limitText.unfitName;
      return limitText.tooLong(String(value).length, ivrBounds[field].max);
    case 'timeout':
      return limitText.number(ivrBounds.timeoutSeconds);
    case 'incorrect_count':
    case 'timeout_tries':
      return limitText.number(ivrBounds.count);
    case 'recording':
    case 'invalid_recording':
    case 'timeout_retry_recording':
    case 'timeout_recording': {
      const prompt = readReference(String(value));
      const spoken = prompt?.type === 'outbound_tts' ? prompt.id.length : 0;
      return spoken > ivrBounds.spokenLength
        ? limitText.tooLong(spoken, ivrBounds.spokenLength)
        : limitText.prompt(ivrBounds.idLength, ivrBounds.spokenLength);
    }
  }
}

const missingField: Readonly<Record<BodyField, (menu: string) => string>> = {
  name: () => 'Give this menu a name.',
  description: (menu) => `Describe ${menu}.`,
  recording: (menu) => `Choose what ${menu} plays first.`,
  timeout: (menu) => `Enter how many seconds ${menu} waits for a key.`,
  incorrect_count: (menu) => `Enter how many retries ${menu} allows after a wrong key.`,
  invalid_recording: (menu) => `Choose what ${menu} plays after a wrong key.`,
  timeout_retry_recording: (menu) => `Choose what ${menu} plays after a timeout, before it retries.`,
  timeout_recording: (menu) => `Choose what ${menu} plays after the last timeout.`,
  timeout_tries: (menu) => `Enter how many retries ${menu} allows after a timeout.`,
};

function connectCaller(first: string | null): string {
  return first === null
    ? 'Add a menu and choose it for the caller.'
    : `Choose one for the caller, for example ${quoted(first)}.`;
}

function connectWay(way: CallPort): string {
  return way.kind === 'key' ? 'Choose where it leads, or remove the key.' : 'Choose where it leads.';
}

function wayName(way: CallPort): string {
  if (way.kind === 'key') return keyName(way.key);
  return way.kind === 'wrong_key' ? 'the wrong key' : 'the timeout';
}

function keyName(key: string): string {
  return key === '' ? 'a key' : `key ${key}`;
}

function expectedPlace(place: ScenarioPlace): string {
  if (place.kind === 'destination') return referenceInSentence(place.destination);
  return place.menu === null ? 'a menu that no longer exists' : `to wait in ${quoted(place.menu)}`;
}

function callEnd(place: ScenarioPlace): string {
  return place.kind === 'destination'
    ? `reached ${referenceInSentence(place.destination)}`
    : `still waits in ${quoted(place.menu ?? '')}`;
}

function characterName(character: string): string {
  return /\s/u.test(character) ? 'a space' : `“${character}”`;
}

function start(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Why an action on a draft was refused. */
export function draftRefusalText(reason: DraftRefusalReason): string {
  switch (reason.code) {
    case 'draft_unknown':
      return 'There is no draft with this id. It may have been deleted; menus published from it stay.';
    case 'draft_never_existed':
      return 'There never was a draft with this id.';
    case 'saved_since':
      return (
        `This draft was saved since, as revision ${reason.current} (${reason.saved_at}), by another window or program; ` +
        `this is revision ${reason.revision}. Nothing was changed and nothing is lost: read the current revision, or ` +
        'keep this one as a separate draft.'
      );
    case 'revision_unknown':
      return (
        `The current revision of this draft is ${reason.current}; there is no revision ${reason.revision} yet. Nothing was ` +
        'changed and nothing is lost: read the draft again.'
      );
    case 'published_since':
      return (
        `Menu ${quoted(reason.menu)} was published since, as version ${reason.version} (${reason.published_at}), from draft ` +
        `“${reason.draft.name}” (${reason.draft.id}). This draft was made from ` +
        `${reason.made_from === 0 ? 'an older version' : `version ${reason.made_from}`} and would replace it. Nothing was changed. Make your ` +
        'changes in that draft and publish it, or delete that draft to publish this one instead.'
      );
    case 'publishing_already':
      return 'This draft is already being published. Wait until that ends; nothing was sent.';
  }
}

/** How many scenarios pass, above their list. */
export function scenarioTally({
  count,
  failing,
  canRun,
}: {
  readonly count: number;
  readonly failing: number;
  /** Whether the call flow has no errors that keep it from being called. */
  readonly canRun: boolean;
}): string {
  if (count === 0) return 'No scenarios yet.';
  if (!canRun) return 'Scenarios cannot run until the call flow is complete and has no errors.';
  if (failing > 0) return `${failing} of ${count} scenarios ${failing === 1 ? 'fails' : 'fail'}.`;
  return count === 1 ? 'The scenario passes.' : `All ${count} scenarios pass.`;
}
