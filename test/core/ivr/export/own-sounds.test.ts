import { expect, it } from 'vitest';
import { defaultDestinationRules } from '../../../../src/contract/calls/pbx.ts';
import { flowOfBody } from '../../../../src/core/ivr/body/flow-of-body.ts';
import { parseIvrBody } from '../../../../src/core/ivr/body/parse-ivr-body.ts';
import { asteriskDialplan } from '../../../../src/core/ivr/export/asterisk-dialplan.ts';
import { dialplanNames } from '../../../../src/core/ivr/export/dialplan-names.ts';
import { freeswitchMenus } from '../../../../src/core/ivr/export/freeswitch-menus.ts';
import { ivrBody } from '../../../fixtures/ivr-bodies.ts';

const parsed = parseIvrBody(
  {
    ...ivrBody,
    recording: 'recording||custom/welcome.wav',
    invalid_recording: 'recording||wrong',
    timeout_recording: 'recording||/var/lib/asterisk/sounds/bye',
  },
  { smsTemplatesEnabled: false },
);
if (!parsed.ok) throw new Error('not a body');
const flow = flowOfBody(parsed.value.body);
const again = ivrBody.timeout_retry_recording.split('||')[1] ?? '';
const stored = new Set([again]);

it('the exports play a sound of the telephone system by the name that live calls play', () => {
  const dialplan = asteriskDialplan(flow, 'rotavox_shop', {
    rules: defaultDestinationRules,
    recordings: stored,
  });
  expect(dialplan).toContain('Background(custom/welcome)');
  expect(dialplan).toContain('Background(wrong)');
  expect(dialplan).toContain('Playback(/var/lib/asterisk/sounds/bye)');
  expect(dialplan).toContain(`Background(rotavox/recording_${again})`);
  expect(dialplan).toContain(
    '; These sounds have to be on the telephone system already:\n;   custom/welcome\n',
  );
  const xml = freeswitchMenus(flow, 'rotavox_shop', stored);
  expect(xml).toContain('$${sounds_dir}/custom/welcome.wav');
  expect(xml).toContain('/var/lib/asterisk/sounds/bye.wav');
  expect(xml).not.toContain('}/var');
});

it('where the stored recordings are not known, what may be one of them keeps its file', () => {
  const { prompts, sounds } = dialplanNames(flow, 'rotavox_shop');
  expect(sounds.get('recording||custom/welcome.wav')).toBe('custom/welcome');
  expect(prompts.get('recording||wrong')).toBe('recording_wrong');
});

it('an export that has no audio of its own does not ask for any', () => {
  const none = new Set<string>();
  const dialplan = asteriskDialplan(flow, 'rotavox_shop', {
    rules: defaultDestinationRules,
    recordings: none,
  });
  for (const text of [dialplan, freeswitchMenus(flow, 'rotavox_shop', none)]) {
    expect(text).not.toContain('Put the audio');
    expect(text).toContain('sounds have to be on the telephone system already:');
  }
});
