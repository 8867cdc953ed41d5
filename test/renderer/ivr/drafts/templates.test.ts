import { describe, expect, it } from 'vitest';
import { checkDraft } from '../../../../src/core/ivr/check-draft.ts';
import { moveNodes } from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { autoLayout } from '../../../../src/renderer/ivr/designer/layout/auto-layout.ts';
import { templates } from '../../../../src/renderer/ivr/drafts/templates.ts';

const nothingKnown = {
  recordings: new Set<string>(),
  extensions: new Set<string>(),
  menus: new Set<string>(),
  smsTemplates: new Set<string>(),
  routedTypes: new Set(['extension', 'department', 'voicemail', 'time_condition']),
  smsTemplatesEnabled: true,
};

describe('the templates', () => {
  for (const { name, document } of templates) {
    it(`${name} is complete, without any finding on a new telephone system`, () => {
      const { flow, problems, runs } = checkDraft(document, nothingKnown);
      expect(flow).not.toBeNull();
      expect(problems).toEqual([]);
      expect(runs.length).toBeGreaterThan(0);
      expect(runs.every(({ passed }) => passed)).toBe(true);
    });

    it(`${name} lies as the designer would lay it out`, () => {
      expect(moveNodes(document, autoLayout(document))).toEqual(document);
    });
  }
});
