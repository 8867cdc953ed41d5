import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordingLimitBytes, RecordingView } from '../../src/contract/menu/recording.ts';
import { wavFile } from '../fixtures/audio-files.ts';
import { readWavHead } from '../../src/core/recording/wav-head.ts';
import { invariant } from '../../src/core/unreachable.ts';
import { fileWith, menu } from './menu.ts';
import { type ServiceHere, serviceOfFile } from './service-here.ts';
import { rotavox } from './rotavox.ts';
import { StandInService } from './stand-in-service.ts';

let service: ServiceHere;
let folder: string;

serviceOfFile((here) => {
  service = here;
  folder = dirname(here.dataDir);
});

describe('rotavox voice and speak', () => {
  it('lists the voices, with a mark at the one of the settings', async () => {
    const { stdout } = await service.cli('voice', 'list');
    expect(stdout).toMatch(/^\* +flite\/slt +en-US +basic +BSD-like/m);
    expect(stdout).toMatch(/^ +flite\/rms /m);
  });

  it('says a sentence with a voice into a file, and how long that took', async () => {
    const file = join(folder, 'heard.wav');
    const heard = await service.cli('voice', 'test', 'flite/rms', '--output', file, '--json');
    expect(heard).toMatchObject({ code: 0, stderr: '' });
    const told = JSON.parse(heard.stdout) as { took_ms: number; duration_ms: number };
    expect(told).toMatchObject({ voice: 'flite/rms', text: 'Welcome. For sales, press 1.', file });
    const sound = readWavHead(await readFile(file));
    invariant(sound.ok, 'it is a WAV file');
    expect(told.duration_ms).toBeGreaterThan(1000);
    expect(told.took_ms).toBeGreaterThan(0);
    const again = await service.cli('voice', 'test', 'flite/slt', '--text', 'Hello', '--output', file);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('it already exists') as unknown });
  });

  it('plays a sentence by a program of the system, and says what to do where there is none', async () => {
    const programs = await mkdtemp(join(folder, 'programs-'));
    const test = (env: NodeJS.ProcessEnv) =>
      rotavox(['voice', 'test', 'flite/slt', '--text', 'Hello'], { dataDir: service.dataDir, env });
    const none = await test({ PATH: programs });
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toContain('--output FILE');
    const played = join(folder, 'played.wav');
    await writeFile(join(programs, 'paplay'), `#!/bin/sh\n/bin/cp "$1" '${played}'\n`, { mode: 0o700 });
    expect((await test({ PATH: programs })).stderr).toMatch(
      /^Played \d\.\d s of sound, made in \d+\.\d s\.$/m,
    );
    expect((await readFile(played)).toString('latin1', 0, 4)).toBe('RIFF');
  });

  it('says which voice there is not, and what can be added', async () => {
    const unknown = await service.cli('voice', 'test', 'piper/xx_XX-nobody-low');
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toContain('`rotavox voice list`');
    const offered = await service.cli('voice', 'list', '--available');
    expect(offered.stdout).toMatch(/^piper\/de_DE-thorsten-medium +de-DE +67\.2 MB +CC0$/m);
    const removed = await service.cli('voice', 'remove', 'piper/xx_XX-nobody-low');
    expect(removed).toMatchObject({ code: 1, stderr: expect.stringContaining('No voice') as unknown });
    const notOffered = await service.cli('voice', 'add', 'piper/xx_XX-nobody-low');
    expect(notOffered.stderr).toContain('`rotavox voice add FILE`');
    const file = join(folder, 'no-voice.tar.bz2');
    await writeFile(file, 'something else');
    const refused = await service.cli('voice', 'add', file);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no archive of a voice') as unknown,
    });
  });

  it('makes a recording of a text once, which menus with that text play', async () => {
    const made = await service.cli(
      'recording',
      'speak',
      '--text',
      'Welcome to Example.',
      '--name',
      'Welcome',
    );
    const id = made.stdout.trim();
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^rec_\w+\n$/) as unknown });
    expect(made.stderr).toContain('Menus that have its text as outbound_tts||TEXT play it.');
    const again = await rotavox(['recording', 'speak', '--text', '-'], {
      dataDir: service.dataDir,
      stdin: 'Welcome\nto Example.\n',
    });
    expect(again.stdout.trim()).toBe(id);
    const refused = await service.cli('recording', 'speak', '--text', 'one | two');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('without “|”');
  });

  it('speaks what a menu lacks or has of another voice, and tells it by the exit code', async () => {
    const texts = {
      recording: 'outbound_tts||For sales, press 1.',
      invalid_recording: 'outbound_tts||This key has no meaning.',
      timeout_retry_recording: 'recording||greeting',
      timeout_recording: 'outbound_tts||For sales, press 1.',
    };
    const id = (await service.cli('ivr', 'create', await fileWith({ ...menu, ...texts }))).stdout.trim();
    const spoken = await service.cli('ivr', 'speak', id);
    expect(spoken).toMatchObject({ code: 0 });
    expect(spoken.stdout).toMatch(/^spoken(?: now)? +rec_\w+ +For sales, press 1\.$/m);
    expect(spoken.stderr).toContain('Callers hear all 2 texts.');
    expect(await service.cli('ivr', 'speak', id, '--check')).toMatchObject({ code: 0 });
    await service.cli('settings', 'set', 'speech_voice', 'flite/rms');
    const changed = await service.cli('ivr', 'speak', id, '--check');
    expect(changed).toMatchObject({ code: 1 });
    expect(changed.stderr).toContain('2 texts would be spoken in another way now:');
    expect((await service.cli('ivr', 'speak', id)).stderr).toContain('2 spoken now.');
    expect(await service.cli('ivr', 'speak', id, '--check')).toMatchObject({ code: 0 });
    // For private use: whatever speaks on this machine, it has no voice for that.
    await service.cli('settings', 'set', 'speech_language', 'qaa');
    await service.cli('settings', 'set', 'speech_voice', 'none');
    const without = await service.cli(
      'ivr',
      'create',
      await fileWith({ ...menu, recording: 'outbound_tts||Bonjour.' }),
    );
    const missing = await service.cli('ivr', 'speak', without.stdout.trim());
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.stderr).toContain('- Bonjour.: There is no voice for the language qaa on this computer.');
    await service.cli('settings', 'set', 'speech_language', 'en-US');
  });
});

describe('rotavox recording pronounce and ivr speak-all', () => {
  it('speaks what has changed again, and tells what is left by the exit code', async () => {
    await service.cli('settings', 'set', 'speech_language', 'en-US');
    await service.cli('recording', 'speak', '--text', 'Call Rotavox.');
    await service.cli('ivr', 'speak-all', '--changed');
    const set = await service.cli('recording', 'pronounce', 'Rotavox', 'Roh ta vox');
    expect(set).toMatchObject({ code: 0 });
    expect(set.stderr).toContain('Rotavox is spoken as “Roh ta vox”. 1 recording with the word');
    expect((await service.cli('recording', 'pronunciation', 'list')).stdout).toMatch(
      /^Rotavox +Roh ta vox +1$/m,
    );
    const left = await service.cli('ivr', 'speak-all', '--check');
    expect(left).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('1 recording changed.') as unknown,
    });
    const spoken = await service.cli('ivr', 'speak-all', '--changed');
    expect(spoken.stderr).toContain('spoken.');
    expect((await service.cli('ivr', 'speak-all', '--check')).stderr).toContain('0 recordings changed.');
    expect(await service.cli('recording', 'pronunciation', 'remove', 'Rotavox')).toMatchObject({ code: 0 });
    const none = await service.cli('recording', 'pronunciation', 'remove', 'Rotavox');
    expect(none).toMatchObject({ code: 1 });
    expect(none.stderr).toContain('There is no pronunciation of Rotavox for this language.');
  });
});

describe('rotavox recording', () => {
  it('writes nothing of an answer that is larger than any recording', async () => {
    const large = await StandInService.start();
    large.otherwise = () => [200, Buffer.alloc(recordingLimitBytes + 1)];
    const copy = join(folder, 'large.wav');
    const saved = await rotavox(['--data-dir', large.dataDir, 'recording', 'save', 'welcome', copy]);
    expect(saved).toMatchObject({ code: 1, stdout: '' });
    expect(saved.stderr).toBe(
      `The answer of ${large.baseUrl} is larger than 20 MiB. The rest was not read, and nothing was written.\n`,
    );
    await expect(readFile(copy)).rejects.toThrow('ENOENT');
  });

  it('keeps a file, lists it, gives it a new name, writes it back byte for byte and removes it', async () => {
    const audio = wavFile(500);
    const file = join(folder, 'welcome.wav');
    await writeFile(file, audio);
    const added = await service.cli('recording', 'add', file, '--name', 'Welcome', '--id', 'welcome');
    expect(added).toEqual({
      code: 0,
      stdout: 'welcome\n',
      stderr: 'Welcome is added. A menu plays it as recording||welcome.\n',
    });
    await service.cli('ivr', 'create', await fileWith({ ...menu, recording: 'recording||welcome' }));
    const list = await service.cli('recording', 'list');
    expect(list.stdout).toMatch(/^welcome +wav +8 KiB +0\.5 s +Welcome +Main menu \(recording\)$/m);

    expect((await service.cli('recording', 'rename', 'welcome', 'Hello')).stderr).toBe(
      'Recording welcome is Hello.\n',
    );
    const copy = join(folder, 'copy.wav');
    expect(await service.cli('recording', 'save', 'welcome', copy)).toMatchObject({ code: 0 });
    expect((await readFile(copy)).equals(audio)).toBe(true);
    const again = await service.cli('recording', 'save', 'welcome', copy);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('it already exists');

    expect(await service.cli('recording', 'remove', 'welcome')).toMatchObject({ code: 1 });
    const unused = RecordingView.parse(await service.json('recording', 'add', file, '--name', 'Unused'));
    expect((await service.cli('recording', 'remove', unused.id)).stderr).toBe(
      `Recording ${unused.id} is removed.\n`,
    );
    expect(await service.cli('recording', 'save', unused.id, join(folder, 'gone.wav'))).toMatchObject({
      code: 1,
    });
  });

  it('says that it has converted a file, and names the format of one that only the windows convert', async () => {
    const file = join(import.meta.dirname, '../fixtures/sounds/sweep-gsm.wav');
    const added = await service.cli('recording', 'add', file, '--name', 'Voice message', '--id', 'gsm');
    expect(added.stderr).toBe(
      'Voice message is added. A menu plays it as recording||gsm.\nIts audio was converted to a WAV file that everything plays.\n',
    );
    const memo = join(import.meta.dirname, '../fixtures/sounds/tone.m4a');
    const refused = await service.cli('recording', 'add', memo, '--name', 'Memo');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('This is a file in the format m4a.');
    expect(refused.stderr).toContain('The Recordings window converts m4a, FLAC and WebM');
  });

  it('refuses what is no audio, whatever it is called', async () => {
    const file = join(folder, 'film.wav');
    await writeFile(file, 'This is a text.');
    expect(await service.cli('recording', 'add', file, '--name', 'Film')).toMatchObject({
      code: 1,
      stdout: '',
    });
  });

  it('refuses a file that is too large before it is sent', async () => {
    const file = join(folder, 'large.wav');
    await writeFile(file, Buffer.alloc(20 * 1024 * 1024 + 1));
    const { code, stderr } = await service.cli('recording', 'add', file, '--name', 'Large');
    expect({ code, stderr }).toEqual({ code: 2, stderr: `${file} is larger than 20 MiB.\n` });
  });
});

describe.each([
  ['extension', ['101', 'Front desk'], 'id,name', '101,Reception'],
  [
    'sms-template',
    ['31', 'Directions', '1 Main Street'],
    'id,name,text',
    '31,Directions,"2 Main Street, ""left"""',
  ],
])('rotavox %s', (command, [id, name, ...text], head, changed) => {
  it('sets and lists an entry, and removes it', async () => {
    expect(await service.cli(command, 'list')).toMatchObject({ code: 0, stdout: '' });
    expect(await service.cli(command, 'set', id!, name!, ...text)).toMatchObject({ code: 0, stdout: '' });
    expect((await service.cli(command, 'list')).stdout).toMatch(new RegExp(`^${id!} +${name!}`, 'm'));
    expect(JSON.stringify(await service.json(command, 'list'))).toContain(name);
    expect(await service.cli(command, 'remove', id!)).toMatchObject({ code: 0 });
    expect((await service.cli(command, 'list')).stdout).toBe('');
  });

  it('imports CSV after a dry run that changes nothing, and exports what it imported', async () => {
    await service.cli(command, 'set', id!, name!, ...text);
    const columns = head.split(',').length;
    const csv = [head, changed, ['102', 'Store', 'Open'].slice(0, columns).join(','), ''].join('\n');
    const file = join(folder, `${command}.csv`);
    await writeFile(file, csv);
    const before = await service.json(command, 'list');
    const dry = await service.cli(command, 'import', file, '--dry-run');
    expect(dry).toEqual({
      code: 0,
      stdout: `+ 102\n~ ${id!}\n`,
      stderr: 'Would be added: 1, changed: 1, unchanged: 0.\n',
    });
    expect(await service.json(command, 'list')).toEqual(before);

    expect(await service.json(command, 'import', file)).toEqual({
      added: ['102'],
      changed: [id],
      unchanged: 0,
      repeated: 0,
      unnamed: 0,
      columns: Object.fromEntries(head.split(',').map((field) => [field, [field]])),
      left_out: [],
      zeros_lost: [],
      unreachable: [],
    });
    const exported = await service.cli(command, 'export');
    const again = await rotavox([command, 'import', '-', '--json'], {
      dataDir: service.dataDir,
      stdin: exported.stdout,
    });
    expect(JSON.parse(again.stdout)).toMatchObject({ added: [], changed: [], unchanged: 2 });
  });

  it('takes the columns that it is told, and says what it left out and how the file was read', async () => {
    const file = join(folder, `${command}-other.csv`);
    const rest = text.length === 0 ? '' : ';Text';
    const cells = text.length === 0 ? '' : ';Open';
    await writeFile(
      file,
      Buffer.from(
        `Durchwahl;Vorname;Nachname;Raum${rest}\r\n777;J\xfcrgen;M\xfcller;7${cells}\r\n`,
        'latin1',
      ),
    );
    const columns = ['--column', 'id=Durchwahl', '--column', 'name=Vorname+Nachname'];
    const { code, stdout, stderr } = await service.cli(command, 'import', file, ...columns);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '+ 777\n' });
    expect(stderr.split('\n')).toEqual([
      `Read as Windows-1252: ${file} does not say its encoding. Check letters such as ä and é.`,
      `Read: id from “Durchwahl”, name from “Vorname” and “Nachname”${text.length === 0 ? '' : ', text from “Text”'}.`,
      'Columns that were left out: Raum.',
      'Added: 1, changed: 0, unchanged: 0.',
      '',
    ]);
    expect((await service.cli(command, 'list')).stdout).toContain('Jürgen Müller');
    const wide = join(folder, `${command}-wide.csv`);
    await writeFile(
      wide,
      Buffer.from(`\ufeff${head}\r\n777,Łukasz${text.length === 0 ? '' : ',Open'}\r\n`, 'utf16le'),
    );
    expect(await service.cli(command, 'import', wide)).toEqual({
      code: 0,
      stdout: '~ 777\n',
      stderr: 'Added: 0, changed: 1, unchanged: 0.\n',
    });
    await service.cli(command, 'remove', '777');
  });

  it.each([
    [
      'letters in another encoding',
      Buffer.from('101,M\x81ller', 'latin1'),
      'is not UTF-8, UTF-16 or Windows-1252 (line 2)',
    ],
    ['a letter that was lost before', Buffer.from('101,M\ufffdller'), 'has � in line 2'],
    ['a workbook', Buffer.from('PK\x03\x04'), 'is a workbook or an archive'],
  ])('refuses a file with %s before it is sent', async (_what, content, words) => {
    const file = join(folder, `${command}-unread.csv`);
    const isText = !content.includes('PK');
    await writeFile(file, Buffer.concat([Buffer.from(isText ? `${head}\n` : ''), content]));
    const { code, stdout, stderr } = await service.cli(command, 'import', file);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
  });

  it('imports nothing of a file with a wrong line, and names the line', async () => {
    const before = await service.json(command, 'list');
    const file = join(folder, `${command}-wrong.csv`);
    await writeFile(file, `${head}\n${changed}\n,nobody,x\n`);
    const { code, stdout, stderr } = await service.cli(command, 'import', file);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/3/);
    expect(await service.json(command, 'list')).toEqual(before);
  });

  it('ends with 2 for an id that cannot be one', async () => {
    expect(await service.cli(command, 'set', '1|2', name!, ...text)).toMatchObject({ code: 2, stdout: '' });
  });
});
