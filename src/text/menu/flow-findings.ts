import type { CallPort } from '../../contract/menu/ivr-call.ts';
import type {
  BodyField,
  IvrProblem,
  IvrProblemCode,
  IvrProblemParams,
  PatternFault,
  ScenarioPlace,
} from '../../contract/menu/ivr-problem.ts';
import { readReference } from '../../contract/menu/ivr-reference.ts';
import { ivrBounds, type IvrWarning } from '../../contract/menu/ivr.ts';
import { isFitForName } from '../../contract/shapes.ts';
import { languageName, shownLetters, speechProblemText } from './speech-text.ts';
import { countWords } from '../count.ts';
import {
  blockingText,
  hoursPortNames,
  kindInSentence,
  menuFieldNames,
  quoted,
  referenceInSentence,
} from './phone-menu.ts';

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
  field_open: (params) => {
    switch (params.of) {
      case 'menu':
        return missingField[params.field](quoted(params.menu));
      case 'destination':
        return `Choose which ${kindInSentence(params.type)} calls are led to here.`;
      case 'hours':
        return 'Choose the opening hours that are asked here.';
      case 'message':
        return `Choose what the message ${messageName(params.message)} plays.`;
      case 'numbers':
        return `Name the numbers that callers of ${quoted(params.menu)} may dial, or let them press keys only.`;
    }
  },
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
      case 'message':
        return `What the message ${messageName(params.message)} plays: ${fieldLimit({ field: 'recording', value: params.value })}`;
      case 'message_name':
        return `The name of the message: ${limitText.tooLong(params.message.length, params.longest)}`;
      case 'pattern':
        return `Callers of ${quoted(params.menu)} may not dial “${params.pattern}”: ${patternFaults[params.why]}`;
    }
  },
  no_start: ({ first }) => `No menu is chosen for the start of a call. ${connectCaller(first)}`,
  no_keys: ({ menu }) => `${start(quoted(menu))} has no keys. Add at least one that a caller can press.`,
  key_not_allowed: ({ menu, key }) =>
    key === ''
      ? `Choose the key: ${quoted(menu)} has one that is not set. It must be one of 0-9, * or #, or 2 to 4 digits.`
      : `“${key}” in ${quoted(menu)} is not a telephone key. It must be one of 0-9, * or #, or 2 to 4 digits such as 10, of which the first may be *.`,
  key_twice: ({ menu, key }) => `Key ${key} is in ${quoted(menu)} twice. Change or remove one of them.`,
  destination_open: ({ menu, way }) => `${start(wayOf(way, menu))} has no destination. ${connectWay(way)}`,
  node_unknown: (params) =>
    params.from === 'caller'
      ? `The menu that a call starts with no longer exists. ${connectCaller(params.first)}`
      : `${start(wayOf(params.way, params.menu))} leads to something that no longer exists. ${connectWay(params.way)}`,
  unreachable: ({ kind, node }) =>
    `No call can reach ${unreachedName(kind, node)}. Choose it as a destination, or remove it.`,
  no_way_out: ({ menu, kind }) => {
    if (kind === 'hours')
      return `Callers who reach ${hoursName(menu)} can never leave the menus. Lead one of their exits to a destination.`;
    if (kind === 'message')
      return `Callers who reach the message ${messageName(menu)} can never leave the menus. Lead it to a destination.`;
    return `Callers who reach ${quoted(menu)} can never leave the menus. Lead a key, the wrong key or the timeout to a destination.`;
  },
  circle_unheard: ({ hours }) =>
    `These opening hours only lead to each other, so a call never gets on: ${hours.map(hoursName).join(' → ')}. Lead one of them to a menu, a message or a destination.`,
  message_to_itself: ({ message }) =>
    `The message ${messageName(message)} leads to itself, so its callers hear it forever. Lead it to a menu or a destination.`,
  schedule_unknown: ({ schedule }) =>
    `The opening hours ${schedule} are not stored here any more. Choose others.`,
  hours_never: ({ hours, state }) =>
    `${start(hoursName(hours))} are never ${state}: callers are led by “${state}” only while that is set by hand. Add ${state === 'open' ? 'hours' : 'a time without hours'}, or remove these opening hours.`,
  key_waits: ({ menu, key, longer, seconds }) =>
    `Key ${key} of ${quoted(menu)} waits ${seconds} s for another digit, because ${longer} begins with ${key}. Callers can end it with #. Choose another key to lead on at once.`,
  number_is_key: ({ menu, key }) =>
    `${key} is a key of ${quoted(menu)} and a number that its callers may dial: they reach what the key leads to. Choose another key.`,
  numbers_by_pattern: ({ menu, patterns, numbers, unlisted }) =>
    `Callers of ${quoted(menu)} can dial ${patterns.join(', ')}, which is ${countWords(numbers, 'number')}${unlisted === null ? '' : `, ${unlisted.toLocaleString()} of them not in the directory`}. Make sure that none of them makes a call that costs money, or let callers dial the directory only.`,
  numbers_not_dialled: ({ menu, numbers, count, all }) => {
    if (count === 0)
      return `Callers of ${quoted(menu)} can dial nothing: the directory has no extensions. Add them to the directory.`;
    const which = `${numbers.join(', ')}${count > numbers.length ? ` and ${(count - numbers.length).toLocaleString()} more` : ''}`;
    return `Callers of ${quoted(menu)} cannot dial ${which} of the directory${all ? ', and there is no other' : ''}: only numbers of 1 to 6 digits that do not begin with 0 can be dialled, so that no call leaves the telephone system.`;
  },
  not_elsewhere: (finding) => {
    const { what, name } = finding;
    if (what === 'reference') return referenceNotElsewhere(finding);
    switch (what) {
      case 'hours':
        return `Another service cannot have ${hoursName(name)}. Use a time condition of that service as a destination, or publish here.`;
      case 'message':
        return `Another service cannot have the message ${messageName(name)}. Use an announcement of that service as a destination, or publish here.`;
      case 'direct_dial':
        return `Another service cannot let callers of ${quoted(name)} dial numbers. Give each extension a key, or publish here.`;
      case 'long_key':
        return `Another service cannot have key ${finding.key ?? ''} of ${quoted(name)}, which has several digits. Choose a single key, or publish here.`;
      case 'start':
        return 'Calls cannot begin at opening hours or a message in another service. Let them begin in a menu, or publish here.';
    }
  },
  endless_without_key: ({ menus: [first, ...others], way }) => {
    const loop =
      others.length === 0
        ? `${quoted(first)} repeats forever`
        : `they go ${[first, ...others, first].map(quoted).join(' → ')} and so on`;
    return `Callers who press none of the keys never get out: ${loop}. Lead ${wayOf({ kind: way }, first)} out of this loop.`;
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
    switch (why.code) {
      case 'not_international':
        return `${place} is not called: an outside number is written as + with country code and number, such as +4930123456.${
          why.suggested === null ? '' : ` Write ${why.suggested}.`
        }`;
      case 'no_countries':
        return `${place} is not called: the settings allow no calls to outside numbers. Add its country under Settings > Phone menus, or lead callers elsewhere.`;
      case 'other_country':
        return why.country === null
          ? `${place} is not called: no country has this calling code. Correct the number, or lead callers elsewhere.`
          : `${place} is not called: the settings do not allow its country, ${countryName(why.country)}. Add ${why.country} under Settings > Phone menus, or lead callers elsewhere.`;
      case 'costly_number':
        return `${place} is not called: numbers like this cost more than usual calls (${countryName(why.country)}). Enter another number.`;
      case 'no_such_number':
        return `${place} is not called: it is too long or too short for its country, ${countryName(why.country)}. Correct the number.`;
      case 'character':
        break;
    }
    const reason = `${place} cannot be called: it contains ${characterName(why.character)}.`;
    return why.suggested === null
      ? `${reason} A telephone system takes letters, digits and * # + - _ only. Choose another, or enter the number that is dialled.`
      : `${reason} Write ${why.suggested}.`;
  },
  looks_outside: ({ type, id }) =>
    `${start(kindInSentence(type))} ${id} looks like an outside number, and the settings for outside numbers do not limit its calls. Choose an outside number instead, or ignore this if it is not one.`,
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
  sound_unknown: ({ menu, sound, pbx }) =>
    `The telephone system ${quoted(pbx)} has no sound ${quoted(sound)}, which ${quoted(menu)} plays: callers hear nothing. Choose another, or add it there.`,
  prompt_unspoken: ({ menu, text, problem }) =>
    `${willNotHear(menu, quoted(shortened(text)))} ${speechProblemText(problem)}`,
  letters_unspoken: ({ menu, letters, language }) =>
    `${willNotHear(menu, shownLetters(letters))} The voice for ${languageName(language)} cannot read these letters. Record the prompt, or choose a voice of its language in the settings.`,
  extension_unknown: ({ extension }) =>
    `Extension ${extension} is not in the list of extensions. Add it, choose another, ${orIgnore}`,
  menu_unknown: ({ menu_id: id }) =>
    `Menu ${id} is not stored here, and its callers would go to the fallback. Choose another, or ignore this if you publish where it is stored.`,
  part_unknown: ({ kind, id }) =>
    `${kind === 'hours' ? 'Opening hours' : 'Message'} ${id} are not part of a call flow that is published here, and callers would go to the fallback. Choose others, or publish the call flow that has them.`,
  sms_template_unknown: ({ menu, key, template }) =>
    `SMS template ${template}, which ${keyName(key)} of ${quoted(menu)} sends, is not in the list of SMS templates. Add it, choose another, ${orIgnore}`,
  sms_setting_off: ({ menu }) =>
    `${start(quoted(menu))} sends SMS templates, but they are turned off, so this service leaves them out. Turn on sms_templates_enabled to send them.`,
  scenario_failed: ({ scenario, expected, came }) =>
    `Scenario “${scenario}” fails: expected ${expectedPlace(expected)}, but the call ${callEnd(came)}. Change the flow or what the scenario expects.`,
};

/** A country by its ISO 3166 code, in a sentence. */
function countryName(code: string): string {
  return new Intl.DisplayNames(['en'], { type: 'region' }).of(code) ?? code;
}

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
  sound:
    'Enter the name of a sound of the telephone system, such as custom/welcome: letters, digits and _ . + - within its sounds folder.',
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
      if (prompt?.type === 'sound') return limitText.sound;
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

/** An outcome of a menu, of opening hours or of a message with this name. */
function wayOf(way: CallPort, name: string): string {
  switch (way.kind) {
    case 'key':
      return `${keyName(way.key)} of ${quoted(name)}`;
    case 'number':
      return `number ${way.number} of ${quoted(name)}`;
    case 'wrong_key':
      return `the wrong key of ${quoted(name)}`;
    case 'silence':
      return `the timeout of ${quoted(name)}`;
    case 'open':
    case 'closed':
    case 'holiday':
      return `“${hoursPortNames[way.kind]}” of ${hoursName(name)}`;
    case 'then':
      return `the end of the message ${messageName(name)}`;
  }
}

function hoursName(name: string): string {
  return name.trim() === '' ? 'the opening hours' : `the opening hours ${quoted(name)}`;
}

function messageName(name: string): string {
  return name.trim() === '' ? 'without a name' : quoted(name);
}

function unreachedName(kind: IvrProblemParams['unreachable']['kind'], node: string): string {
  switch (kind) {
    case 'menu':
      return quoted(node);
    case 'message':
      return `the message ${messageName(node)}`;
    case 'hours':
      return hoursName(node);
    case 'destination':
      return referenceInSentence(node);
  }
}

const patternFaults: Readonly<Record<PatternFault, string>> = {
  empty: 'write a number, or a pattern such as 1XX.',
  character: 'only digits and X (0-9), Z (1-9) and N (2-9) are allowed.',
  first:
    'a number that begins with 0, * or any digit could leave the telephone system. Begin with a digit from 1, with Z or with N.',
  too_long: 'a number has at most 6 digits, so that no call leaves the telephone system.',
  service: 'it is an emergency or service number.',
};

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
  if (/\s/u.test(character)) return 'a space';
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return /\p{Default_Ignorable_Code_Point}/u.test(character)
    ? `an invisible character (U+${code})`
    : `“${character}”`;
}

function start(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
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

function referenceNotElsewhere({
  name,
  reference,
}: {
  readonly name: string;
  readonly reference: string;
}): string {
  const { type } = readReference(reference) ?? { type: '' };
  const way =
    type === 'sound'
      ? 'Upload it there and choose the recording, or publish to this service.'
      : 'Lead callers to an extension or a department of that service, or publish to this service.';
  return `Another service cannot have ${referenceInSentence(reference)}, which is in ${quoted(name)}. ${way}`;
}
