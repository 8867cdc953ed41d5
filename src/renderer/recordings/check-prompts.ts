import type { SilentPrompt } from '../../contract/calls/pbx.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Resource } from '../kit/live/resource.ts';

export interface CheckedPrompts {
  /** Those that were asked about: an earlier answer is shown until the next one is there. */
  readonly prompts: readonly string[];
  readonly silent: readonly SilentPrompt[];
}

/** Which of these prompts callers do not hear, as menus write them. Asked again when recordings or telephone systems change. */
export function silentPrompts(prompts: readonly string[]): Resource<CheckedPrompts> {
  return {
    key: ['silent prompts', ...prompts],
    about: ['recording.', 'pbx.'],
    keepsPrevious: true,
    read: async (signal) => {
      if (prompts.length === 0) return { kind: 'ok', value: { prompts, silent: [] } };
      const reply = await askPortal('checkPrompts', { body: { prompts: [...prompts] }, signal });
      return reply.kind === 'ok' ? { kind: 'ok', value: { prompts, silent: reply.value.silent } } : reply;
    },
  };
}
