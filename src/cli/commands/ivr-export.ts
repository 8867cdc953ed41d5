import { type Command, Option } from 'commander';
import type { IvrDocument } from '../../contract/ivr-draft.ts';
import type { KnownIds } from '../../contract/ivr-reference.ts';
import { bodyExport } from '../../core/ivr/body/menu-body.ts';
import { compileDraft } from '../../core/ivr/compile/compile-draft.ts';
import { documentExport } from '../../core/ivr/document-file.ts';
import { asteriskDialplan } from '../../core/ivr/export/asterisk-dialplan.ts';
import { freeswitchMenus } from '../../core/ivr/export/freeswitch-menus.ts';
import { graphvizPicture } from '../../core/ivr/export/graphviz-picture.ts';
import { svgPicture } from '../../core/ivr/export/svg-picture.ts';
import type { Flow } from '../../core/ivr/flow.ts';
import { pictureLabels } from '../../text/phone-menu.ts';
import { ivrHelp, ivrProblemLines, ivrText } from '../../text/cli-ivr.ts';
import { addCommand } from '../add-command.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { readIvrSource, readKnownRecordings } from '../ivr-source.ts';
import { printDocument } from '../terminal.ts';

const exporters = {
  body: (document: IvrDocument) => bodyExport(document),
  document: documentExport,
  asterisk: (document: IvrDocument, recordings: KnownIds | null) =>
    asteriskDialplan(flowOf(document), document.name, recordings),
  freeswitch: (document: IvrDocument, recordings: KnownIds | null) =>
    freeswitchMenus(flowOf(document), document.name, recordings),
  graphviz: (document: IvrDocument) => graphvizPicture(document, pictureLabels),
  svg: (document: IvrDocument) => svgPicture(document, pictureLabels),
} as const;

type ExportOptions = GlobalOptions & { readonly to: keyof typeof exporters };

export function ivrExportCommand(ivr: Command): void {
  addCommand(ivr, 'export', ivrHelp.export)
    .argument('<source>', ivrHelp.export.source)
    .addOption(
      new Option('--to <form>', ivrHelp.export.to).choices(Object.keys(exporters)).makeOptionMandatory(),
    )
    .action(async (source: string, _options, command: Command) => {
      const options = command.optsWithGlobals<ExportOptions>();
      const document = await readIvrSource(options, source);
      const isDialplan = options.to === 'asterisk' || options.to === 'freeswitch';
      const recordings = isDialplan ? await readKnownRecordings(options, source) : null;
      printDocument(exporters[options.to](document, recordings));
    });
}

/** A telephone system runs complete menus only; throws a failure that lists the errors. */
function flowOf(document: IvrDocument): Flow {
  const compiled = compileDraft(document);
  if (compiled.ok) return compiled.value;
  const lines = [ivrText.notExported, ...ivrProblemLines(compiled.refusal)];
  throw new CommandFailure(exitCodes.failed, lines);
}
