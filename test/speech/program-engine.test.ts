import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { VoiceId } from '../../src/contract/menu/speech.ts';
import { encodeWav } from '../../src/core/recording/wav.ts';
import { EngineFailure, type SpeechPart } from '../../src/core/speech/speaker.ts';
import { onPath, ProgramEngine, type SpeechProgram } from '../../src/speech/program-engine.ts';
import { makeFolder } from '../fixtures/make-folder.ts';

const never = new AbortController().signal;
const voice = VoiceId.parse('script/one');
const part: SpeechPart = { text: 'hello', voice, rate: 1 };

/** A shell script as the program: `$1` is the file for the sound, `$2` a folder of the test. */
async function scripted(lines: string, folder: string): Promise<SpeechProgram> {
  const program = join(folder, 'speaks');
  await writeFile(program, `#!/bin/sh\n${lines}\n`);
  await chmod(program, 0o755);
  await writeFile(
    join(folder, 'one.wav'),
    encodeWav({ samples: new Float32Array(160).fill(0.5), rate: 16_000 }),
  );
  return {
    find: () => Promise.resolve(program),
    voices: () => Promise.resolve([{ native: 'one', voice: voiceOfScript }]),
    command: ({ text }, native, file) => ({ args: [file, folder, native], input: text }),
  };
}

const voiceOfScript = {
  id: voice,
  name: 'one',
  language: 'en-US',
  quality: 'basic' as const,
  engine: 'script',
  engine_version: '1',
  model_digest: '',
  licence: 'MIT',
};

/** The number that a script has written. */
async function numberIn(file: string): Promise<number> {
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toMatch(/^\d+\n$/);
  return Number(await readFile(file, 'utf8'));
}

async function expectNoProcess(pid: number): Promise<void> {
  // One that has ended is there until its parent, which may be the first process of this machine, has looked at it.
  const stateOf = async () =>
    /^State:\s+(\w)/m.exec(
      await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => 'State: X'),
    )?.[1];
  await expect.poll(stateOf).toMatch(/[XZ]/);
}

describe.skipIf(process.platform !== 'linux')('a program that speaks', () => {
  let folder = '';
  let temporary = '';
  beforeEach(() => {
    folder = makeFolder();
    temporary = makeFolder();
    vi.stubEnv('TMPDIR', temporary);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    // Whatever happened, its private folder is gone.
    expect(await readdir(temporary)).toEqual([]);
  });
  async function engineOf(lines: string, limitMs = 20_000): Promise<ProgramEngine> {
    return new ProgramEngine(await scripted(lines, folder), { limitMs: () => limitMs });
  }
  async function failureOf(engine: ProgramEngine): Promise<unknown> {
    const failure: unknown = await engine.speak(part, never).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EngineFailure);
    return (failure as EngineFailure).reason;
  }

  it('gets the text on stdin, a private folder, and PATH and LANG alone', async () => {
    vi.stubEnv('ROTAVOX_SECRET', 'rvx_secret');
    vi.stubEnv('LANG', 'de_DE.UTF-8');
    const engine = await engineOf(
      'cat >"$2/input"; printf "%s\\n" "$@" >"$2/args"; env >"$2/env"; stat -c %a "$PWD" >"$2/mode"; cp "$2/one.wav" "$1"',
    );
    expect(
      (await engine.speak({ ...part, text: '-w/x [[a]] <b>\u0001 Zürich' }, never)).samples,
    ).toHaveLength(160);
    expect(await readFile(join(folder, 'input'), 'utf8')).toBe('-w/x   a    b   Zürich');
    const [file = '', ...others] = (await readFile(join(folder, 'args'), 'utf8')).split('\n');
    expect(file.startsWith(`${temporary}/rotavox-speech-`)).toBe(true);
    expect(others).toEqual([folder, 'one', '']);
    expect(await readFile(join(folder, 'mode'), 'utf8')).toBe('700\n');
    const names = (await readFile(join(folder, 'env'), 'utf8')).match(/^\w+(?==)/gm)?.toSorted();
    // The shell itself sets the others.
    expect(names?.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name))).toEqual([
      'LANG',
      'PATH',
    ]);
  });

  it('is ended at the limit with what it started', async () => {
    const engine = await engineOf('sleep 1000 & echo $! >"$2/pid"; wait', 300);
    expect(await failureOf(engine)).toBe('too_late');
    await expectNoProcess(await numberIn(join(folder, 'pid')));
  });

  it('is ended with what it started when nobody waits for it any more', async () => {
    const engine = await engineOf('trap "" TERM INT; sleep 1000 & echo $! >"$2/pid"; wait');
    const stop = new AbortController();
    const stopped = engine.speak(part, stop.signal);
    const pid = await numberIn(join(folder, 'pid'));
    const reason = new Error('another text was typed');
    stop.abort(reason);
    await expect(stopped).rejects.toBe(reason);
    await expectNoProcess(pid);
  });

  it('is ended when the engine is closed', async () => {
    const engine = await engineOf('echo $$ >"$2/pid"; sleep 1000');
    const failure = failureOf(engine);
    const pid = await numberIn(join(folder, 'pid'));
    await engine.close();
    expect(await failure).toBe('ended');
    await expectNoProcess(pid);
  });

  it('leaves nothing running when it has ended well', async () => {
    const engine = await engineOf('sleep 1000 & echo $! >"$2/pid"; cp "$2/one.wav" "$1"');
    expect((await engine.speak(part, never)).samples).toHaveLength(160);
    await expectNoProcess(await numberIn(join(folder, 'pid')));
  });

  it.each([
    ['ends with a status', 'cp "$2/one.wav" "$1"; exit 3'],
    ['is killed', 'kill -9 $$'],
    ['writes a folder', 'mkdir "$1"'],
    ['answers without end', 'yes'],
  ])('fails when it %s', async (_, lines) => {
    expect(await failureOf(await engineOf(lines))).toBe('ended');
  });

  it.each([
    ['no file', 'exit 0'],
    ['an empty file', ': >"$1"'],
    ['no sound file', 'echo hello >"$1"'],
  ])('says nothing when it writes %s', async (_, lines) => {
    const engine = await engineOf(lines);
    expect((await engine.speak({ ...part, text: 'x'.repeat(100_000) }, never)).samples).toHaveLength(0);
  });

  it('has no voices where it does not answer, or is not', async () => {
    const program = await scripted('exit 1', folder);
    const silent = new ProgramEngine({
      ...program,
      voices: async (file, ask) => [
        { native: await ask(file, { args: [], input: '' }), voice: voiceOfScript },
      ],
    });
    expect(await silent.voices()).toEqual([]);
    const gone = new ProgramEngine({ ...program, find: () => Promise.resolve(null) });
    expect(await gone.voices()).toEqual([]);
    expect(await failureOf(gone)).toBe('ended');
    const removed = new ProgramEngine({ ...program, find: () => Promise.resolve(join(folder, 'gone')) });
    expect(await failureOf(removed)).toBe('ended');
  });

  it('is found in the folders of PATH that are named in full', async () => {
    await scripted('', folder);
    expect(await onPath('speaks', `.::speaks:${temporary}:${folder}`)).toBe(join(folder, 'speaks'));
    expect(await onPath('speaks', '.:')).toBeNull();
    // Not one that may not be run, and no folder.
    expect(await onPath('one.wav', folder)).toBeNull();
  });
});
