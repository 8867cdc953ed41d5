/**
 * A real Asterisk for tests: a process with a folder of its own, on the loopback interface, on free ports.
 *
 * Many can run side by side. It ends with the process that started it, also when that is killed; `close` removes its folder.
 * Configuration files that a test does not write are missing. Calls: `asterisk-callers.ts`.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Agent, request as httpRequest } from 'undici';
import { type AsteriskRoot, asteriskRoot } from './asterisk-root.ts';
import { freePort } from './free-port.ts';

/** So many requests of a test at once: Asterisk refuses connections beyond what it accepts in time. */
const connections = new Agent({ connections: 64 });

const execute = promisify(execFile);

export interface AsteriskOptions {
  /** `extensions.conf`. */
  readonly extensions?: string;
  /** `pjsip.conf` after the transport, which is named `loopback`; only with it Asterisk has SIP and RTP. */
  readonly pjsip?: string;
  /** Modules besides the usual ones: `app_queue`. */
  readonly modules?: readonly string[];
  /** Usual modules that are left out. */
  readonly without?: readonly string[];
  /** More configuration files, by name, also instead of the usual ones. */
  readonly files?: Readonly<Record<string, string>>;
  /** Audio files by name with ending, below the sounds folder: `rotavox/welcome.ulaw`. */
  readonly sounds?: Readonly<Record<string, Uint8Array>>;
  readonly startTimeoutMs?: number;
  /** What its clock shows when it starts; from there on it goes as usual. Default: the time. */
  readonly startsAt?: Date;
}

export interface AriRequest {
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** ARI refused a request. */
export class AriError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** In its log; it goes on without HTTP. */
const portTaken = 'Unable to bind http server';

/** How long it may take to answer whether it is ready. */
const answerMs = 3_000;

/**
 * Plays without a trunk or a phone: what exported menus and menus over ARI need.
 *
 * Without the states of devices, which callers of a test would hear of: with them Asterisk stands still for ever when a caller's
 * connection closes in the moment of such an event (https://github.com/asterisk/asterisk/issues/2170).
 */
const usualModules = [
  'res_timing_timerfd',
  'res_sorcery_config',
  'res_http_websocket',
  'res_websocket_client',
  'res_stasis',
  'res_stasis_answer',
  'res_stasis_playback',
  'res_stasis_recording',
  'res_stasis_snoop',
  'res_ari',
  'res_ari_model',
  'res_ari_applications',
  'res_ari_asterisk',
  'res_ari_bridges',
  'res_ari_channels',
  'res_ari_endpoints',
  'res_ari_events',
  'res_ari_playbacks',
  'res_ari_recordings',
  'res_ari_sounds',
  'res_curl',
  'res_http_media_cache',
  'pbx_config',
  'app_dial',
  'app_playback',
  'app_senddtmf',
  'app_stack',
  'app_stasis',
  'app_verbose',
  'bridge_simple',
  'bridge_softmix',
  'codec_alaw',
  'codec_resample',
  'codec_ulaw',
  'format_pcm',
  'format_sln',
  'format_wav',
  'func_callerid',
  'func_channel',
  'func_curl',
  'func_global',
  'func_logic',
  'func_strings',
  'func_timeout',
];

/** Files that it complains about when they are missing. */
const emptyFiles = ['ccss', 'cel', 'features', 'pjproject', 'udptl', 'websocket_client'];

const sipModules = [
  'res_sorcery_memory',
  'res_sorcery_astdb',
  'res_pjproject',
  'res_rtp_asterisk',
  'res_pjsip',
  'res_pjsip_session',
  'res_pjsip_pubsub',
  'res_pjsip_sdp_rtp',
  'res_pjsip_caller_id',
  'res_pjsip_authenticator_digest',
  'res_pjsip_endpoint_identifier_anonymous',
  'res_pjsip_endpoint_identifier_ip',
  'res_pjsip_endpoint_identifier_user',
  'res_pjsip_registrar',
  'res_pjsip_rfc3326',
  'res_pjsip_dtmf_info',
  'chan_pjsip',
];

/** Of libfaketime. Waiting goes by the clock that is never set. */
function clockOf(startsAt: Date): Record<string, string> {
  const shown = startsAt.toISOString().slice(0, 19).replace('T', ' ');
  return { TZ: 'UTC', FAKETIME: `@${shown}`, FAKETIME_DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' };
}

export function startAsterisk(options?: AsteriskOptions): Promise<Asterisk> {
  return Asterisk.start(options);
}

export class Asterisk {
  readonly folder: string;
  /** The address of its HTTP server; ARI is below `/ari`. */
  readonly url: string;
  readonly user = 'tester';
  readonly password: string;
  /** UDP on 127.0.0.1, with `pjsip`. */
  readonly sipPort: number;
  readonly #root: AsteriskRoot;
  readonly #startTimeoutMs: number;
  readonly #startsAt: Date | null;
  #child: ChildProcess | undefined;

  private constructor(
    folder: string,
    root: AsteriskRoot,
    options: { http: number; sip: number; startTimeoutMs: number; startsAt: Date | null },
  ) {
    const { http, sip, startTimeoutMs, startsAt } = options;
    this.#startsAt = startsAt;
    this.folder = folder;
    this.url = `http://127.0.0.1:${http}`;
    this.sipPort = sip;
    this.#startTimeoutMs = startTimeoutMs;
    this.password = randomBytes(12).toString('hex');
    this.#root = root;
  }

  static async start(options: AsteriskOptions = {}): Promise<Asterisk> {
    const root = await asteriskRoot();
    for (let triesLeft = 3; ; triesLeft -= 1) {
      try {
        return await Asterisk.#startOnce(options, root);
      } catch (error) {
        // Another program of this machine has taken the port since it was free.
        if (triesLeft === 0 || !String(error).includes(portTaken)) throw error;
      }
    }
  }

  static async #startOnce(options: AsteriskOptions, root: AsteriskRoot): Promise<Asterisk> {
    const folder = await mkdtemp(join(tmpdir(), 'rotavox-asterisk-'));
    const ports = { http: await freePort(), sip: await freePort('udp') };
    const { startTimeoutMs = 30_000, startsAt = null } = options;
    const asterisk = new Asterisk(folder, root, { ...ports, startTimeoutMs, startsAt });
    try {
      await asterisk.#configure(options, ports.http);
      await asterisk.run();
      return asterisk;
    } catch (error) {
      await asterisk.close();
      throw error;
    }
  }

  /** The same configuration on the same ports, after `stop` or `kill`. Ready when ARI answers. */
  async run(): Promise<void> {
    const { loader, libraries, folder, faketime } = this.#root;
    const preload = this.#startsAt === null ? [] : ['--preload', faketime];
    const program = [loader, '--library-path', libraries, ...preload, join(folder, 'usr/sbin/asterisk')];
    // The signal comes when the process that started it ends.
    const args = ['--pdeathsig', 'KILL', '--', ...program, '-f', '-n', '-C', this.#file('asterisk.conf')];
    const child = spawn('setpriv', args, {
      cwd: this.folder,
      stdio: 'ignore',
      env: { ...process.env, ...(this.#startsAt === null ? {} : clockOf(this.#startsAt)) },
    });
    this.#child = child;
    const ended = once(child, 'exit').then(() => 'ended' as const);
    const until = Date.now() + this.#startTimeoutMs;
    while ((await Promise.race([this.#answers(), ended])) !== true) {
      const log = await this.log();
      const hasFailed = child.exitCode !== null || child.signalCode !== null || log.includes(portTaken);
      if (hasFailed || Date.now() > until) throw new Error(`Asterisk does not start:\n${log}`);
      await wait(50);
    }
  }

  /** Whether this one answers: nobody else knows the password. */
  async #answers(): Promise<boolean> {
    try {
      // What has taken the port meanwhile may be one of our servers that never answer.
      await this.ari('GET', '/asterisk/info', { signal: AbortSignal.timeout(answerMs) });
      return true;
    } catch {
      return false;
    }
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** A request to ARI: `ari('GET', '/channels')`. Throws an `AriError` unless it succeeds. */
  async ari<Answer = unknown>(method: string, path: string, request: AriRequest = {}): Promise<Answer> {
    const url = new URL(`${this.url}/ari${path}`);
    for (const [name, value] of Object.entries(request.query ?? {}))
      url.searchParams.set(name, String(value));
    const { statusCode, body } = await httpRequest(url, {
      method,
      dispatcher: connections,
      signal: request.signal,
      // Asterisk closes a connection that rests, also in the moment in which it is used again.
      reset: true,
      headers: {
        authorization: `Basic ${Buffer.from(`${this.user}:${this.password}`).toString('base64')}`,
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    });
    const text = await body.text();
    if (statusCode < 200 || statusCode > 299)
      throw new AriError(`${method} ${path} of ARI: ${statusCode} ${text}`, statusCode);
    return (text === '' ? undefined : JSON.parse(text)) as Answer;
  }

  /** What a command of its console prints: `dialplan reload`. */
  async console(command: string): Promise<string> {
    const { loader, libraries, folder } = this.#root;
    const program = ['--library-path', libraries, join(folder, 'usr/sbin/asterisk')];
    const { stdout } = await execute(
      loader,
      [...program, '-C', this.#file('asterisk.conf'), '-rx', command],
      { maxBuffer: 64 * 1024 * 1024 },
    );
    return stdout;
  }

  /** Writes a configuration file, which it reads at a reload or when it starts. */
  async configure(name: string, content: string): Promise<void> {
    await writeFile(this.#file(name), content);
  }

  /** `rotavox/welcome.ulaw`, which the dialplan plays as `rotavox/welcome`. */
  async addSound(name: string, content: Uint8Array): Promise<void> {
    const file = join(this.folder, 'data/sounds', name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  /** Its notices, warnings and errors. */
  log(): Promise<string> {
    return readFile(join(this.folder, 'log/messages'), 'utf8').catch(() => '');
  }

  /** Ends it with its calls, as its service does. `run` starts it again. */
  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  #file(name: string): string {
    return join(this.folder, 'etc', name);
  }

  async #configure(options: AsteriskOptions, httpPort: number): Promise<void> {
    const shared = join(this.#root.folder, 'usr/share/asterisk');
    for (const name of ['etc', 'log', 'spool', 'cache', 'data/sounds', 'data/keys'])
      await mkdir(join(this.folder, name), { recursive: true });
    for (const name of ['documentation', 'rest-api'])
      await symlink(join(shared, name), join(this.folder, 'data', name));
    await symlink(join(this.#root.folder, 'etc/asterisk/indications.conf'), this.#file('indications.conf'));
    for (const [name, content] of Object.entries(options.sounds ?? {})) await this.addSound(name, content);
    const files = { ...this.#usualFiles(options, httpPort), ...options.files };
    for (const [name, content] of Object.entries(files)) await this.configure(name, content);
  }

  #usualFiles(options: AsteriskOptions, httpPort: number): Record<string, string> {
    const { extensions = '', pjsip, modules = [], without = [] } = options;
    const loaded = [...usualModules, ...(pjsip === undefined ? [] : sipModules), ...modules].filter(
      (name) => !without.includes(name),
    );
    const firstRtpPort = 2 * randomInt(5_000, 14_000);
    const sip = `[loopback]\ntype=transport\nprotocol=udp\nbind=127.0.0.1:${this.sipPort}\n\n`;
    return {
      'asterisk.conf': `[directories]
astcachedir => ${this.folder}/cache
astetcdir => ${this.folder}/etc
astmoddir => ${this.#root.libraries}/asterisk/modules
astvarlibdir => ${this.folder}/data
astdbdir => ${this.folder}
astkeydir => ${this.folder}/data/keys
astdatadir => ${this.folder}/data
astagidir => ${this.folder}/data
astspooldir => ${this.folder}/spool
astrundir => ${this.folder}
astlogdir => ${this.folder}/log
astsbindir => ${this.#root.folder}/usr/sbin
[options]
nocolor = yes
execincludes = yes
live_dangerously = yes
`,
      'modules.conf': `[modules]\nautoload=no\n${loaded.map((name) => `load=${name}.so\n`).join('')}`,
      'logger.conf': '[general]\nqueue_log=no\n[logfiles]\nmessages => notice,warning,error\n',
      'http.conf': `[general]\nenabled=yes\nbindaddr=127.0.0.1\nbindport=${httpPort}\nsessionlimit=2000\n`,
      'ari.conf': `[general]\nenabled=yes\n[${this.user}]\ntype=user\nread_only=no\npassword=${this.password}\n`,
      'rtp.conf': `[general]\nrtpstart=${firstRtpPort}\nrtpend=${firstRtpPort + 2_000}\n`,
      'cdr.conf': '[general]\nenable=no\n',
      'manager.conf': '[general]\nenabled=no\n',
      'res_http_media_cache.conf': '[general]\ntimeout_secs=10\n',
      'acl.conf': '',
      ...Object.fromEntries(emptyFiles.map((name) => [`${name}.conf`, '[general]\n'])),
      'extensions.conf': extensions,
      ...(pjsip === undefined ? {} : { 'pjsip.conf': sip + pjsip }),
    };
  }
}
