import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DirectoryImported, type Extension } from '../../../src/contract/menu/directory.ts';
import { exactCell, harmlessCell, rowsOfCsv } from '../../../src/core/directory-file/read-csv.ts';
import { csvOfRows } from '../../../src/service/portal/csv-text.ts';
import { importNotes } from '../../../src/text/menu/directory-text.ts';
import { ofFile } from '../../fixtures/when-over.ts';
import { type Answer, OpenService } from '../open-service.ts';

const extensions = '/portal/extensions';
const templates = '/portal/sms-templates';

const idsOf = ({ body }: Answer) => (body['extensions'] as Extension[]).map(({ id }) => id);
const importing = (service: OpenService, csv: string, more: object = {}, path = extensions) =>
  service.owner('POST', `${path}/import`, { csv, ...more });

/** For what changes nothing. */
const unchanged = ofFile(() => OpenService.start());

describe('a directory', () => {
  it('is listed by id, numbers by their value', async () => {
    const service = await OpenService.start();
    const set = ['b', '101', '20', 'a', '007', '7'].map((id) => ({ id, name: `Number ${id}` }));
    const changed = await service.owner('PATCH', extensions, { set });
    expect(idsOf(changed)).toEqual(['007', '7', '20', '101', 'a', 'b']);
    expect((await service.owner('GET', extensions)).body).toEqual(changed.body);
  });

  it('is changed as a whole or not at all, and a change of nothing is none', async () => {
    const service = await OpenService.start();
    const set = [{ id: '101', name: 'Sales' }];
    await service.owner('PATCH', extensions, { set });
    const before = service.store.health().last_seq;
    await service.owner('PATCH', extensions, { set, remove: ['nobody'] });
    expect(service.store.health().last_seq).toBe(before);
    for (const wanted of [
      { set: [...set, { id: '102', name: '' }] },
      {
        set: [
          { id: '102', name: 'a' },
          { id: '102', name: 'b' },
        ],
      },
      { set: [{ id: '102', name: 'a' }], remove: ['102'] },
      { set: [{ id: 'a|b', name: 'a' }] },
      { set: [{ id: '..', name: 'a' }] },
      { set: [{ id: '\ud800', name: 'a' }] },
    ]) {
      expect((await service.owner('PATCH', extensions, wanted)).status, JSON.stringify(wanted)).toBe(400);
    }
    expect(idsOf(await service.owner('PATCH', extensions, { remove: ['101'] }))).toEqual([]);
  });

  it('takes as many entries as its limit, and one more is refused', async () => {
    const service = await OpenService.start();
    const set = Array.from({ length: 10_000 }, (_, place) => ({ id: String(place), name: 'x' }));
    expect((await service.owner('PATCH', extensions, { set })).status).toBe(200);
    const more = await service.owner('PATCH', extensions, { set: [{ id: 'one', name: 'more' }] });
    expect(more.status).toBe(400);
    expect(more.body['message']).toContain('10000');
  });

  it('is imported from what spreadsheets write', async () => {
    const service = await OpenService.start();
    const csv = '\uFEFFName,ID\r\n"Sales, ""north""",101\r\n\r\n"Back; office",102\r\n';
    const dry = await importing(service, csv, { dry_run: true });
    expect(dry.body).toEqual({
      added: ['101', '102'],
      changed: [],
      unchanged: 0,
      repeated: 0,
      unnamed: 0,
      columns: { id: ['ID'], name: ['Name'] },
      left_out: [],
      zeros_lost: [],
      unreachable: [],
    });
    expect(idsOf(await service.owner('GET', extensions))).toEqual([]);
    expect((await importing(service, csv)).body).toEqual(dry.body);
    expect((await service.owner('GET', extensions)).body['extensions']).toEqual([
      { id: '101', name: 'Sales, "north"' },
      { id: '102', name: 'Back; office' },
    ]);
    const again = await importing(service, 'id;name\n101;"Sales, ""north"""\n102;Office\n103;New');
    expect(again.body).toMatchObject({ added: ['103'], changed: ['102'], unchanged: 1 });
  });

  it('keeps its names where a file has none, and names new entries by their id', async () => {
    const service = await OpenService.start();
    await service.owner('PATCH', extensions, { set: [{ id: '101', name: 'Front desk' }] });
    const { body } = await importing(service, 'extension,name\n101,\n102, \n');
    expect(body).toMatchObject({ added: ['102'], changed: [], unchanged: 1, unnamed: 2 });
    expect(importNotes(body as unknown as DirectoryImported)).toEqual([
      '2 entries have no name in the file: new ones are named by their id, known ones keep their name.',
    ]);
    expect((await service.owner('GET', extensions)).body['extensions']).toEqual([
      { id: '101', name: 'Front desk' },
      { id: '102', name: '102' },
    ]);
    const text = { id: '7', name: 'Hours', text: 'Nine to five' };
    await service.owner('PATCH', '/portal/sms-templates', { set: [text] });
    await service.owner('POST', '/portal/sms-templates/import', { csv: 'id,name,text\n7,,Nine to six\n' });
    expect((await service.owner('GET', '/portal/sms-templates')).body['sms_templates']).toEqual([
      { ...text, text: 'Nine to six' },
    ]);
  });

  it('tells which new ids are known ones without the zeros that a spreadsheet takes away', async () => {
    const service = await OpenService.start();
    const set = ['0101', '0102', '103', '0x5'].map((id) => ({ id, name: id }));
    await service.owner('PATCH', extensions, { set });
    const csv = 'id,name\n101,0101\n0102,0102\n103,103\n104,104\n';
    const dry = await importing(service, csv, { dry_run: true });
    expect(dry.body).toMatchObject({ added: ['101', '104'], zeros_lost: [{ id: '101', known: '0101' }] });
    expect(importNotes(dry.body as unknown as DirectoryImported)).toEqual([
      '101 is new, and there is 0101: a spreadsheet may have taken the zero away. If it has, remove 101, and format the column as text there.',
    ]);
    expect((await importing(service, csv)).body).toEqual(dry.body);
    expect((await importing(service, csv)).body).toMatchObject({ added: [], zeros_lost: [] });
  });

  it('suspects no number that a file has in both ways, also where both are new', async () => {
    const service = await OpenService.start();
    const csv = 'id,name\n105,a\n0105,b\n';
    const dry = await importing(service, csv, { dry_run: true });
    expect(dry.body).toMatchObject({ added: ['105', '0105'], zeros_lost: [] });
    expect((await importing(service, csv)).body).toEqual(dry.body);
  });

  it('is imported by a client that reads the reply of an older service', async () => {
    const service = await OpenService.start();
    const { body } = await importing(service, 'id,name\n105,a\n');
    const { unnamed: _unnamed, zeros_lost: _zerosLost, ...older } = body;
    expect(DirectoryImported.parse(older)).toEqual(body);
  });

  it.each([
    ['a missing column', 'id\n1', 'csv row 1', 'has no heading that is known for name; its columns are id'],
    ['a column twice', 'id,name,id\n1,a,2', 'csv row 1', 'twice'],
    ['nothing', '', 'csv', 'contains no rows'],
    ['a row that is too short', 'id,name\n1,a\n2', 'csv row 3', 'must have 2 cells'],
    ['an id that is none', 'id,name\n1,a\n\nb|c,d', 'csv row 4, id', 'must be 1 to 200 characters'],
    ['an id twice', 'id,name\n1,a\n1,b', 'csv row 3, id', 'already in row 2'],
    ['a name that is too long', `id,name\n1,a\n2,${'x'.repeat(101)}`, 'csv row 3, name', 'must be a text'],
    ['an open quote', 'id,name\n1,a\n2,"b', 'csv row 3', 'not closed'],
    ['a quote in a cell', 'id,name\n1,a"b"', 'csv row 2', 'in the middle of a cell'],
  ])('refuses %s with its row, and changes nothing', async (_what, csv, field, words) => {
    const service = await unchanged.get();
    const { status, body } = await importing(service, csv);
    expect(status).toBe(400);
    const [first] = body['errors'] as { field: string; message: string }[];
    expect(first?.field).toBe(field);
    expect(first?.message).toContain(words);
    expect(idsOf(await service.owner('GET', extensions))).toEqual([]);
  });

  it.each([
    ['two million line breaks', `id,name\n${'\n'.repeat(1_999_000)}`, 'csv row 50001', 'one too many'],
    ['as many empty cells', `id,name\n${',\n'.repeat(900_000)}`, 'csv row 50001', 'one too many'],
    ['two hundred thousand columns', 'c,'.repeat(200_000), 'csv row 1', 'more than 500 cells'],
    ['a row of commas', `id,name\n1,a\n${','.repeat(1_900_000)}`, 'csv row 3', 'more than 500 cells'],
    [
      'a heading of two megabytes, twice',
      `${'h'.repeat(900_000)},`.repeat(2),
      'csv row 1',
      'has no heading that is known for id',
    ],
  ])('refuses %s while it reads, in few words', async (_what, csv, field, words) => {
    const service = await unchanged.get();
    const { status, body } = await importing(service, csv);
    expect(status).toBe(400);
    const [first] = body['errors'] as { field: string; message: string }[];
    expect(first?.field).toBe(field);
    expect(first?.message).toContain(words);
    expect(JSON.stringify(body).length).toBeLessThan(2_000);
  });

  it('says of a file that is wrong everywhere what is wrong first, and how much more there is', async () => {
    const service = await unchanged.get();
    const { body } = await importing(service, `id,name\n${'1,#REF!\n'.repeat(10_000)}`);
    const errors = body['errors'] as { field: string; message: string }[];
    expect(errors).toHaveLength(51);
    expect(errors[0]).toEqual({
      field: 'csv row 2, name',
      message: expect.stringContaining('is “#REF!”') as string,
    });
    expect(errors.at(-1)).toEqual({ field: '', message: 'has 9950 more errors' });
    expect(body['message']).toContain('The body has 9950 more errors.');
    const tooMany = await importing(
      service,
      `id,name\n${Array.from({ length: 10_001 }, (_, id) => `${id},a\n`).join('')}`,
    );
    expect(tooMany.body['message']).toBe('csv row 10002 is one too many: there may be 10000 extensions.');
  });

  it('says of an extension that no call can reach it, and what to write', async () => {
    const service = await OpenService.start();
    const { body } = await importing(service, 'id,name\n+49 30 555010,Branch\n101,a\nsip:a@b,c\n');
    expect(body).toMatchObject({
      added: ['+49 30 555010', '101', 'sip:a@b'],
      unreachable: [
        { id: '+49 30 555010', suggested: '+4930555010' },
        { id: 'sip:a@b', suggested: null },
      ],
    });
    const notes = importNotes(body as unknown as DirectoryImported);
    expect(notes[0]).toBe('No call can reach “+49 30 555010”. Write +4930555010.');
    const texts = await importing(service, 'id,name,text\na b,c,d\n', {}, templates);
    expect(texts.body['unreachable']).toEqual([]);
  });

  it('is read row by row: what is behind a row is not looked at yet', () => {
    const rows = rowsOfCsv('id,name\n1,a\n2,"b');
    expect([...rows].map((row) => (row.ok ? row.value : row.refusal))).toEqual([
      ['id', 'name'],
      ['1', 'a'],
      { code: 'quote_not_closed', params: null },
    ]);
  });

  it('reads every CSV text as a library does, and what it has written itself', () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', '\r\n', ' ', 'é', "'", '='),
    });
    const readAll = (csv: string) => {
      const rows = [...rowsOfCsv(csv)];
      return rows.every((row) => row.ok) ? rows.map(({ value }) => value) : null;
    };
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1 }), (rows) => {
        const table = [['id', 'name'], ...rows];
        expect(readAll(csvOfRows(table))).toEqual(table);
      }),
    );
    fc.assert(
      fc.property(cell, (text) => {
        // The library takes a formula that is a text for a mistake.
        fc.pre(!text.includes('="'));
        const csv = `id,name\n${text}`;
        let known: string[][] | null = null;
        try {
          known = parse(csv, { relax_column_count: true, record_delimiter: ['\r\n', '\n', '\r'] });
        } catch {
          // then we do not accept it as CSV either
        }
        expect(readAll(csv)).toEqual(known?.map((row) => row.map(exactCell)) ?? null);
      }),
      { numRuns: 1000 },
    );
  });

  it('is exported as a file that imports unchanged, and that no spreadsheet runs', async () => {
    const service = await OpenService.start();
    const set = [
      { id: '+49', name: '=HYPERLINK("http://x")', text: '\'=1\r\nx, "y"' },
      { id: '-1', name: "''+plus", text: '' },
      { id: "'quoted", name: 'plain', text: '  spaces  ' },
    ];
    await service.owner('PATCH', templates, { set });
    const { status, headers, body } = await service.owner('GET', `${templates}/export`);
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/csv; charset=utf-8/);
    expect(headers['content-disposition']).toBe('attachment; filename="rotavox-sms-templates.csv"');
    const csv = String(body['text']);
    expect(csv).toMatch(/^id,name,text\r\n/);
    expect(csv).not.toMatch(/(?:^|,)"?[=+@-]/m);
    expect((await importing(service, csv, {}, templates)).body).toMatchObject({ unchanged: 3 });
    const before = (await service.owner('GET', templates)).body;
    await service.owner('PATCH', templates, { remove: set.map(({ id }) => id) });
    await importing(service, csv, {}, templates);
    expect((await service.owner('GET', templates)).body).toEqual(before);
    expect((await service.owner('GET', `${extensions}/export`)).body['text']).toBe('id,name\r\n');
  });

  it('quotes what may begin a row or a cell elsewhere', () => {
    expect(csvOfRows([['7', 'plain words', 'a;=1', 'Menu\n=cmd', '\u200b=1']])).toBe(
      '7,plain words,"a;=1","Menu\n=cmd","\'\u200b=1"\r\n',
    );
  });

  it.each([
    // kafbat/kafka-ui#1992, OWASP/www-community#401: a tab or a line break first. hhurz/tableExport.jquery.plugin#230: DDE.
    ...['\t=1', '\r=1', '\r\n=1', '\n=1', "=cmd|' /C calc'!A0", '@SUM(1)', '-2+3', '+49', '|calc'],
    // In full width, small, raised, a minus that is no hyphen, and a sign with a mark on it.
    ...['＝1', '＋1', '－1', '＠A', '｜calc', '﹦1', '﹢1', '﹣1', '⁺1', '\u22121+1', '=\u0338cmd'],
    // Behind what nobody sees.
    ...[
      '\u200b=1',
      '\ufeff=1',
      '\u00a0=1',
      '\u3000＝1',
      '\u2028=1',
      '\u034f=1',
      '\ufe0f=1',
      '\u3164=1',
      '\0=1',
      "'=1",
    ],
  ])('keeps a spreadsheet from reading %j as a formula', (cell) => {
    expect(harmlessCell(cell)).toBe(`'${cell}`);
    expect(exactCell(`'${cell}`)).toBe(cell);
  });

  it('keeps every cell as it was through an export', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(
            "'",
            '=',
            '-',
            '\t',
            'a',
            '+',
            '\u200b',
            '\u00a0',
            '＝',
            '|',
            ';',
            '\n',
            '\u0338',
            '﹣',
            '\u3164',
          ),
        }),
        (cell) => {
          expect(exactCell(harmlessCell(cell))).toBe(cell);
          expect(harmlessCell(cell)).not.toMatch(/^[\p{C}\p{Z}]*[=+\-@|＝＋－＠]/u);
        },
      ),
    );
  });

  it('is the owner’s alone, and survives a restart', async () => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    await service.owner('PATCH', extensions, { set: [{ id: '101', name: 'Sales' }] });
    for (const [method, url] of [
      ['GET', extensions],
      ['POST', `${extensions}/import`],
      ['GET', `${extensions}/export`],
      ['GET', templates],
      ['POST', `${templates}/import`],
      ['GET', `${templates}/export`],
    ] as const) {
      expect((await service.bearer(value, method, url)).status, `${method} ${url}`).toBe(401);
    }
    await service.stop();
    const again = await OpenService.start({ folder: service.folder });
    expect(idsOf(await again.owner('GET', extensions))).toEqual(['101']);
  });
});
