import type { PublishExchange } from '../../contract/menu/ivr-draft.ts';
import { IvrCreated } from '../../contract/menu/ivr.ts';
import {
  draftHelp,
  draftListHead,
  draftRows,
  draftText,
  isPublishedText,
  publishedWithText,
  versionListHead,
  warningLines,
} from '../../text/cli/cli-ivr.ts';
import { type CommandGroup, routeCommand } from '../command-table.ts';
import { localTime } from '../../text/time.ts';

export const draftCommands: CommandGroup = {
  help: draftHelp,
  commands: {
    list: routeCommand({
      help: draftHelp.list,
      call: (portal) => portal.ask('listDrafts'),
      rows: ({ drafts }) =>
        drafts.map((one) => [
          one.id,
          String(one.revision),
          localTime(one.updated_at),
          String(one.menus),
          String(one.scenarios),
          String(one.errors),
          String(one.warnings),
          isPublishedText(one.publications),
          one.name,
        ]),
      head: draftListHead,
      none: draftText.none,
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
