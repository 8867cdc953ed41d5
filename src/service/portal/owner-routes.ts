import type { FastifyInstance } from 'fastify';
import { listAttention } from '../../core/attention/find-attention.ts';
import { LifelineReader } from '../../core/lifeline/lifeline-reader.ts';
import { changeSettings } from '../../core/settings.ts';
import { credentialProblemText } from '../../text/credentials.ts';
import { refusalText } from '../../text/service.ts';
import { writtenHealth } from '../../text/store.ts';
import { addRoute } from '../add-route.ts';
import { challengeSeconds } from '../guard/known-browsers.ts';
import { portOf, sessionCookieName, sessionCookieOptions, signInSeconds } from '../guard/portal-sessions.ts';
import { refuse } from '../refuse.ts';
import { baseUrlOf, type ServiceContext } from '../service-context.ts';

/** `/portal/status`, `/portal/settings`, and signing in and out. */
export function addOwnerRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, sessions, about } = context;

  addRoute(app, context, 'portalStatus', async () => {
    const counted = await ledger.transact(({ tokens, ivrs }) => ({
      events: [],
      value: { tokens: { ...tokens.counts }, ivrs: ivrs.size },
    }));
    return {
      version: about.version,
      base_url: baseUrlOf(app),
      data_dir: about.dataDir,
      command_line: about.commandLine,
      pid: process.pid,
      started_at: about.startedAt,
      ...counted,
      store: writtenHealth(ledger.look()),
      repairs: [...about.repairs],
    };
  });

  addRoute(app, context, 'readSettings', async () =>
    ledger.transact((state) => ({ events: [], value: state.settings })),
  );

  addRoute(app, context, 'changeSettings', async ({ body }) =>
    ledger.transact((state) => changeSettings(state, body)),
  );

  addRoute(app, context, 'createSignInLink', ({ reply }) => {
    void reply.header('cache-control', 'no-store');
    return { url: `${baseUrlOf(app)}/?code=${sessions.createCode()}`, expires_in: signInSeconds };
  });

  addRoute(app, context, 'rememberBrowser', ({ request, reply, body }) => {
    if (sessions.remember(request, body.public_key)) return {};
    refuse(reply, 'bad_request', { message: refusalText.browserNotRemembered });
    return null;
  });

  addRoute(app, context, 'createSignInChallenge', ({ reply }) => {
    void reply.header('cache-control', 'no-store');
    return { challenge: sessions.createChallenge(), expires_in: challengeSeconds };
  });

  addRoute(app, context, 'signInAgain', ({ request, reply, body }) => {
    const signedIn = sessions.signInAgain(request, body);
    if (signedIn === null) {
      sessions.refuseStranger(reply);
      return null;
    }
    void reply
      .setCookie(sessionCookieName(portOf(request)), signedIn.session, sessionCookieOptions)
      .header('cache-control', 'no-store');
    return { page_code: signedIn.pageCode };
  });

  addRoute(app, context, 'signOut', ({ request, reply, body }) => {
    const signedOut = sessions.signOut(request, { allBrowsers: body.all_browsers });
    if (!sessions.isOwner(request)) {
      void reply.clearCookie(sessionCookieName(portOf(request)), sessionCookieOptions);
    }
    return { signed_out: signedOut };
  });
}

/** `/portal/attention` and `/portal/lifeline`: the data of the overview. */
export function addOverviewRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, keeper, telephony, zone, about } = context;
  const lifeline = new LifelineReader();

  addRoute(app, context, 'readAttention', async () =>
    ledger.transact((state, nowMs) => ({
      events: [],
      value: listAttention(
        state,
        {
          vault: keeper.vaultStatus(),
          store: writtenHealth(ledger.health()),
          pbxs: telephony.pbxs(),
          repairs: about.repairs,
        },
        {
          nowMs,
          zone,
          embeddedUrl: baseUrlOf(app),
          describe: credentialProblemText,
          heldUntilMs: (credential) => keeper.heldUntilMs(credential),
        },
      ),
    })),
  );

  addRoute(app, context, 'readLifeline', async ({ reply }) => {
    const picture = await ledger.transact((state, nowMs) => ({
      events: [],
      value: lifeline.read(state, keeper.vaultStatus(), {
        nowMs,
        zone,
        embeddedUrl: baseUrlOf(app),
        describe: credentialProblemText,
      }),
    }));
    // Tens of thousands of small tuples: the serializer made from the schema took ten times as long.
    void reply.type('application/json; charset=utf-8').send(JSON.stringify(picture));
    return null;
  });
}
