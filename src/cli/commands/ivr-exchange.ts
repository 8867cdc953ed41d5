import type { KnownIds } from '../../contract/menu/ivr-reference.ts';
import { defaultSettings } from '../../contract/service/settings.ts';
import { defaultDestinationRules, type DestinationRules } from '../../contract/calls/pbx.ts';
import { flowOfStored, withStoredMenus } from '../../core/calls/flow-of-stored.ts';
import { bodyExport } from '../../core/ivr/body/menu-body.ts';
import { compileDraft } from '../../core/ivr/compile/compile-draft.ts';
import { documentExport } from '../../core/ivr/document-file.ts';
import { asteriskArchive, flowSounds, knownRecordings } from '../../core/ivr/export/asterisk-archive.ts';
import { asteriskDialplan } from '../../core/ivr/export/asterisk-dialplan.ts';
import { entryName } from '../../core/ivr/export/dialplan-names.ts';
import { freeswitchMenus } from '../../core/ivr/export/freeswitch-menus.ts';
import { graphvizPicture } from '../../core/ivr/export/graphviz-picture.ts';
import { svgPicture } from '../../core/ivr/export/svg-picture.ts';
import type { Flow } from '../../core/ivr/flow.ts';
import { spokenTextOf } from '../../core/speech/spoken-recording.ts';
import { readImport } from '../../core/ivr/import/read-import.ts';
import { asteriskReadme, exportText } from '../../text/menu/flow-export.ts';
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
  document: ({ document }) => documentExport(document),
  asterisk: async (source, options) =>
    asteriskDialplan(flowOf(source), entryName(source.identity), {
      rules: await rulesFor(source, options),
      recordings: await recordingsOf(source),
    }),
  'asterisk-zip': asteriskZip,
  freeswitch: async (source) =>
    freeswitchMenus(flowOf(source), entryName(source.identity), await recordingsOf(source)),
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

/** What callers meet, with every stored menu that they can come to. Throws a failure that lists the errors. */
function flowOf({ document, identity, stored, isStored }: IvrSource): Flow {
  // A stored menu as a live call has it. A draft has the same identity once it is published, and may have been changed since.
  const own = isStored ? flowOfStored(stored, identity.id) : null;
  if (own !== null) return own;
  const compiled = compileDraft(document);
  if (compiled.ok) return withStoredMenus(compiled.value, stored);
  const lines = [ivrText.notExported, ...ivrProblemLines(compiled.refusal)];
  throw new CommandFailure(exitCodes.failed, lines);
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
  const spokenAs = portal === null ? defaultSettings : await portal.ask('readSettings');
  const { prompts, sounds } = flowSounds(flow, recordings, spokenAs);
  const audio = new Map<string, Uint8Array>();
  for (const { name, prompt, recording } of portal === null ? [] : prompts) {
    const file = await audioForTelephones(options, recording, spokenTextOf(prompt));
    if (file !== null) audio.set(name, file);
  }
  const named = prompts.map((one) => ({ ...one, title: promptTitle(one.prompt, recordings) }));
  const missing = named.filter(({ name }) => !audio.has(name));
  say(exportText.audio(audio.size, missing.length));
  for (const { name, title } of missing) say(exportText.missing(name, title));

  const entry = entryName(identity);
  const readme = asteriskReadme({ drawing: document.name, entry, prompts: named, audio, sounds });
  const known = portal === null ? null : knownRecordings(recordings);
  return asteriskArchive({ flow, entry, rules, recordings: known, readme }, audio);
}
