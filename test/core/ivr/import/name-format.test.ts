import { describe, expect, it } from 'vitest';
import type { ForeignFormat } from '../../../../src/contract/menu/ivr-import.ts';
import { documentExport } from '../../../../src/core/ivr/document-file.ts';
import { isBody, readImport } from '../../../../src/core/ivr/import/read-import.ts';
import { importErrors } from '../../../../src/text/menu/flow-import.ts';
import { ivrBody } from '../../../fixtures/ivr-bodies.ts';
import { receptionDocument } from '../../../fixtures/reception-document.ts';

const json = (value: unknown) => JSON.stringify(value);

/** Small files in the form that each program writes, made for this test; the source of each form is named. */
const samples: readonly (readonly [what: string, format: ForeignFormat, text: string])[] = [
  // docs.asterisk.org, “Dialplan”; configs/samples/extensions.conf.sample.
  [
    'a dialplan',
    'dialplan',
    '[office]\nexten => s,1,Answer()\n same => n(ask),Background(custom/office)\n same => n,WaitExten(6)\nexten => 1,1,Goto(from-internal,101,1)\n',
  ],
  [
    'a dialplan with comments and globals first',
    'dialplan',
    '; office\n[globals]\nA=1\n\n[office]\nexten=>_1XX,1,Dial(PJSIP/${EXTEN})\n',
  ],
  ['a dialplan of one line', 'dialplan', 'exten => 700,1,Stasis(other,1)\n'],
  // configs/samples/extensions.ael.sample.
  [
    'a dialplan in AEL',
    'dialplan',
    'context office {\n  s => {\n    Answer();\n    WaitExten(5);\n  };\n}\n',
  ],
  // signalwire/freeswitch, conf/vanilla/ivr_menus/demo_ivr.xml.
  [
    'a menu of FreeSWITCH',
    'freeswitch',
    '<include>\n  <!-- demo -->\n  <menu name="office" greet-long="phrase:office" timeout="10000" digit-len="1">\n    <entry action="menu-exec-app" digits="1" param="transfer 101 XML default"/>\n  </menu>\n</include>\n',
  ],
  // conf/vanilla/freeswitch.xml, and a dialplan.
  [
    'a configuration of FreeSWITCH',
    'freeswitch',
    '<?xml version="1.0"?>\n<document type="freeswitch/xml">\n  <section name="dialplan"/>\n</document>\n',
  ],
  [
    'a dialplan of FreeSWITCH',
    'freeswitch',
    '<!-- office --><context name="default"><extension name="a"><condition field="destination_number" expression="^1$"><action application="ivr" data="office"/></condition></extension></context>',
  ],
  // twilio.com/docs/studio/rest-api/v2/flow-definition, and the reply of its API.
  [
    'a flow of Studio',
    'studio_flow',
    json({
      description: 'Office',
      states: [
        {
          name: 'Trigger',
          type: 'trigger',
          transitions: [{ event: 'incomingCall', next: 'menu' }],
          properties: {},
        },
        { name: 'menu', type: 'gather-input-on-call', transitions: [], properties: { timeout: 5 } },
      ],
      initial_state: 'Trigger',
      flags: { allow_concurrent_calls: true },
    }),
  ],
  [
    'the reply of the API of Studio',
    'studio_flow',
    json({ sid: 'FW0', friendly_name: 'Office', definition: { states: [], initial_state: 'Trigger' } }),
  ],
  // docs.aws.amazon.com/connect/latest/adminguide/flow-language-example.html.
  [
    'a flow of Connect',
    'connect_flow',
    json({
      Version: '2019-10-30',
      StartAction: 'a',
      Metadata: { EntryPointPosition: { x: 88, y: 100 } },
      Actions: [{ Identifier: 'a', Type: 'GetParticipantInput', Parameters: {}, Transitions: {} }],
    }),
  ],
  // What its console exported before (a flow of the type contactFlow), and DescribeContactFlow.
  [
    'an older flow of Connect',
    'connect_flow',
    json({ modules: [{ id: 'a', type: 'GetUserInput' }], version: '1', type: 'contactFlow', start: 'a' }),
  ],
  ['the reply of the API of Connect', 'connect_flow', json({ ContactFlow: { Arn: 'a', Content: '{}' } })],
  // 3cx/cfd-demos, samples/Menu.
  [
    'a flow of the 3CX designer',
    'cfd_flow',
    '<?xml version="1.0" encoding="utf-8"?>\n<File>\n  <Version>2.0</Version>\n  <Flows><MainFlow><ns0:MainFlow xmlns:ns0="clr-namespace:TCX.CFD.Classes.Components;Assembly=3CX"/></MainFlow></Flows>\n</File>',
  ],
  [
    'a project of the 3CX designer',
    'cfd_flow',
    '<?xml version="1.0"?>\n<Graphical_Application_Designer_Project><Version>2.0</Version></Graphical_Application_Designer_Project>',
  ],
  // developer.genesys.cloud, “Archy: YAML flow definitions”.
  [
    'a flow of Genesys',
    'genesys_flow',
    'inboundCall:\n  name: Office\n  startUpRef: "/inboundCall/menus/menu[mainMenu]"\n  menus:\n    - menu:\n        refId: mainMenu\n',
  ],
  // docs.2600hz.com, “Callflows”, “Menu”.
  [
    'a callflow of Kazoo',
    'kazoo_callflow',
    json({ numbers: ['700'], flow: { module: 'menu', data: { id: 'a' }, children: { '1': {} } } }),
  ],
  // w3.org/TR/voicexml21.
  [
    'VoiceXML',
    'voicexml',
    '<?xml version="1.0"?>\n<!DOCTYPE vxml PUBLIC "-//W3C//DTD VOICEXML 2.1//EN" "http://www.w3.org/TR/voicexml21/vxml.dtd">\n<vxml version="2.1"><menu><choice dtmf="1" next="#a"/></menu></vxml>',
  ],
  // twilio.com/docs/voice/twiml/gather.
  ['TwiML', 'twiml', '<?xml version="1.0" encoding="UTF-8"?>\n<Response><Gather numDigits="1"/></Response>'],
  // developer.vonage.com, “NCCO reference”.
  [
    'an NCCO',
    'ncco',
    json([
      { action: 'talk', text: 'Press 1' },
      { action: 'input', type: ['dtmf'], dtmf: { maxDigits: 1 } },
    ]),
  ],
  ['a picture', 'picture', '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"></svg>'],
  ['a drawing of Graphviz', 'picture', 'digraph office {\n  a -> b;\n}\n'],
  ['a page instead of a file', 'web_page', '<!DOCTYPE html>\n<html lang="en"><head></head></html>'],
];

describe('the file of another telephone system', () => {
  it.each(samples)('is named: %s', (_what, format, text) => {
    for (const written of [text, `\ufeff${text}`, text.replaceAll('\n', '\r\n')]) {
      const read = readImport(written);
      expect(read.ok ? [] : read.refusal).toEqual([{ code: 'foreign', at: '', params: { format } }]);
    }
  });

  it('is refused with the way out', () => {
    const read = readImport('[office]\nexten => s,1,Answer()\n');
    expect(read.ok ? [] : importErrors(read.refusal)).toEqual([
      {
        field: '',
        message:
          'is an Asterisk dialplan, which cannot be imported. Draw it in the designer, or bring its menus as JSON: ' +
          'as a body of POST /v1/ivr, a list of them, or a draft that was exported here',
      },
    ]);
  });

  it.each([
    ['a text', 'This is my menu.\nPress 1 for sales.\n'],
    ['broken JSON', '{"name":"x",\n"exten => 1,1":}'],
    ['other XML', '<?xml version="1.0"?><menu><item>Soup</item></menu>'],
    ['another file of a Windows program', '<File><Version>1</Version></File>'],
  ])('is not seen in %s', (_what, text) => {
    const read = readImport(text);
    expect(read.ok ? [] : read.refusal[0]?.code).toBe('not_json');
  });

  it('is not seen in JSON that has menus', () => {
    expect(readImport(json({ ...ivrBody, states: [], initial_state: 'x' })).ok).toBe(true);
    expect(readImport(json([ivrBody])).ok).toBe(true);
  });
});

describe('a file that is one body', () => {
  it.each<[boolean, unknown]>([
    [true, ivrBody],
    [true, {}],
    [true, { name: 'x' }],
    [false, [ivrBody]],
    [false, { data: [ivrBody] }],
    [false, { data: [] }],
    [false, { ...ivrBody, ivr_menu: [] }],
    [false, JSON.parse(documentExport(receptionDocument))],
    [false, { states: [], initial_state: 'x' }],
    [true, 7],
    [true, null],
  ])('is %j: %j', (isOne, value) => {
    expect(isBody(value)).toBe(isOne);
  });
});
