import { describe, expect, it } from 'vitest';
import { RecordingView } from '../../../src/contract/menu/recording.ts';
import { findRecordings } from '../../../src/renderer/recordings/recordings-window.tsx';
import { placesOfUse } from '../../../src/renderer/recordings/recording-row.tsx';
import { nameOfFile } from '../../../src/renderer/recordings/upload/use-uploads.ts';

const use = (kind: 'draft' | 'ivr', id: string, name: string, field: string) => ({ kind, id, name, field });
const recording = (id: string, name: string, uses: ReturnType<typeof use>[] = []) =>
  RecordingView.parse({
    id,
    name,
    format: 'wav',
    bytes: 1,
    duration_ms: 1,
    digest: '0',
    speech: null,
    unused_since: null,
    changed: [],
    removed_at: null,
    created_at: '',
    updated_at: '',
    used_by: uses,
  });

describe('a search of recordings', () => {
  const all = [
    recording('greeting', 'Welcome', [use('ivr', 'ivr_1', 'Reception', 'recording')]),
    recording('42', 'Wrong key'),
  ];
  it.each([
    ['', ['greeting', '42']],
    ['WELCOME', ['greeting']],
    ['recording||42', ['42']],
    ['recep wel', ['greeting']],
    ['welcome wrong', []],
    ['wav', ['greeting', '42']],
  ])('for “%s” finds what has every word', (text, ids) => {
    expect(findRecordings(all, text).map(({ id }) => id)).toEqual(ids);
  });
});

describe('where a recording is played', () => {
  it('is told once for a menu, with everything it is played for there', () => {
    const uses = [
      use('ivr', 'ivr_1', 'Reception', 'recording'),
      use('draft', 'd/1', 'Night', 'nodes.m1.timeout_recording'),
      use('ivr', 'ivr_1', 'Reception', 'invalid_recording'),
    ];
    expect(placesOfUse(uses)).toEqual([
      { key: 'ivr ivr_1', path: '/ivr/ivr_1', name: 'Reception', text: 'prompt and after a wrong key' },
      { key: 'draft d/1', path: '/ivr/drafts/d%2F1', name: 'Night', text: 'draft, after the last timeout' },
    ]);
  });
});

describe('the name of an uploaded file', () => {
  it.each([
    ['welcome_to_us.wav', 'welcome to us'],
    ['Öffnungszeiten  2026.mp3', 'Öffnungszeiten 2026'],
    ['no extension', 'no extension'],
    ['v1.2 final.ogg', 'v1.2 final'],
    ['.wav', 'Recording'],
    ['', 'Recording'],
    [`${'😀'.repeat(120)}.wav`, '😀'.repeat(100)],
  ])('%s becomes %s', (file, name) => {
    expect(nameOfFile(file)).toBe(name);
  });
});
