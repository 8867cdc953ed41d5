import type { FastifyInstance, FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { backupPassphraseHeader } from '../../contract/address.ts';
import { NewBackup } from '../../contract/service/backup.ts';
import { fieldProblemsOf } from '../../contract/field-problem.ts';
import { backupDownload } from '../../contract/downloads.ts';
import { backupText } from '../../text/service/backup-text.ts';
import { addRoute } from '../http/add-route.ts';
import { refuse } from '../http/refuse.ts';
import type { ServiceContext } from '../service-context.ts';

/** `/portal/backup` and `/portal/restore*`: everything as one encrypted file. */
export function addBackupRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { backups, sessions } = context;

  app.route({
    method: backupDownload.method,
    url: backupDownload.path,
    config: { family: backupDownload.family },
    onRequest: sessions.guard,
    handler: async (request, reply) => {
      const body = NewBackup.safeParse(request.body);
      if (!body.success)
        return refuse(reply, 'bad_request', { errors: fieldProblemsOf(body.error, request.body) });
      if (backups === null) return refuse(reply, 'conflict', { message: backupText.ofTeam });
      // The journal is read first, and nothing is sent meanwhile.
      reply.raw.setTimeout(0);
      const written = await backups.write(body.data.passphrase);
      if (!written.ok) return refuse(reply, 'conflict', { message: written.refusal });
      const bytes = Readable.from(written.value, { objectMode: false });
      // An incomplete file is not mistaken for a complete one: the connection is broken.
      reply.raw.once(
        'close',
        sessions.endStreamWithSession(request, () => reply.raw.destroy()),
      );
      return reply.type('application/octet-stream').header('cache-control', 'no-store').send(bytes);
    },
  });

  addRoute(app, context, 'stageRestore', async ({ request, body, reply }) => {
    if (backups === null) return ofTeam(reply);
    // It is unpacked and checked after it has arrived, and nothing is sent meanwhile.
    reply.raw.setTimeout(0);
    const encoded = String(request.headers[backupPassphraseHeader]);
    const passphrase = Buffer.from(encoded, 'base64url').toString('utf8');
    const staged = await backups.stage(body, passphrase);
    if (staged.ok) return staged.value;
    refuse(reply, 'conflict', { message: staged.refusal });
    return null;
  });

  addRoute(app, context, 'beginRestore', async ({ reply }) => {
    if (backups === null) return ofTeam(reply);
    const begun = await backups.begin();
    if (begun.ok) return { aside: begun.value };
    refuse(reply, 'conflict', { message: begun.refusal });
    return null;
  });
}

function ofTeam(reply: FastifyReply): null {
  refuse(reply, 'conflict', { message: backupText.ofTeam });
  return null;
}
