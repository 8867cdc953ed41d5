import { plainDestinationRules } from '../../src/contract/calls/pbx.ts';
import { readFile, writeFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { Ivr, IvrCreated } from '../../src/contract/menu/ivr.ts';
import { IvrDraft } from '../../src/contract/menu/ivr-draft.ts';
import { Recording, RecordingList } from '../../src/contract/menu/recording.ts';
import { readWavHead } from '../../src/core/recording/wav-head.ts';
import { wavFile } from '../fixtures/audio-files.ts';
import { fileWith, menu } from './menu.ts';
import { type ServiceHere, serviceOfFile } from './service-here.ts';
import { rotavox, rotavoxHere, rotavoxOnScreen } from './rotavox.ts';

const platform = {
  data: [
    {
      ...menu,
      id: 1,
      created_at: 'long ago',
      option: undefined,
      destination: undefined,
      ivr_menu: [{ option: 1, destination_type: 'ivr', destination_id: 2, sms_template_id: null }],
    },
    { ...menu, id: 2, name: 'Support' },
  ],
};

let service: ServiceHere;
serviceOfFile((here) => void (service = here));

async function imported(content: unknown): Promise<string> {
  const { code, stdout, stderr } = await service.cli('ivr', 'import', await fileWith(content));
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

describe('rotavox ivr import', () => {
  it('creates a draft, prints only its id on stdout and reports what was left out', async () => {
    const { code, stdout, stderr } = await service.cli('ivr', 'import', await fileWith(platform));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^draft_\w+\n$/);
    expect(stderr).toContain('Imported as the draft “Main menu”.');
    expect(stderr).toContain('Warning: Left out, because a menu does not have them: created_at.');
    const draft = IvrDraft.parse(await service.json('ivr', 'draft', 'show', stdout.trim()));
    expect(Object.values(draft.document.nodes).filter(({ kind }) => kind === 'menu')).toHaveLength(2);
  });

  it('keeps nothing and ends with 1 when the file is no menu, with the place', async () => {
    const before = await service.json('ivr', 'draft', 'list');
    const result = await rotavox(['ivr', 'import', '-'], {
      dataDir: service.dataDir,
      stdin: '[{"timeout":5},\n7 8]',
    });
    expect(result).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Nothing was imported:\n  The file is not JSON: line 2, column 3 must be a comma or ], not a number\n',
    });
    expect(await service.json('ivr', 'draft', 'list')).toEqual(before);
  });
});

describe('rotavox ivr export', () => {
  it.each([
    ['asterisk', /^exten => 1,1,Goto\(rotavox_main_menu_[0-9a-f]{8}_destinations,extension_101,1\)$/m],
    [
      'freeswitch',
      /<entry action="menu-exec-app" digits="1" param="transfer to_extension_101 XML rotavox_main_menu_[0-9a-f]{8}"\/>/,
    ],
    ['graphviz', /^digraph ivr \{/],
    ['svg', /<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/],
    ['document', /"format": "rotavox-ivr"/],
    ['body', /"incorrect_count": 3/],
  ])('writes a file as %s, without a service', async (form, content) => {
    const result = await rotavox(['ivr', 'export', await fileWith(menu), '--to', form], {
      dataDir: '/nowhere',
    });
    expect(result.code).toBe(0);
    expect(result.stdout).toMatch(content);
  });

  it('writes a draft and a stored IVR by their ids, and what it wrote is imported as the same', async () => {
    const id = await imported(platform);
    const exported = await service.cli('ivr', 'export', id, '--to', 'document');
    const again = await rotavox(['ivr', 'import', '-'], { dataDir: service.dataDir, stdin: exported.stdout });
    const [first, second] = await Promise.all(
      [id, again.stdout.trim()].map(async (draft) =>
        IvrDraft.parse(await service.json('ivr', 'draft', 'show', draft)),
      ),
    );
    expect(second!.document).toEqual(first!.document);

    const created = IvrCreated.parse(await service.json('ivr', 'create', await fileWith(menu)));
    const body = await service.cli('ivr', 'export', created.id, '--to', 'body');
    const stored = Ivr.parse(await service.json('ivr', 'show', created.id));
    expect(stored).toMatchObject(JSON.parse(body.stdout) as object);
  });

  it('plays what is not stored here from the telephone system, as calls do, and the warning says so', async () => {
    const body = { ...menu, recording: 'recording||custom/welcome', invalid_recording: 'recording||wrong' };
    const created = await service.cli('ivr', 'create', await fileWith(body), '--json');
    expect(created.stdout).toContain('nothing if it has none');
    const { id } = IvrCreated.parse(JSON.parse(created.stdout));
    const exported = await service.cli('ivr', 'export', id, '--to', 'asterisk');
    expect(exported.stdout).toContain('Background(custom/welcome)');
    expect(exported.stdout).toContain('Background(wrong)');
  });

  it('ends with 1 and reports what is incomplete for a telephone system', async () => {
    const file = await fileWith({ ...menu, timeout_destination: undefined });
    const result = await rotavox(['ivr', 'export', file, '--to', 'asterisk'], { dataDir: '/nowhere' });
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain('nodes.menu1.timeout_destination');
    expect((await rotavox(['ivr', 'export', file, '--to', 'svg'], { dataDir: '/nowhere' })).code).toBe(0);
  });
});

describe('rotavox ivr export --to asterisk-zip', () => {
  const files = async (source: string, dataDir: string) => {
    const { end, bytes, stderr } = await rotavoxHere(['ivr', 'export', source, '--to', 'asterisk-zip'], {
      dataDir,
    });
    expect(end, stderr).toBe(0);
    return { files: unzipSync(bytes), stderr };
  };

  it('has the dialplan and the audio of recordings and of texts, spoken before or not', async () => {
    const uploaded = await fileWith(menu);
    await writeFile(uploaded, wavFile(700));
    const { id: greeting } = Recording.parse(
      await service.json('recording', 'add', uploaded, '--name', 'Greeting'),
    );
    await service.json('recording', 'speak', '--text', 'This key is not used.');
    const document = { ...menu, name: 'Spoken', recording: `recording||${greeting}` };
    const id = await imported({
      ...document,
      recording_invalid: undefined,
      invalid_recording: 'outbound_tts||This key is not used.',
      timeout_retry_recording: 'outbound_tts||Please press a key.',
      timeout_recording: 'outbound_tts||<blink>Goodbye</blink>',
    });
    const before = RecordingList.parse(await service.json('recording', 'list')).recordings;
    const { files: unpacked, stderr } = await files(id, service.dataDir);
    expect(stderr).toContain('3 audio files are included. Add the other yourself:');
    expect(stderr).toContain('“<blink>” is not a tag for spoken texts');

    const names = Object.keys(unpacked);
    const [conf = ''] = names.filter((name) => name.endsWith('.conf'));
    const { stdout: dialplan } = await service.cli('ivr', 'export', id, '--to', 'asterisk');
    expect(strFromU8(unpacked[conf]!)).toBe(dialplan);
    const sounds = names.filter((name) => name.startsWith('sounds/rotavox/'));
    expect(sounds).toHaveLength(3);
    const lengths = sounds.map((name) => {
      const head = readWavHead(unpacked[name]!);
      if (!head.ok) throw new Error(name);
      expect(head.value).toMatchObject({ codec: 'int16', rate: 8000, channels: 1, blockBytes: 2 });
      expect(dialplan).toContain(`rotavox/${name.slice('sounds/rotavox/'.length, -'.wav'.length)}`);
      return head.value.bytes / 16;
    });
    // The recording has the length of its file; the texts take at least a second each.
    expect(lengths.filter((ms) => ms === 700)).toHaveLength(1);
    expect(lengths.filter((ms) => ms > 1000)).toHaveLength(2);
    const readme = strFromU8(unpacked['README.txt']!);
    expect(readme).toContain('Greeting, 0:01');
    expect(readme).toContain('These are not included.');
    // An export changes nothing: what is not stored was made for the file only.
    expect(RecordingList.parse(await service.json('recording', 'list')).recordings).toEqual(before);
  });

  it('lists all audio as missing for a file, which is read without a service, and is no text for a terminal', async () => {
    const file = await fileWith({ ...menu, recording: 'outbound_tts||Welcome' });
    const { files: unpacked, stderr } = await files(file, '/nowhere');
    expect(stderr).toContain('No audio file is included.');
    expect(stderr).toContain('“Welcome”');
    expect(Object.keys(unpacked).some((name) => name.endsWith('.wav'))).toBe(false);
    const shown = await rotavoxOnScreen(['ivr', 'export', file, '--to', 'asterisk-zip'], {
      dataDir: '/nowhere',
    });
    expect(shown.code).toBe(2);
    expect(shown.screen).toContain('A ZIP file is not printed on a terminal.');
  });
});

describe('rotavox ivr draft', () => {
  it('lists and shows what was imported, and deletes it', async () => {
    const id = await imported({ ...menu, name: 'Short-lived' });
    const list = await service.cli('ivr', 'draft', 'list');
    expect(list.stdout).toMatch(
      /^ID +REVISION +CHANGED +MENUS +SCENARIOS +ERRORS +WARNINGS +PUBLISHED +NAME\n/,
    );
    expect(list.stdout).toMatch(new RegExp(`^${id} +1 .* 1 +0 +0 +8 +no +Short-lived$`, 'm'));
    expect((await service.cli('ivr', 'draft', 'show', id)).stdout).toMatch(
      /^Menu menu1 +Short-lived, keys 1 2$/m,
    );

    expect(await service.cli('ivr', 'draft', 'delete', id)).toEqual({
      code: 0,
      stdout: '',
      stderr: `${id} is deleted.\n`,
    });
    expect(await service.cli('ivr', 'draft', 'show', id)).toMatchObject({ code: 1, stdout: '' });
  });

  it('publishes, and then has a version and an IVR that answers', async () => {
    const id = await imported(menu);
    const none = await service.cli('ivr', 'draft', 'versions', id);
    expect(none).toMatchObject({ code: 0, stdout: '' });
    expect(none.stderr).toContain('No version yet.');

    const { code, stdout, stderr } = await service.cli('ivr', 'draft', 'publish', id);
    expect(stderr).toContain('Warning: Main menu: recording: Recording 1, which “Main menu” plays,');
    expect({ code, lines: stdout.trim().split('\n') }).toEqual({
      code: 0,
      lines: [expect.stringMatching(/^POST .*\/v1\/ivr {2}200 /)],
    });
    const versions = await service.cli('ivr', 'draft', 'versions', id);
    expect(versions.stdout).toMatch(/^1 +1 .* here +http.* ivr_\w+$/m);
    const stored = /ivr_\w+/.exec(versions.stdout)![0];
    expect(await service.json('ivr', 'show', stored)).toMatchObject({ name: 'Main menu', timeout: 5 });
    expect((await service.cli('ivr', 'draft', 'show', id)).stdout).toMatch(
      new RegExp(`^Published +here: version 1, .*${stored}$`, 'm'),
    );
  });

  it('does not publish what is open, and ends with 1', async () => {
    const id = await imported({ ...menu, timeout_destination: null });
    const result = await service.cli('ivr', 'draft', 'publish', id);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).not.toBe('');
    const json = await service.cli('ivr', 'draft', 'publish', id, '--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ outcome: 'blocked', version: null });
  });

  it('ends with 1 when there is no such credential', async () => {
    const id = await imported(menu);
    const result = await service.cli('ivr', 'draft', 'publish', id, '--credential', 'nobody');
    expect(result).toMatchObject({ code: 1, stdout: '' });
  });
});

it('writes nothing into the file that it reads', async () => {
  const file = await fileWith(menu);
  const before = await readFile(file, 'utf8');
  await service.cli('ivr', 'import', file);
  await service.cli('ivr', 'export', file, '--to', 'svg');
  expect(await readFile(file, 'utf8')).toBe(before);
});

describe('an export of stored menus for a telephone system', () => {
  async function stored(changes: object): Promise<string> {
    return IvrCreated.parse(await service.json('ivr', 'create', await fileWith({ ...menu, ...changes }))).id;
  }
  async function dialplanOf(id: string, ...options: string[]): Promise<string> {
    const { code, stdout, stderr } = await service.cli('ivr', 'export', id, '--to', 'asterisk', ...options);
    if (code !== 0) throw new Error(stderr);
    return stdout;
  }

  it('contains every stored menu that it leads to, and reaches what a call reaches', async () => {
    const last = await stored({ name: 'Night', option: ['1'], destination: ['extension||+4930555010'] });
    const middle = await stored({ name: 'Service', option: ['1'], destination: [`ivr||${last}`] });
    const option = ['1', '2'];
    const first = await stored({ name: 'Front', option, destination: ['extension||*97', `ivr||${middle}`] });
    const dialplan = await dialplanOf(first);
    for (const name of ['Front', 'Service', 'Night']) expect(dialplan).toContain(`; Menu: ${name}\n`);
    expect(dialplan).toContain(',1,Goto(from-internal,*97,1)');
    expect(dialplan).toContain(',1,Goto(from-internal,+4930555010,1)');
    expect(dialplan).not.toContain('Fill in');

    const freeswitch = await service.cli('ivr', 'export', first, '--to', 'freeswitch');
    expect(freeswitch.stdout.match(/<menu name=/g)).toHaveLength(3);
    const bodies = JSON.parse((await service.cli('ivr', 'export', first, '--to', 'body')).stdout) as object[];
    // By its id, and through what its export writes, a call ends where it does live.
    const whole = await service.cli('ivr', 'simulate', first, '--keys', '2,1', '--json');
    for (const form of ['body', 'document']) {
      const { stdout: stdin } = await service.cli('ivr', 'export', first, '--to', form);
      const again = await rotavox(['ivr', 'simulate', '-', '--keys', '2,1', '--json'], { stdin });
      expect((JSON.parse(again.stdout) as { end: unknown }).end).toEqual(
        (JSON.parse(whole.stdout) as { end: unknown }).end,
      );
      expect(await rotavox(['ivr', 'validate', '-'], { stdin })).toMatchObject({ code: 0 });
    }
    expect(bodies).toMatchObject([{ id: first }, { id: middle }, { id: last }]);

    const draft = await imported({ ...menu, option: ['1'], destination: [`ivr||${middle}`] });
    expect((await dialplanOf(draft)).match(/; Menu: /g)).toHaveLength(3);
  });

  it('shares no name with that of another menu, whatever their letters', async () => {
    const names = ['Sales', 'Sales', 'sales', 'SALES!'];
    const entries = [];
    for (const name of names) {
      const [, entry] = /^\[(rotavox_sales_\w+)\]$/m.exec(await dialplanOf(await stored({ name }))) ?? [];
      entries.push(entry);
    }
    for (const place of [1, 2]) {
      const destination = [`extension||${place}11`];
      const file = await fileWith({ ...menu, name: 'Sales', option: ['1'], destination });
      entries.push(/^\[(rotavox_sales_\w+)\]$/m.exec(await dialplanOf(file))?.[1]);
    }
    expect(new Set(entries).size).toBe(6);
    expect(entries).not.toContain(undefined);
  });

  it('leads to outside numbers as the settings say', async () => {
    const id = await stored({ option: ['1'], destination: ['number||+4930227350'] });
    const whole = () => Promise.all([dialplanOf(id), service.cli('ivr', 'export', id, '--to', 'freeswitch')]);
    const [none, without] = await whole();
    for (const text of [none, without.stdout]) {
      expect(text).toContain('Fill in: another destination. The settings allow no calls to outside numbers.');
      expect(text).not.toMatch(/[,"]\+4930227350/);
    }
    await service.cli('settings', 'set', 'outside_countries', 'de');
    await service.cli('settings', 'set', 'outside_calls_per_hour', '5');
    const [some, other] = await whole();
    expect(some).toContain('GotoIf($[${ROTAVOX_OUTSIDE} > 5]?over)');
    expect(some).toContain('Goto(from-internal,+4930227350,1)');
    expect(other.stdout).toContain('data="hash rotavox outside 5/3600"');
    expect(other.stdout).toContain('data="+4930227350 XML default"');
    expect(other.stdout).toContain('FreeSWITCH counts these calls in memory');
    await service.cli('settings', 'set', 'outside_countries', 'none');
  });

  it('has the places of the telephone system that it is for', async () => {
    const id = await stored({ option: ['1'], destination: ['department||5'] });
    const add = (name: string, port: number, ...rest: string[]) => {
      const url = `http://127.0.0.1:${port}`;
      const line = ['pbx', 'add', name, '--url', url, '--user', 'rotavox', ...rest];
      return rotavox(line, { dataDir: service.dataDir, stdin: 'secret\n' });
    };
    expect(await add('office', 1, '--route', 'department=ext-queues,{id}')).toMatchObject({ code: 0 });
    expect(await dialplanOf(id)).toContain('Goto(ext-queues,5,1)');
    expect(await service.json('pbx', 'change', 'office', '--route', 'queue=queues,{id}')).toMatchObject({
      destinations: { department: { context: 'queues', extension: '{id}' } },
    });
    expect(await dialplanOf(id)).toContain('Goto(queues,5,1)');
    expect(await service.json('pbx', 'change', 'office', '--dialplan', 'asterisk')).toMatchObject({
      destinations: plainDestinationRules,
    });
    await service.cli('pbx', 'change', 'office', '--route', 'queue=ext-queues,{id}');
    expect(await add('branch', 2, '--route', 'department=none')).toMatchObject({ code: 0 });
    const undecided = await service.cli('ivr', 'export', id, '--to', 'asterisk');
    expect(undecided).toMatchObject({ code: 2, stdout: '' });
    expect(undecided.stderr).toContain('Choose one with --pbx: office, branch.');
    expect(await dialplanOf(id, '--pbx', 'office')).toContain('Goto(ext-queues,5,1)');
    expect(await dialplanOf(id, '--pbx', 'branch')).toContain('; department||5. Fill in: ');
    expect(await service.cli('ivr', 'export', id, '--to', 'asterisk', '--pbx', 'nobody')).toMatchObject({
      code: 1,
      stderr: 'There is no telephone system “nobody”. See them with `rotavox pbx list`.\n',
    });
  });
});
