import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { type Voice, VoiceId } from '../contract/menu/speech.ts';
import {
  type InstalledPack,
  type VoiceDownload,
  voicePackLimitBytes,
  type VoicePackProblem,
} from '../contract/menu/voice-pack.ts';
import { isoInstant } from '../core/iso-instant.ts';
import type { Clock } from '../core/ledger.ts';
import { done, refused, type Result } from '../core/result.ts';
import { EngineFailure, type StopSignal } from '../core/speech/speaker.ts';
import type { AddedPack, PackList, VoicePacks } from '../core/speech/voice-packs.ts';
import type { PiperOrder, PiperPart } from './piper-worker.ts';
import { SpeakingWorker, type WorkerOrder } from './speaking-worker.ts';
import {
  downloadPinned,
  isOfDisk,
  licenceIn,
  PackRefused,
  type Unpacked,
  unpackInWorker,
  writeAtMost,
} from './fetch-pack.ts';
import type { UnpackOrder } from './unpack-worker.ts';
import {
  type PinnedFile,
  type PinnedRuntime,
  type PinnedVoice,
  pinnedVoices,
  sherpaRuntime,
} from './voice-sources.ts';
import { removeFolder, replacePath } from '../system/replace-path.ts';

export interface VoicePackFolderParts {
  /** Made with the first voice. */
  readonly folder: string;
  readonly fetch: typeof fetch;
  readonly clock?: Clock | undefined;
  /** Default: those of the program. */
  readonly voices?: readonly PinnedVoice[];
  readonly runtime?: PinnedRuntime;
  readonly limits?: Partial<PackLimits>;
}

export interface PackLimits {
  /** Of an archive. */
  readonly packedBytes: number;
  /** Of all that it unpacks to. */
  readonly unpackedBytes: number;
  /** How long it may take to unpack it. */
  readonly unpackingMs: number;
  /** How long a download may make no progress. */
  readonly standstillMs: number;
  /** How long a new voice may take for its first words. */
  readonly trialMs: number;
}

const usualLimits: PackLimits = {
  packedBytes: voicePackLimitBytes,
  unpackedBytes: 2 * voicePackLimitBytes,
  unpackingMs: 5 * 60_000,
  standstillMs: 60_000,
  trialMs: 120_000,
};

const StoredPack = z.object({
  format: z.literal(1),
  voice: VoiceId,
  name: z.string(),
  language: z.string(),
  licence: z.string().nullable(),
  added_at: z.string(),
  model_digest: z.string(),
  files: z.array(z.object({ path: z.string(), bytes: z.int(), sha256: z.string() })),
});
type StoredPack = z.infer<typeof StoredPack>;

const packFile = 'pack.json';
/** Of a voice of Piper: language, name and quality. Its model is called so. */
const piperName = /^([a-z]{2,3})_([A-Z]{2,3})-([\w.+-]{1,60})$/;
/** What a voice cannot speak without. */
const neededFiles = ['tokens.txt', 'espeak-ng-data/phontab'];
const trialWords = '1, 2, 3.';

/**
 * A folder of natural voices: `runtime-1.13.8` and one folder for each voice, with the digest of every file in `pack.json`.
 *
 * Invariants: one is added at a time; a voice is unpacked beside the others, spoken with, and then renamed into its place, so that what
 * is refused, aborted or cut off by a crash was never there.
 */
// see decisions/voices-are-added.md
export class VoicePackFolder implements VoicePacks {
  readonly #folder: string;
  readonly #fetch: typeof fetch;
  readonly #clock: Clock;
  readonly #offered: readonly PinnedVoice[];
  readonly #runtime: PinnedRuntime;
  readonly #limits: PackLimits;
  /** Voices of which a file was found to be another than the one that was installed. */
  readonly #damaged = new Set<string>();
  #isRuntimeDamaged = false;
  #isAdding = false;
  #downloading: VoiceDownload | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(parts: VoicePackFolderParts) {
    this.#folder = parts.folder;
    this.#fetch = parts.fetch;
    this.#clock = parts.clock ?? Date.now;
    this.#offered = parts.voices ?? pinnedVoices;
    this.#runtime = parts.runtime ?? sherpaRuntime;
    this.#limits = { ...usualLimits, ...parts.limits };
  }

  async list(): Promise<PackList> {
    const hasRuntime = await this.#hasRuntime();
    const packs = await this.#packs();
    const { files: _files, sha256: _sha256, ...runtime } = this.#runtime;
    return {
      packs: packs.map(({ stored, isWhole }) => installed(stored, problemOf(isWhole, hasRuntime))),
      offered: this.#offered
        .filter(({ voice }) => packs.every(({ stored }) => stored.voice !== voice))
        .map(({ sha256: _digest, ...offered }) => offered),
      runtime: { ...runtime, installed: hasRuntime },
      downloading: this.#downloading,
    };
  }

  /** Those that can speak. */
  async voices(): Promise<readonly Voice[]> {
    const packs = await this.#packs();
    if (packs.length === 0 || !(await this.#hasRuntime())) return [];
    return packs
      .filter(({ isWhole }) => isWhole)
      .map(({ stored: { voice, name, language, licence, model_digest } }) => ({
        id: voice,
        name,
        language,
        quality: 'natural',
        engine: 'piper',
        engine_version: this.#runtime.version,
        model_digest,
        licence: licence ?? 'not stated',
      }));
  }

  /** What a worker needs for a voice; null: it is not here any more. Another key is another model. */
  async orderOf(voice: VoiceId): Promise<WorkerOrder | null> {
    const found = (await this.#packs()).find(({ stored }) => stored.voice === voice);
    if (found === undefined) return null;
    const { files, added_at, model_digest } = found.stored;
    return {
      key: `${voice} ${model_digest} ${added_at}`,
      data: this.#piperOrder({ folder: found.folder, files }),
    };
  }

  /** A worker has found that a file differs: of the runtime, else of the voice. */
  noteDamaged(voice: VoiceId, what: unknown): void {
    if (what === 'runtime') this.#isRuntimeDamaged = true;
    else this.#damaged.add(voice);
  }

  add(archive: AsyncIterable<Uint8Array>, signal: StopSignal): Promise<Result<AddedPack, VoicePackProblem>> {
    return this.#exclusive(async (scratch) => {
      const file = join(scratch, 'archive');
      const { sha256 } = await writeAtMost(this.#limits.packedBytes, archive, file, signal);
      if (sha256 === this.#runtime.sha256) {
        await this.#placeRuntime(file, scratch, signal);
        return { pack: null, runtimeAdded: true };
      }
      return this.#install(file, scratch, signal);
    });
  }

  async download(voice: VoiceId, signal: StopSignal): Promise<Result<AddedPack, VoicePackProblem>> {
    const offered = this.#offered.find((one) => one.voice === voice);
    if (offered === undefined) return refused({ kind: 'not_offered', voice });
    return this.#exclusive(async (scratch) => {
      const file = join(scratch, 'archive');
      await this.#download(file, offered, voice, signal);
      return this.#install(file, scratch, signal);
    });
  }

  async remove(voice: VoiceId): Promise<Result<VoiceId, VoicePackProblem>> {
    const found = (await this.#packs()).find(({ stored }) => stored.voice === voice);
    if (found === undefined) return refused({ kind: 'not_installed', voice });
    try {
      const aside = join(this.#folder, newName());
      await replacePath(found.folder, aside);
      this.#damaged.delete(voice);
      await removeFolder(aside);
      return done(voice);
    } catch (error) {
      // By another call, at the same time.
      if (isMissing(error)) return refused({ kind: 'not_installed', voice });
      return refused(this.#refusalOf(error));
    }
  }

  onDownload(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get #runtimeFolder(): string {
    return join(this.#folder, `runtime-${this.#runtime.version}`);
  }

  #piperOrder(voice: PiperOrder['voice']): PiperOrder {
    return { runtime: { folder: this.#runtimeFolder, files: this.#runtime.files }, voice };
  }

  async #hasRuntime(): Promise<boolean> {
    if (this.#isRuntimeDamaged) return false;
    return allThere(
      this.#runtimeFolder,
      this.#runtime.files.map(({ path }) => path),
    );
  }

  async #packs(): Promise<{ stored: StoredPack; folder: string; isWhole: boolean }[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const packs = names
      .filter((name) => piperName.test(name))
      .map(async (name) => {
        const folder = join(this.#folder, name);
        const stored = await readPack(folder);
        if (stored === null) return [];
        const model = stored.files.find(({ path }) => path.endsWith('.onnx'));
        const needed = model === undefined ? neededFiles : [model.path, ...neededFiles];
        const isWhole = !this.#damaged.has(stored.voice) && (await allThere(folder, needed));
        return [{ stored, folder, isWhole }];
      });
    return (await Promise.all(packs)).flat();
  }

  async #exclusive(
    act: (scratch: string) => Promise<AddedPack>,
  ): Promise<Result<AddedPack, VoicePackProblem>> {
    if (this.#isAdding) return refused({ kind: 'busy' });
    this.#isAdding = true;
    const scratch = join(this.#folder, newName());
    try {
      await this.#removeLeftovers();
      await mkdir(scratch, { recursive: true, mode: 0o700 });
      return done(await act(scratch));
    } catch (error) {
      return refused(this.#refusalOf(error));
    } finally {
      await removeFolder(scratch).catch(() => undefined); // the next one removes it
      this.#isAdding = false;
    }
  }

  /** Of a program that was ended while it added or removed a voice. */
  async #removeLeftovers(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names) if (name.startsWith(newStart)) await removeFolder(join(this.#folder, name));
  }

  async #install(file: string, scratch: string, signal: StopSignal): Promise<AddedPack> {
    const folder = join(scratch, 'voice');
    const pack = await this.#packOf(await this.#unpack(file, folder, 'voice', signal), folder);
    const target = join(this.#folder, nameOf(pack.voice));
    const before = await readPack(target);
    const isSame = before !== null && before.model_digest === pack.model_digest;
    if (before !== null && !isSame) throw new PackRefused({ kind: 'id_taken', voice: pack.voice });
    const runtimeAdded = await this.#ensureRuntime(scratch, signal);
    await this.#trySpeaking({ folder, files: pack.files }, signal);
    await writeSynced(join(folder, packFile), JSON.stringify(pack));
    signal.throwIfAborted();
    // It may have been removed meanwhile.
    if (before !== null) await replacePath(target, join(scratch, 'before')).catch(unlessMissing);
    await replacePath(folder, target);
    this.#damaged.delete(pack.voice);
    return { pack: installed(pack, null), runtimeAdded };
  }

  async #packOf({ folder: around, files }: Unpacked, folder: string): Promise<StoredPack> {
    const models = files.filter(({ path }) => path.endsWith('.onnx'));
    const [model] = models;
    if (model === undefined || models.length > 1)
      throw new PackRefused({ kind: 'not_voice', missing: 'model' });
    for (const needed of neededFiles)
      if (!files.some(({ path }) => path === needed))
        throw new PackRefused({ kind: 'not_voice', missing: needed });
    const names = [basename(model.path, '.onnx'), around.replace(/^vits-piper-/, '')];
    const named = names.map((name) => piperName.exec(name)).find((match) => match !== null);
    if (named === undefined) throw new PackRefused({ kind: 'not_voice', missing: 'name' });
    const [whole, language = '', country = '', name = ''] = named;
    return {
      format: 1,
      voice: VoiceId.parse(`piper/${whole}`),
      name,
      language: `${language}-${country}`,
      licence: await licenceIn(folder),
      added_at: isoInstant(this.#clock()),
      model_digest: model.sha256,
      files: [...files],
    };
  }

  async #trySpeaking(voice: PiperOrder['voice'], signal: StopSignal): Promise<void> {
    const trial = new SpeakingWorker<PiperPart>('piper');
    const order = { key: 'trial', data: this.#piperOrder(voice) };
    try {
      const sound = await trial.speak(order, { text: trialWords, rate: 1 }, signal, this.#limits.trialMs);
      if (sound.samples.length === 0) throw new PackRefused({ kind: 'model_fails' });
    } catch (error) {
      throw error instanceof EngineFailure
        ? new PackRefused({ kind: 'model_fails' }, { cause: error })
        : error;
    } finally {
      await trial.close();
    }
  }

  async #ensureRuntime(scratch: string, signal: StopSignal): Promise<boolean> {
    if (await this.#hasRuntime()) return false;
    const file = join(scratch, 'runtime.tgz');
    await this.#download(file, this.#runtime, null, signal);
    await this.#placeRuntime(file, scratch, signal);
    return true;
  }

  async #placeRuntime(file: string, scratch: string, signal: StopSignal): Promise<void> {
    const folder = join(scratch, 'runtime');
    const wanted = this.#runtime.files.map(({ path }) => path);
    const { files } = await this.#unpack(file, folder, wanted, signal);
    for (const { path, sha256 } of this.#runtime.files) {
      const found = files.find((one) => one.path === path)?.sha256 ?? '';
      if (found !== sha256)
        throw new PackRefused({ kind: 'wrong_file', name: path, expected: sha256, found });
    }
    // Not a module of the package around it.
    await writeSynced(join(folder, 'package.json'), '{"type":"commonjs"}');
    await removeFolder(this.#runtimeFolder);
    await replacePath(folder, this.#runtimeFolder);
    this.#isRuntimeDamaged = false;
  }

  async #unpack(
    archive: string,
    into: string,
    wanted: UnpackOrder['wanted'],
    signal: StopSignal,
  ): Promise<Unpacked> {
    await mkdir(into, { mode: 0o700 });
    const order: UnpackOrder = { archive, into, wanted, mostBytes: this.#limits.unpackedBytes };
    return unpackInWorker(order, signal, this.#limits.unpackingMs);
  }

  async #download(
    file: string,
    pinned: PinnedFile,
    voice: VoiceId | null,
    signal: StopSignal,
  ): Promise<void> {
    const { bytes } = pinned;
    const onProgress = (received: number): void => this.#noteDownload({ voice, received, bytes });
    onProgress(0);
    const { standstillMs } = this.#limits;
    try {
      await downloadPinned(pinned, file, { fetch: this.#fetch, signal, standstillMs, onProgress });
    } finally {
      this.#noteDownload(null);
    }
  }

  #noteDownload(downloading: VoiceDownload | null): void {
    this.#downloading = downloading;
    for (const listener of this.#listeners) listener();
  }

  /** Throws what is neither a refusal nor the disk's. */
  #refusalOf(error: unknown): VoicePackProblem {
    if (error instanceof PackRefused) return error.problem;
    if (!isOfDisk(error)) throw error;
    return { kind: 'not_stored', refusal: { code: error.code, path: this.#folder } };
  }
}

const newStart = '.new-';

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

function newName(): string {
  return newStart + randomBytes(8).toString('hex');
}

function nameOf(voice: VoiceId): string {
  return voice.replace(/^piper\//, '');
}

function problemOf(isWhole: boolean, hasRuntime: boolean): InstalledPack['problem'] {
  if (!isWhole) return 'damaged';
  return hasRuntime ? null : 'no_runtime';
}

function installed(
  { format: _format, files, ...pack }: StoredPack,
  problem: InstalledPack['problem'],
): InstalledPack {
  return { ...pack, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), problem };
}

async function readPack(folder: string): Promise<StoredPack | null> {
  const text = await readFile(join(folder, packFile), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return StoredPack.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null; // the folder of a voice without a list of its files is none
  }
}

async function allThere(folder: string, paths: readonly string[]): Promise<boolean> {
  const found = paths.map(
    async (path) => (await stat(join(folder, path)).catch(() => null))?.isFile() ?? false,
  );
  return (await Promise.all(found)).every((isThere) => isThere);
}

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
