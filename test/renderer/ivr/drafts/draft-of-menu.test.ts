import { describe, expect, it } from 'vitest';
import type { DraftId, DraftSummary, Publication } from '../../../../src/contract/menu/ivr-draft.ts';
import { draftOfMenu } from '../../../../src/renderer/ivr/drafts/open-in-designer.tsx';

function draft(id: string, credential: string | null, menus: Publication['menus']): DraftSummary {
  const at = '2026-01-01T00:00:00.000Z';
  const place = { credential, base_url: 'http://127.0.0.1:1', version: null, published_at: null };
  const counts = { menus: 1, scenarios: 0, errors: 0, warnings: 0 };
  const dates = { created_at: at, updated_at: at };
  return {
    id: id as DraftId,
    name: id,
    revision: 1,
    publications: [{ ...place, menus }],
    ...dates,
    ...counts,
  };
}

describe('the draft of a stored menu', () => {
  it('is the first that has it in this service', () => {
    const drafts = [
      draft('other', null, { menu1: 'ivr_2' }),
      draft('newest', null, { menu1: 'ivr_9', menu2: 'ivr_1' }),
      draft('older', null, { menu1: 'ivr_1' }),
    ];
    expect(draftOfMenu(drafts, 'ivr_1')?.id).toBe('newest');
    expect(draftOfMenu(drafts, 'ivr_3')).toBeUndefined();
  });

  it('is none that has a menu with this id somewhere else', () => {
    expect(draftOfMenu([draft('elsewhere', 'nightly', { menu1: 'ivr_1' })], 'ivr_1')).toBeUndefined();
  });
});
