import { changeFlowPrompt, flowPrompt } from '../../../core/ivr/flow-prompts.ts';
import { editText } from '../../../text/menu/designer.ts';
import { flowPromptText as text } from '../../../text/menu/designer-inspector.ts';
import { Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { RecordingLine } from './inspector/recording-line.tsx';
import { useDesigner, useDesignerState } from './use-designer.ts';

/** The prompts of all menus that have none of their own. */
export function FlowPrompts() {
  const { store } = useDesigner();
  const document = useDesignerState((state) => state.document);
  return (
    <Stack as="section" gap={3} aria-label={text.title}>
      <Text as="h3" size="medium" weight="bold">
        {text.title}
      </Text>
      <Text tone="soft" size="small">
        {text.hint}
      </Text>
      {(['wrong_key', 'timeout'] as const).map((which) => (
        <RecordingLine
          key={which}
          label={text.labels[which]}
          path={`prompts.${which}`}
          value={flowPrompt(document, which)}
          onChange={(prompt) =>
            store.edit(editText.changeFlowPrompt, (before) => changeFlowPrompt(before, which, prompt), {
              merge: `prompts.${which}`,
            })
          }
        />
      ))}
    </Stack>
  );
}
