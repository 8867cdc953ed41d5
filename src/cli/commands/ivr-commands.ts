import { setTimeout } from 'node:timers/promises';
import {
  draftHelp,
  draftRows,
  draftText,
  ivrHelp,
  ivrRows,
  ivrText,
  publishedWithText,
  speakAllText,
  spokenListHead,
  spokenNotes,
  spokenRow,
  versionListHead,
  warningLines,
} from '../../text/cli/cli-ivr.ts';
import { fieldErrorLines, inputProblem, optionHelp } from '../../text/cli/cli.ts';
import { localTime } from '../../text/time.ts';
import type { PublishExchange } from '../../contract/menu/ivr-draft.ts';
import { IvrCreated } from '../../contract/menu/ivr.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { type CommandGroup, routeCommand } from '../command-table.ts';
import { readings } from '../readings.ts';
import { readIvrFile } from '../ivr-source.ts';
import { ivrSimulateCommand, ivrValidateCommand } from './ivr-check.ts';
import { ivrExportCommand, ivrImportCommand } from './ivr-exchange.ts';
import { ringCommand } from './pbx-commands.ts';

/** How often it is asked how far the service is, in milliseconds. */
const lookEveryMs = 500;

const draftCommands: CommandGroup = {
  help: draftHelp,
  commands: {
    list: routeCommand({
      help: draftHelp.list,
      ...readings['ivr/draft/list'],
    }),
    show: routeCommand({
      help: draftHelp.show,
      arguments: { '<id>': draftHelp.id },
      call: (portal, { id }) => portal.ask('readDraft', { params: { id } }),
      rows: draftRows,
    }),
    versions: routeCommand({
      help: draftHelp.versions,
      arguments: { '<id>': draftHelp.versions.id },
      call: (portal, { id }) => portal.ask('draftVersions', { params: { id } }),
      rows: ({ versions }) =>
        versions.map(({ version, revision, published_at, credential, base_url, menus }) => [
          String(version),
          String(revision),
          localTime(published_at),
          publishedWithText(credential),
          base_url,
          Object.values(menus).join(' '),
        ]),
      head: versionListHead,
      none: ({ id }) => draftText.noVersions(id),
    }),
    publish: routeCommand({
      help: draftHelp.publish,
      arguments: { '<id>': draftHelp.id },
      options: { '--credential <name>': draftHelp.publish.credential },
      async call(portal, { id, credential = null }) {
        // Publishes what is stored now; if it is saved in between, the service refuses.
        const { revision } = await portal.ask('readDraft', { params: { id } });
        return portal.ask('publishDraft', { params: { id }, body: { revision, credential } });
      },
      lines: ({ exchanges }) => exchanges.map(draftText.exchange),
      failure: ({ outcome, message }) => (outcome === 'published' ? null : [message]),
      words: ({ exchanges, message }) => [...publishWarnings(exchanges), message],
    }),
    delete: routeCommand({
      help: draftHelp.delete,
      arguments: { '<id>': draftHelp.id },
      json: false,
      call: (portal, { id }) => portal.ask('deleteDraft', { params: { id } }),
      words: ({ id }) => draftText.deleted(id),
    }),
  },
};

export const ivrCommands: CommandGroup = {
  help: ivrHelp,
  commands: {
    create: routeCommand({
      help: ivrHelp.create,
      arguments: { '<file>': optionHelp.inputFile },
      async prepare({ file }) {
        const read = await readIvrFile(file);
        if (read.kind === 'body') return read.body;
        if (read.kind === 'document') throw new CommandFailure(exitCodes.failed, ivrText.notOneMenu(file));
        const lines = fieldErrorLines(read.errors, inputProblem.file);
        throw new CommandFailure(exitCodes.failed, [ivrText.unreadableMenu, ...lines]);
      },
      call: (portal, _input, body) => portal.ask('portalCreateIvr', { body }),
      lines: ({ id }) => [id],
      words: ({ Message, warnings }) => [Message, ...warningLines(warnings)],
    }),
    list: routeCommand({
      help: ivrHelp.list,
      ...readings['ivr/list'],
    }),
    show: routeCommand({
      help: ivrHelp.show,
      arguments: { '<id>': ivrHelp.id },
      call: (portal, { id }) => portal.ask('portalReadIvr', { params: { id } }),
      rows: ivrRows,
    }),
    validate: ivrValidateCommand,
    simulate: ivrSimulateCommand,
    speak: routeCommand({
      help: ivrHelp.speak,
      arguments: { '<id>': ivrHelp.id },
      options: { '--check': ivrHelp.speak.check },
      async call(portal, { id, check = false }) {
        const { prompts } = await portal.ask('speakIvr', { params: { id }, body: { check } });
        const { language } = await portal.ask('listVoices');
        return { prompts, language };
      },
      asJson: ({ prompts }) => ({ prompts }),
      rows: ({ prompts }) => prompts.map(spokenRow),
      head: spokenListHead,
      none: ivrText.noTexts,
      words: ({ prompts, language }) =>
        prompts.length === 0
          ? []
          : [
              ivrText.allSpoken(prompts.filter(({ made }) => made).length, prompts.length),
              ...spokenNotes(prompts, language),
            ],
      failure: ({ prompts, language }) =>
        prompts.every(({ state }) => state === 'spoken')
          ? null
          : [...ivrText.notSpoken(prompts), ...spokenNotes(prompts, language)],
    }),
    'speak-all': routeCommand({
      help: ivrHelp.speakAll,
      options: {
        '--changed': ivrHelp.speakAll.changed,
        '--check': { help: ivrHelp.speakAll.check, conflicts: ['stop'] },
        '--stop': ivrHelp.speakAll.stop,
      },
      async call(portal, { changed = false, check = false, stop = false }) {
        if (check) return portal.ask('readSpeech');
        if (stop) return portal.ask('stopSpeakingAll', {});
        const what = changed ? 'changed' : 'missing';
        let status = await portal.ask('speakAll', { body: { what } });
        for (;;) {
          while (status.job?.status === 'running') {
            await setTimeout(lookEveryMs);
            status = await portal.ask('readSpeech', { query: { failures: 'first' } });
          }
          if (status.job !== null && status.job.failed > status.job.failures.length)
            status = await portal.ask('readSpeech');
          // Another one may have begun it, for less.
          if (!changed || status.job?.status !== 'done' || status.job.what === what) return status;
          status = await portal.ask('speakAll', { body: { what } });
        }
      },
      rows: ({ job }, { check = false, stop = false }) =>
        check || stop ? [] : (job?.failures ?? []).map(speakAllText.failureRow),
      head: speakAllText.head,
      words: ({ job, ...left }, { check = false, stop = false }) => {
        if (check) return speakAllText.left({ job, ...left });
        if (job === null) return speakAllText.notRunning;
        if (stop) return speakAllText.stopped;
        return job.total === 0 ? speakAllText.none : speakAllText.done(job);
      },
      failure: (status, { check = false, stop = false }) => {
        const { job, missing, changed } = status;
        if (check) return missing + changed === 0 ? null : [speakAllText.left(status)];
        if (stop || job === null) return null;
        return job.status === 'done' && job.failed === 0 ? null : [speakAllText.failed(job)];
      },
    }),
    import: ivrImportCommand,
    export: ivrExportCommand,
    delete: routeCommand({
      help: ivrHelp.delete,
      arguments: { '<id>': ivrHelp.id },
      call: (portal, { id }) => portal.ask('portalDeleteIvr', { params: { id } }),
      words: ({ Message }) => Message,
    }),
    ring: ringCommand,
    draft: draftCommands,
  },
};

const WithWarnings = IvrCreated.pick({ warnings: true });

/** What the service says about each menu in its last reply: while others are not created yet, it does not know their ids. */
function publishWarnings(exchanges: readonly PublishExchange[]): string[] {
  const last = new Map<string, string[]>();
  for (const { menu, name, reply } of exchanges) {
    const read = WithWarnings.safeParse(reply);
    if (read.success) last.set(menu, warningLines(read.data.warnings, name));
  }
  return [...last.values()].flat();
}
