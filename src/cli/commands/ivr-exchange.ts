import type { KnownIds } from '../../contract/menu/ivr-reference.ts';
import { defaultSettings } from '../../contract/service/settings.ts';
import type { OutsideRules } from '../../contract/calls/outside-calls.ts';
import { defaultDestinationRules, type DestinationRules } from '../../contract/calls/pbx.ts';
import { flowOfStored, withStoredMenus } from '../../core/calls/flow-of-stored.ts';
import { bodyExport } from '../../core/ivr/body/menu-body.ts';
import type { IvrProblem } from '../../contract/menu/ivr-problem.ts';
import { prove } from '../../core/ivr/prove/prove.ts';
import { compileDraft } from '../../core/ivr/compile/compile-draft.ts';
import { documentExport } from '../../core/ivr/document-file.ts';
import { asteriskArchive, flowSounds, knownRecordings } from '../../core/ivr/export/asterisk-archive.ts';
import { asteriskDialplan } from '../../core/ivr/export/asterisk-dialplan.ts';
import { entryName } from '../../core/ivr/export/dialplan-names.ts';
import { freeswitchLacks, freeswitchMenus } from '../../core/ivr/export/freeswitch-menus.ts';
import { outsideRules } from '../../core/ivr/outside-number.ts';
import { graphvizPicture } from '../../core/ivr/export/graphviz-picture.ts';
import { svgPicture } from '../../core/ivr/export/svg-picture.ts';
import type { Flow } from '../../core/ivr/flow.ts';
import { speakTextAs, spokenTextOf } from '../../core/speech/spoken-recording.ts';
import { readImport } from '../../core/ivr/import/read-import.ts';
import { asteriskReadme, exportText, freeswitchLackLines } from '../../text/menu/flow-export.ts';
import { promptTitle } from '../../text/menu/recordings-text.ts';
import { pictureLabels } from '../../text/menu/phone-menu.ts';
import { ivrHelp, ivrProblemLines, ivrText, warningLine } from '../../text/cli/cli-ivr.ts';
import { fieldErrorLines, inputProblem, optionHelp } from '../../text/cli/cli.ts';
import { importErrors, importWarnings } from '../../text/menu/flow-import.ts';
import { customCommand, routeCommand } from '../command-table.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { importLimitBytes, type IvrSource, readIvrSource } from '../ivr-source.ts';
import { openPortal } from '../open-portal.ts';
import { readFileText } from '../read-file-bytes.ts';
import { audioForTelephones } from '../audio-for-telephones.ts';
import { printDocument, refuseTerminal, say } from '../terminal.ts';

type Exporter = (source: IvrSource, options: ExportOptions) => Exported | Promise<Exported>;
type Exported = string | Uint8Array;
type ExportOptions = GlobalOptions & { readonly pbx?: string };

const exporters: Readonly<Record<string, Exporter>> = {
  body: ({ document, idOf }) => bodyExport(document, idOf),
  document: ({ document, beside }) => documentExport(document, beside.schedules),
  asterisk: async (source, options) =>
    asteriskDialplan(flowOf(source), entryName(source.identity), {
      rules: await rulesFor(source, options),
      recordings: await recordingsOf(source),
      outside: await outsideFor(source, options),
    }),
  'asterisk-zip': asteriskZip,
  freeswitch: async (source, options) => {
    const flow = flowOf(source);
    const lacks = freeswitchLackLines(freeswitchLacks(flow));
    if (lacks.length > 0) throw new CommandFailure(exitCodes.failed, [ivrText.notExported, ...lacks]);
    return freeswitchMenus(flow, entryName(source.identity), {
      recordings: await recordingsOf(source),
      outside: await outsideFor(source, options),
    });
  },
  graphviz: ({ document }) => graphvizPicture(document, pictureLabels),
  svg: ({ document }) => svgPicture(document, pictureLabels),
};

export const ivrExportCommand = customCommand({
  help: ivrHelp.export,
  arguments: { '<source>': ivrHelp.source },
  options: {
    '--to <form>': { help: ivrHelp.export.to, choices: Object.keys(exporters), isRequired: true },
    '--pbx <name>': ivrHelp.export.pbx,
  },
  json: false,
  async run({ source, to, ...options }) {
    const exporter = exporters[to];
    if (to === 'asterisk-zip') refuseTerminal(ivrText.archive);
    if (exporter !== undefined) printDocument(await exporter(await readIvrSource(options, source), options));
  },
});

/** Makes a draft of a file. */
export const ivrImportCommand = routeCommand({
  help: ivrHelp.import,
  arguments: { '<file>': optionHelp.inputFile },
  async prepare({ file }) {
    const imported = readImport(await readFileText(file, importLimitBytes));
    if (imported.ok) return imported.value;
    const lines = fieldErrorLines(importErrors(imported.refusal), inputProblem.file);
    throw new CommandFailure(exitCodes.failed, [ivrText.notImported, ...lines]);
  },
  async call(portal, _input, { document, warnings }) {
    const { id, revision } = await portal.ask('createDraft', { body: { document } });
    return { id, revision, name: document.name, warnings: importWarnings(warnings) };
  },
  lines: ({ id }) => [id],
  words: ({ name, warnings }) => [ivrText.imported(name), ...warnings.map(warningLine)],
});

/** What callers meet, with everything stored that they can come to. Throws a failure that lists the errors. */
function flowOf({ document, identity, stored, beside, isStored }: IvrSource): Flow {
  // A stored menu as a live call has it. A draft has the same identity once it is published, and may have been changed since.
  const own = isStored ? flowOfStored(stored, identity.id, beside) : null;
  if (own !== null) return own;
  const compiled = compileDraft(document, beside);
  // A telephone system would follow opening hours that only lead to each other for as long as the caller waits.
  const problems = compiled.ok ? prove(compiled.value, null).filter(isEndless) : compiled.refusal;
  if (compiled.ok && problems.length === 0) return withStoredMenus(compiled.value, stored, beside);
  throw new CommandFailure(exitCodes.failed, [ivrText.notExported, ...ivrProblemLines(problems)]);
}

function isEndless({ code }: IvrProblem): boolean {
  return code === 'circle_unheard';
}

/** Of the telephone system that is named, or of the only one; those of FreePBX where none is known. */
async function rulesFor({ portal }: IvrSource, options: ExportOptions): Promise<DestinationRules> {
  if (portal === null && options.pbx === undefined) return defaultDestinationRules;
  const { pbxs } = await (portal ?? openPortal(options)).ask('listPbxs');
  if (options.pbx !== undefined) {
    const named = pbxs.find(({ name }) => name === options.pbx);
    if (named === undefined) throw new CommandFailure(exitCodes.failed, ivrText.noSuchPbx(options.pbx));
    return named.destinations;
  }
  const [first, ...others] = pbxs.map(({ destinations }) => destinations);
  if (first === undefined) return defaultDestinationRules;
  if (others.every((rules) => JSON.stringify(rules) === JSON.stringify(first))) return first;
  throw wrongUsage(ivrText.choosePbx(pbxs.map(({ name }) => name)));
}

/** As the settings of the service say; a file that is read without the service leads to no outside number. */
async function outsideFor({ portal }: IvrSource, options: ExportOptions): Promise<OutsideRules> {
  if (portal === null && options.pbx === undefined) return outsideRules(defaultSettings);
  return outsideRules(await (portal ?? openPortal(options)).ask('readSettings'));
}

/** The recordings that are stored where the call flow is; null for a file, which is read without the service. */
async function recordingsOf({ portal }: IvrSource): Promise<KnownIds | null> {
  if (portal === null) return null;
  return knownRecordings((await portal.ask('listRecordings')).recordings);
}

/** The dialplan with its audio, as the window saves it. Says on stderr how many files there are, and which are missing. */
async function asteriskZip(source: IvrSource, options: ExportOptions): Promise<Uint8Array> {
  const { portal, document, identity } = source;
  const flow = flowOf(source);
  const rules = await rulesFor(source, options);
  const recordings = portal === null ? [] : (await portal.ask('listRecordings')).recordings;
  const usual = portal === null ? defaultSettings : await portal.ask('readSettings');
  const { prompts, sounds } = flowSounds(flow, recordings, usual);
  const audio = new Map<string, Uint8Array>();
  for (const { name, prompt, recording, spokenAs } of portal === null ? [] : prompts) {
    const text = spokenTextOf(prompt);
    const asked = text === null ? null : speakTextAs(text, spokenAs);
    const file = await audioForTelephones(options, recording, asked);
    if (file !== null) audio.set(name, file);
  }
  const named = prompts.map((one) => ({ ...one, title: promptTitle(one.prompt, recordings) }));
  const missing = named.filter(({ name }) => !audio.has(name));
  say(exportText.audio(audio.size, missing.length));
  for (const { name, title } of missing) say(exportText.missing(name, title));

  const entry = entryName(identity);
  const readme = asteriskReadme({ drawing: document.name, entry, prompts: named, audio, sounds });
  const known = portal === null ? null : knownRecordings(recordings);
  const outside = await outsideFor(source, options);
  return asteriskArchive({ flow, entry, rules, recordings: known, outside, readme }, audio);
}
