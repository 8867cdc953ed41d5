import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import type { ConfigLines, PbxTest } from '../../contract/calls/pbx.ts';
import { quotedName } from '../../text/names.ts';
import {
  configLinesText,
  pbxCheckNames,
  pbxTestText,
  pbxTroubleText,
  silentReasonText,
  silentTitle,
} from '../../text/calls/pbx-text.ts';
import { referenceInSentence } from '../../text/menu/phone-menu.ts';
import { pbxSetupText, pbxTestDialogText as text } from '../../text/calls/telephone-systems.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Box } from '../kit/box.tsx';
import { ActionButton } from '../kit/button.tsx';
import { CodeBlock } from '../kit/command-line.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { Icon } from '../kit/icon.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { Notice } from '../kit/notice.tsx';
import { drawings, Shape } from '../kit/shape.tsx';
import { Text } from '../kit/text.tsx';
import { useAct } from '../kit/use-act.ts';

/** The test of a connection: a button, and what was found with the lines that are missing. */
export function PbxTestPanel({
  name,
  isAutomatic = false,
  children,
}: {
  name: string;
  isAutomatic?: boolean;
  /** More buttons. */
  children?: ReactNode;
}) {
  const act = useAct();
  const [test, setTest] = useState<PbxTest | null>(null);
  const isBusy = act.state.kind === 'busy';

  async function run(): Promise<void> {
    const done = await act.run('test', () => askPortal('testPbx', { params: { name } }));
    setTest(done?.value ?? null);
  }
  const runSoon = useEffectEvent(() => {
    if (isAutomatic) queueMicrotask(() => void run());
  });
  useEffect(() => runSoon(), []);

  return (
    <Stack gap={4}>
      <Row gap={3} align="center" wraps>
        <ActionButton isBusy={isBusy} onPress={() => void run()}>
          {isBusy ? text.testing : text.test}
        </ActionButton>
        {children}
      </Row>
      <FormRefusal reason={act.refusal} />
      <div role="status">{test === null ? null : <PbxTestResult test={test} />}</div>
    </Stack>
  );
}

/** What a test found: each check in its order, and exactly what to add where. */
function PbxTestResult({ test }: { test: PbxTest }) {
  const hasFailed = test.checks.some(({ trouble }) => trouble !== null);
  return (
    <Stack gap={4}>
      <Box tone={hasFailed ? 'bad' : 'good'} sign={<Icon name={hasFailed ? 'cross' : 'tick'} />}>
        <Text weight="bold">{pbxTestText(test)}</Text>
      </Box>
      <Stack as="ul" gap={2} aria-label={text.checks}>
        {test.checks.map(({ check, trouble }) => {
          const words = trouble === null ? null : pbxTroubleText(trouble);
          return (
            <li key={check}>
              <Row gap={2} align="start">
                <Shape tone={trouble === null ? 'good' : 'bad'} isSmall>
                  {trouble === null ? drawings.disc : drawings.cross}
                </Shape>
                <div>
                  <Text as="span" weight="strong">
                    {pbxCheckNames[check]}
                  </Text>
                  <Text as="span" isUnseen>
                    {`: ${trouble === null ? text.passes : text.fails}`}
                  </Text>
                  {words === null ? null : (
                    <Text size="medium" breaks>
                      {words.what} {words.advice}
                    </Text>
                  )}
                </div>
              </Row>
            </li>
          );
        })}
      </Stack>
      {test.silent.length === 0 ? null : (
        <Notice tone="warn" title={silentTitle(test.silent)}>
          <ul>
            {test.silent.map((one) => (
              <li key={`${one.menu} ${one.prompt}`}>
                {`${quotedName(one.menu)}, ${referenceInSentence(one.prompt)}: ${silentReasonText(one)}`}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {test.add.length === 0 ? null : (
        <Stack gap={3}>
          <Text as="h3" size="normal" weight="bold">
            {text.add}
          </Text>
          {test.add.map((lines, place) => (
            <Lines key={place} lines={lines} />
          ))}
        </Stack>
      )}
    </Stack>
  );
}

/** Lines for a file of Asterisk. */
export function Lines({ lines: { file, lines } }: { lines: ConfigLines }) {
  return (
    <Stack gap={2}>
      <p>{configLinesText({ file })}</p>
      <CodeBlock text={lines.join('\n')} what={pbxSetupText.copy(file)} />
    </Stack>
  );
}
