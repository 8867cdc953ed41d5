import { describe, expect, it } from 'vitest';
import type { WantedColumns } from '../../../src/contract/menu/directory.ts';
import { extensionKind, smsTemplateKind } from '../../../src/core/change-directory.ts';
import { rowsOfCsv } from '../../../src/core/directory-file/read-csv.ts';
import { readEntries, previewColumns } from '../../../src/core/directory-file/read-entries.ts';
import { fieldErrors } from '../../../src/text/window/field-errors.ts';

function read(csv: string, wanted?: WantedColumns) {
  const result = readEntries(extensionKind, rowsOfCsv(csv), wanted);
  if (!result.ok) throw new Error(JSON.stringify(result.refusal));
  return result.value;
}
const pairsOf = (csv: string, wanted?: WantedColumns) =>
  read(csv, wanted).entries.map(({ id, name }) => [id, name]);
function errorsOf(csv: string, wanted?: WantedColumns) {
  const result = readEntries(extensionKind, rowsOfCsv(csv), wanted);
  return result.ok ? [] : fieldErrors(result.refusal).map(({ field, message }) => `${field} ${message}`);
}

/** The headings of a FreePBX Bulk Handler export, as two programs that write such files have them. */
const freePbx =
  'extension,password,name,voicemail,ringtimer,noanswer,recording,outboundcid,sipname,noanswer_cid,busy_cid,chanunavail_cid,' +
  'noanswer_dest,busy_dest,chanunavail_dest,mohclass,id,tech,dial,devicetype,user,description,emergency_cid,hint_override,cwtone,' +
  'recording_in_external,recording_out_external,recording_in_internal,recording_out_internal,recording_ondemand,' +
  'recording_priority,answermode,intercom,cid_masquerade,concurrency_limit,devicedata,accountcode,aggregate_mwi,allow,avpf,' +
  'bundle,callerid,context,defaultuser,device_state_busy_at,direct_media,disallow,dtmfmode,force_callerid,force_rport,icesupport,' +
  'mailbox,match,max_audio_streams,max_contacts,max_video_streams,maximum_expiration,md5_cred,media_address,media_encryption,' +
  'media_encryption_optimistic,media_use_received_transport,message_context,minimum_expiration,mwi_subscription,namedcallgroup,' +
  'namedpickupgroup,outbound_auth,outbound_proxy,qualifyfreq,refer_blind_progress,remove_existing,rewrite_contact,rtcp_mux,' +
  'rtp_symmetric,rtp_timeout,rtp_timeout_hold,secret,send_connected_line,sendrpid,sipdriver,timers,timers_min_se,transport,' +
  'trustrpid,user_eq_phone,vmexten,webrtc,callwaiting_enable,voicemail_enable,voicemail_vmpwd,voicemail_email,voicemail_pager,' +
  'voicemail_options,voicemail_same_exten,disable_star_voicemail,vmx_unavail_enabled,vmx_busy_enabled,vmx_temp_enabled,' +
  'vmx_play_instructions,vmx_option_0_number,vmx_option_1_number,vmx_option_2_number';

describe('the file of another telephone system', () => {
  it('of FreePBX is read, with more than a hundred columns of which two are wanted', () => {
    const headings = freePbx.split(',');
    expect(headings.length).toBeGreaterThan(100);
    const cells: Record<string, string> = {
      extension: '101',
      name: 'Front desk',
      id: '7',
      secret: 'hidden',
      description: 'x',
    };
    const csv = `${freePbx}\n${headings.map((heading) => cells[heading] ?? '').join(',')}\n`;
    expect(read(csv)).toEqual({
      entries: [{ id: '101', name: 'Front desk' }],
      columns: { id: ['extension'], name: ['name'] },
      // Empty columns are not worth a word.
      leftOut: [
        { column: 17, heading: 'id' },
        { column: 22, heading: 'description' },
        { column: 78, heading: 'secret' },
      ],
      repeated: 0,
      unnamed: new Set(),
    });
  });

  // FusionPBX, 3CX and Yeastar write an empty name where a fax or a door has none; knadh/listmonk#1547 for people's wishes.
  it('names an extension without a name by its id, and tells which', () => {
    const csv = 'Number,FirstName,LastName\n100,Ada,Byron\n101,,\n0102, ,\u00a0\n,,x\n';
    expect(errorsOf(csv)).toHaveLength(1);
    const { entries, unnamed } = read(csv.replace(',,x\n', ''));
    expect(entries).toEqual([
      { id: '100', name: 'Ada Byron' },
      { id: '101', name: '101' },
      { id: '0102', name: '0102' },
    ]);
    expect([...unnamed]).toEqual(['101', '0102']);
  });

  it.each([
    // 3CX, “Importing Extensions in Bulk - CSV File Structure” (3cx.com/blog/docs/bulk-extension-import).
    [
      '3CX',
      'Number,FirstName,LastName,EmailAddress,MobileNumber,AuthID,AuthPassword\n101,Ada,Lovelace,a@example.com,,a,b\n102,Store,,,,c,d',
      [
        ['101', 'Ada Lovelace'],
        ['102', 'Store'],
      ],
    ],
    // Switchvox, “Manage Import Extensions”: the label row of its export.
    [
      'Switchvox',
      'ext,fname,lname,login_email,title,location,password\n101,Ada,Lovelace,a@example.com,,,x',
      [['101', 'Ada Lovelace']],
    ],
    // Yeastar, “Extension Parameters”: the caller ID is a number there.
    [
      'Yeastar',
      'First Name,Last Name,Email Address,Extension Number,Caller ID\nAda,Lovelace,a@example.com,101,101',
      [['101', 'Ada Lovelace']],
    ],
    // FusionPBX, the columns of its table of extensions.
    [
      'FusionPBX',
      'extension,number_alias,password,effective_caller_id_name,description\n101,,x,Front desk,y',
      [['101', 'Front desk']],
    ],
    // Asterisk and FreePBX write who calls with the number.
    [
      'a list of devices',
      'extension,callerid\n101,"""Front desk"" <101>"\n102,Store <102>',
      [
        ['101', 'Front desk'],
        ['102', 'Store'],
      ],
    ],
    ['Excel, by hand', 'Ext. #;Display Name;Department\n101;Front desk;Sales', [['101', 'Front desk']]],
    [
      'Excel, over two lines',
      '"Extension\nnumber","Display\nname"\r\n101,Front desk\r\n',
      [['101', 'Front desk']],
    ],
  ])('is read: %s', (_what, csv, pairs) => {
    expect(pairsOf(csv)).toEqual(pairs);
  });

  it.each<[string, WantedColumns, [string, string][]]>([
    ['by its heading', { id: 'Durchwahl', name: 'Person' }, [['101', 'Ada']]],
    ['by its heading in other letters', { id: 'DURCHWAHL', name: 'person' }, [['101', 'Ada']]],
    ['by several headings', { id: 'Durchwahl', name: 'Person + Raum' }, [['101', 'Ada 7']]],
    ['by its number', { id: [1], name: [3, 2] }, [['101', '7 Ada']]],
  ])('is read where a column is named %s', (_how, wanted, pairs) => {
    expect(pairsOf('Durchwahl;Person;Raum\n101;Ada;7', wanted)).toEqual(pairs);
  });

  it('is refused with its headings where none is known, or one that is named is missing', () => {
    const csv = 'Durchwahl;Person\n101;Ada';
    expect(errorsOf(csv)).toEqual([
      'csv row 1 has no heading that is known for id; its columns are Durchwahl, Person. Say which of them it is',
      'csv row 1 has no heading that is known for name; its columns are Durchwahl, Person. Say which of them it is',
    ]);
    expect(errorsOf(csv, { id: 'Nummer', name: [3] })).toEqual([
      'csv row 1 has no column “Nummer”; its columns are Durchwahl, Person',
      'csv row 1 has no column “3”; its columns are Durchwahl, Person',
    ]);
  });
});

describe('a habit of spreadsheets', () => {
  it.each([
    ['its own first line', 'sep=;\r\nid;name\r\n101;Front desk\r\n'],
    [
      'its own first line, in quotation marks and with a mark',
      '\ufeff"sep=|"\r\nid|name\r\n101|Front desk\r\n',
    ],
    ['its own first line for tabs', 'sep=\t\nid\tname\n101\tFront desk\n'],
    ['tabs', 'id\tname\r\n101\tFront desk\r\n'],
    ['semicolons, also where a heading has a comma', 'id;name;"a,b,c"\n101;Front desk;x\n'],
    ['columns without heading and content', 'id,name,,\n101,Front desk,,\n'],
    ['a first column without heading and content', ',id,name\n,101,Front desk\n'],
    // deephaven/deephaven-core#1800, FSharp.Data#688: one more separator in some rows.
    ['a separator at the end of the headings only', 'id,name,\n101,Front desk\n'],
    ['separators at the end of the rows only', 'id,name\n101,Front desk,,,\n'],
    // ddeboer/data-import#33 (Outlook), mautic/mautic#610: fewer in some.
    ['cells left out at the end of a row', 'id,name,note\n101,Front desk\n'],
    ['empty rows, before and after', '\n,,\nid,name\n101,Front desk\n,\n\n \u00a0,\n'],
    ['blanks that do not break', 'id\u00a0,name\n\u00a0101\u00a0,\u00a0Front\u00a0desk\n'],
    ['the same row again', 'id,name\n101,Front desk\n101,Front desk\n'],
    // parsecsv-for-php#213, and what such a file becomes in a program that writes all cells in quotation marks.
    ['a formula that is a text', 'id;name\n="101";="Front desk"\n'],
    ['a formula that is a text, in quotation marks', 'id,name\n"=""101""","Front desk"\n'],
    ['old line breaks of a Mac', 'id,name\r101,Front desk\r'],
    ['other line breaks after the headings', 'id,name\r\n101,Front desk\n101,Front desk\r\n'],
    ['other line breaks after the headings, and at the end', 'id,name\n101,Front desk\r101,Front desk\r\n'],
    [
      'invisible characters in and around a number',
      'id,name\n\u202a1\u200b01\u202c,Front desk\n\u200e101,Front desk\n',
    ],
  ])('is taken: %s', (_what, csv) => {
    expect(pairsOf(csv)).toEqual([['101', 'Front desk']]);
  });

  it('is counted where rows are repeated, and told where a column has content', () => {
    const { repeated, leftOut } = read('id,name,,room\n101,a,x,7\n101,a,,\n');
    expect(repeated).toBe(1);
    expect(leftOut).toEqual([
      { column: 3, heading: '' },
      { column: 4, heading: 'room' },
    ]);
    expect(errorsOf('id,name\n101,a\n101,b')).toEqual([
      'csv row 3, id must not be there twice: 101 is already in row 2',
    ]);
  });

  it('keeps line breaks and blanks in the text of an SMS template', () => {
    const csv = 'id,name,text\r\n31,Directions,"Main Street\u00a01\r\n  second floor "\r\n';
    const result = readEntries(smsTemplateKind, rowsOfCsv(csv));
    expect(result.ok && result.value.entries).toEqual([
      { id: '31', name: 'Directions', text: 'Main Street\u00a01\r\n  second floor ' },
    ]);
  });
});

describe('what a spreadsheet has damaged', () => {
  it.each([
    ...['4.93056E+11', '1.01E+02', '4,93E+11', '1e+15', '101.0', '101,00', '49,301,234', "1'001"],
    ...[
      '1/2/2025',
      '01.02.2025',
      '2025-01-02',
      '1/2/25',
      '01-Feb',
      'Feb-01',
      '1. Feb',
      '02-Mrz',
      '3-mars-24',
    ],
    '2025-01-02 00:00:00',
  ])('is refused as an id, with the remedy: %s', (id) => {
    expect(errorsOf(`id;name\n100;a\n"${id}";b`)).toEqual([
      `csv row 3, id was changed by the spreadsheet to “${id}”. Format the column as text there, enter it again and save the file`,
    ]);
  });

  it.each(["'0101", '’0101'])('is refused with its apostrophe: %s', (id) => {
    expect(errorsOf(`id,name\n${id},b`)).toEqual([
      `csv row 2, id has the apostrophe with which a spreadsheet marks text: “${id}”. Remove it, and format the column as text there`,
    ]);
  });

  it.each(['#N/A', '#NV', '#REF!', '#NAME?', '#VALUE!', '#DIV/0!', '#####'])(
    'is refused in every column that is read: %s',
    (error) => {
      const rest = `is “${error}”, which a spreadsheet shows instead of a value. Correct the cell there and save the file`;
      expect(errorsOf(`id,name,room\n${error},b,x`)).toEqual([`csv row 2, id ${rest}`]);
      expect(errorsOf(`id,name,room\n101,${error},x`)).toEqual([`csv row 2, name ${rest}`]);
      expect(pairsOf(`id,name,room\n101,b,${error}`)).toEqual([['101', 'b']]);
    },
  );

  it.each([
    ...[
      '101',
      '0101',
      '007',
      '*97',
      '+49 30 555010',
      '+4930555010',
      '2E10',
      '12E12',
      '#1',
      'A-101',
      "o'brien",
      '1.2.3.4',
    ],
    ...['101 102', 'mai', 'march', '10-12-14', '-1'],
  ])('is nothing of this: %s', (id) => {
    expect(pairsOf(`id,name\n"${id}",b`)).toEqual([[id, 'b']]);
  });
});

describe('the columns of a file, before it is imported', () => {
  it('are those that the headings tell, with their first values', () => {
    const csv = 'Number,FirstName,LastName,\n\n101,Ada,Lovelace,x\n102,Store,,\n103,,,\n104,Late,Comer,\n';
    expect(previewColumns(extensionKind, csv, {})).toEqual({
      headings: ['Number', 'FirstName', 'LastName', ''],
      fields: [
        { field: 'id', places: [0], samples: ['101', '102', '103'] },
        { field: 'name', places: [1, 2], samples: ['Ada Lovelace', 'Store'] },
      ],
    });
  });

  it('are those that a person chose; a field whose column is not known has none', () => {
    const csv = 'Durchwahl;Person\n101;Ada';
    expect(previewColumns(extensionKind, csv, { name: [2] })?.fields).toEqual([
      { field: 'id', places: [], samples: [] },
      { field: 'name', places: [1], samples: ['Ada'] },
    ]);
  });

  it.each(['', '\n\n', ';;\n'])('are none of %j', (csv) => {
    expect(previewColumns(extensionKind, csv, {})).toBeNull();
  });
});
