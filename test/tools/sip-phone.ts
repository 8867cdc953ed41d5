/**
 * A SIP phone for tests: `baresip` of Debian's packages, registered at a test's Asterisk over UDP on the loopback interface.
 *
 * It calls, answers, presses keys as telephone events (RFC 4733) and records what it hears from RTP.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sound } from '../../src/core/recording/sound.ts';
import { encodeWav, readWav } from '../../src/core/recording/wav.ts';
import { readWavHead } from '../../src/core/recording/wav-head.ts';
import type { Asterisk } from './asterisk.ts';
import { freePort } from './free-port.ts';

export interface SipPhoneOptions {
  readonly asterisk: Asterisk;
  /** One of `phonesConf`. */
  readonly number: string;
  /** Whether it answers calls at once. */
  readonly answers?: boolean;
}

/** What it tells: `REGISTER_OK`, `CALL_ESTABLISHED`, `CALL_CLOSED`. */
export interface SipPhoneEvent {
  readonly type: string;
  readonly peeruri?: string;
  readonly param?: string;
}

/** Of all phones of tests, which are on the loopback interface. */
const password = 'a-phone-of-tests';
/** What a telephone line carries. */
const rate = 8000;
/** Ends a test in which nothing happens any more; nothing waits for this time to pass. */
const silenceMs = 15_000;

/** `pjsip.conf` for phones with these numbers; their calls begin in the context `from-internal`. */
export function phonesConf(numbers: readonly string[]): string {
  return numbers
    .map(
      (number) => `[${number}]
type=endpoint
context=from-internal
disallow=all
allow=ulaw
dtmf_mode=rfc4733
auth=${number}
aors=${number}
callerid="Phone ${number}" <${number}>

[${number}]
type=auth
auth_type=userpass
username=${number}
password=${password}

[${number}]
type=aor
max_contacts=1
remove_existing=yes
`,
    )
    .join('\n');
}

export class SipPhone {
  readonly events: SipPhoneEvent[] = [];
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #socket: Socket;
  /** What it and its control connection said, for messages of tests. */
  #story = '';
  #read = 0;
  #rest = Buffer.alloc(0);
  #wake: (() => void) | undefined;

  private constructor(folder: string, child: ChildProcess, socket: Socket) {
    this.#folder = folder;
    this.#child = child;
    this.#socket = socket;
    socket.on('data', (chunk) => this.#hear(chunk));
  }

  /** Resolves when it is registered. */
  static async start({ asterisk, number, answers = false }: SipPhoneOptions): Promise<SipPhone> {
    const folder = await mkdtemp(join(tmpdir(), 'rotavox-phone-'));
    const port = await freePort();
    await writeFile(join(folder, 'config'), configOf(folder, port));
    await writeFile(join(folder, 'accounts'), '');
    // It hangs up at the end of what it says, so it says nothing for longer than a test takes.
    await writeFile(join(folder, 'says.wav'), encodeWav({ samples: new Float32Array(rate * 300), rate }));
    // The signal comes when the process that started it ends.
    const args = ['--pdeathsig', 'KILL', '--', 'baresip', '-f', folder];
    const child = spawn('setpriv', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await readiness(child);
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      const phone = new SipPhone(folder, child, socket);
      const address = `<sip:${number}@127.0.0.1:${asterisk.sipPort}>`;
      const mode = answers ? 'auto' : 'manual';
      phone.#command('uanew', `${address};auth_pass=${password};answermode=${mode};regint=600`);
      await phone.next('REGISTER_OK');
      return phone;
    } catch (error) {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  dial(number: string): void {
    this.#command('dial', number);
  }

  /** Presses keys one after the other, as telephone events. */
  press(keys: string): void {
    this.#command('sndcode', keys);
  }

  async hangUp(): Promise<void> {
    this.#command('hangup', '');
    await this.next('CALL_CLOSED');
  }

  /** The next event of this type, after the one that was returned last. */
  async next(type: string): Promise<SipPhoneEvent> {
    for (;;) {
      for (let event = this.events[this.#read]; event !== undefined; event = this.events[this.#read]) {
        this.#read += 1;
        if (event.type === type) return event;
      }
      await this.#happening(type);
    }
  }

  /** What it heard in its calls until now, one sound for each. Complete once the call has ended. */
  async heard(): Promise<Sound[]> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith('-dec.wav')).sort();
    return Promise.all(names.map(async (name) => soundOf(await readFile(join(this.#folder, name)))));
  }

  async close(): Promise<void> {
    this.#socket.destroy();
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, 'exit');
      this.#child.kill('SIGKILL');
      await ended;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** As a netstring of JSON, which is what its module ctrl_tcp reads. */
  #command(command: string, params: string): void {
    const text = JSON.stringify({ command, params });
    this.#socket.write(`${Buffer.byteLength(text)}:${text},`);
  }

  #hear(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const colon = this.#rest.indexOf(':');
      const length = Number(this.#rest.subarray(0, Math.max(colon, 0)).toString());
      const end = colon + 1 + length;
      if (colon === -1 || this.#rest.length <= end) break;
      const text = this.#rest.subarray(colon + 1, end).toString();
      this.#rest = this.#rest.subarray(end + 1);
      this.#story += `${text}\n`;
      const message = JSON.parse(text) as Partial<SipPhoneEvent>;
      if (message.type !== undefined) this.events.push({ ...message, type: message.type });
    }
    this.#wake?.();
  }

  #happening(type: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`No ${type} on the phone.\n${this.#story}`)),
        silenceMs,
      );
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const missing = 'baresip is missing; run: sudo apt-get install -y --no-install-recommends baresip-core';

/** Resolves when its control connection can be opened. */
function readiness(child: ChildProcess): Promise<void> {
  let said = '';
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('baresip is ready')) resolve();
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      const isMissing = code === 127;
      reject(new Error(isMissing ? missing : `baresip does not start:\n${said}`));
    });
  });
}

function soundOf(bytes: Uint8Array): Sound {
  const head = readWavHead(bytes);
  const [samples] = head.ok ? readWav(bytes, head.value).samples : [];
  if (!head.ok || samples === undefined) throw new Error('What the phone heard is no WAV file.');
  return { samples, rate: head.value.rate };
}

function configOf(folder: string, port: number): string {
  return `poll_method epoll
sip_listen 127.0.0.1:0
net_interface 127.0.0.1
call_max_calls 1
audio_source aufile,${folder}/says.wav
audio_player none
audio_alert none
jitter_buffer_delay 0-0
snd_path ${folder}
module_path /usr/lib/baresip/modules
module g711.so
module sndfile.so
module aufile.so
module_tmp account.so
module_app menu.so
module_app ctrl_tcp.so
ctrl_tcp_listen 127.0.0.1:${port}
ringback_disabled yes
menu_bell no
statmode_default off
`;
}
