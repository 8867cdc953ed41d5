import type { FlowPrompts, IvrDocument, MenuNode } from '../../contract/menu/ivr-draft.ts';

/** The prompts of a menu that the call flow has a default for, and which one. */
export const defaultOf = {
  invalid_recording: 'wrong_key',
  timeout_retry_recording: 'timeout',
  timeout_recording: 'timeout',
} as const satisfies Partial<Record<keyof MenuNode, keyof FlowPrompts>>;
export type PromptField = keyof typeof defaultOf;

/** The prompt that a menu without its own plays; null if none is chosen. */
export function flowPrompt(
  { prompts }: Pick<IvrDocument, 'prompts'>,
  which: keyof FlowPrompts,
): string | null {
  return prompts?.[which] ?? null;
}

/** Chooses the prompt of all menus that have none of their own. */
export function changeFlowPrompt(
  document: IvrDocument,
  which: keyof FlowPrompts,
  prompt: string | null,
): IvrDocument {
  if (flowPrompt(document, which) === prompt) return document;
  return {
    ...document,
    prompts: { ...(document.prompts ?? { wrong_key: null, timeout: null }), [which]: prompt },
  };
}

/** A menu with the prompts that its callers hear: its own, otherwise those of the call flow. */
export function withFlowPrompts(document: Pick<IvrDocument, 'prompts'>, menu: MenuNode): MenuNode {
  const heard = (field: PromptField): string | null => menu[field] ?? flowPrompt(document, defaultOf[field]);
  return {
    ...menu,
    invalid_recording: heard('invalid_recording'),
    timeout_retry_recording: heard('timeout_retry_recording'),
    timeout_recording: heard('timeout_recording'),
  };
}
