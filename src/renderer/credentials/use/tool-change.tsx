import type { CheckLine, FileChange, LinesByHand } from '../../../contract/credential/tool-command.ts';
import { checkResultText, toolChangeText as text } from '../../../text/credential/connection-text.ts';
import { CodeBlock, CodeText } from '../../kit/command-line.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { drawings, Shape, type ShapeTone } from '../../kit/shape.tsx';
import { PathText, Text } from '../../kit/text.tsx';
import { type Preview, PreviewBox } from '../preview.tsx';
import styles from './use.module.css';

/** What a preview of a change has: of connecting, or of disconnecting. */
export interface ShownChange {
  readonly changes: readonly FileChange[];
  readonly byHand: LinesByHand | null;
  readonly says: readonly string[];
}

/** What will change in the files of a tool, before it does. */
export function ToolChangePreview({ preview, none }: { preview: Preview<ShownChange>; none: string }) {
  return (
    <PreviewBox title={text.title} preview={preview} className={styles['preview']}>
      {preview.kind === 'none' ? <Text tone="soft">{none}</Text> : null}
      {preview.kind === 'asking' ? <Text tone="soft">{text.asking}</Text> : null}
      {preview.kind === 'refused' ? (
        <Row gap={2}>
          <Shape tone="warn">{drawings.triangle}</Shape>
          <Text as="span" breaks>
            <CodeText text={preview.reason} />
          </Text>
        </Row>
      ) : null}
      {preview.kind === 'told' ? <Change {...preview.value} /> : null}
    </PreviewBox>
  );
}

function Change({ changes, byHand, says }: ShownChange) {
  return (
    <>
      {changes.map((change, place) => (
        <FileLines key={place} change={change} />
      ))}
      {byHand === null ? null : (
        <>
          <p>{text.noFile}</p>
          <Text breaks>{text.withoutId(byHand.where)}</Text>
          <pre className={styles['lines']}>
            <code>{byHand.lines.map(text.withoutId).join('\n')}</code>
          </pre>
        </>
      )}
      {says.map((sentence, place) => (
        <Text key={place} breaks>
          {sentence}
        </Text>
      ))}
    </>
  );
}

/** The lines that go from a file and those that come, each with a sign of its own. */
function FileLines({ change: { file, removed, added } }: { change: FileChange }) {
  return (
    <Stack gap={1}>
      <Text weight="strong" breaks>
        <PathText path={file} />
      </Text>
      <pre className={styles['lines']}>
        {removed.map((line, place) => (
          <del key={place} className={styles['line']}>
            {text.withoutId(line)}
          </del>
        ))}
        {added.map((line, place) => (
          <ins key={place} className={styles['line']}>
            {text.withoutId(line)}
          </ins>
        ))}
      </pre>
    </Stack>
  );
}

/** Lines to add to the configuration of a tool, to be copied. */
export function HandLines({ lines: { where, lines } }: { lines: LinesByHand }) {
  return (
    <Stack gap={2}>
      <Text breaks>{where}</Text>
      <CodeBlock text={lines.join('\n')} what={text.copied} />
    </Stack>
  );
}

/** What a check of a connection has found, a line each, and read out when it comes. Its place is always there, or it could not be heard. */
export function CheckResult({ checks }: { checks: readonly CheckLine[] | null }) {
  return (
    <div role="status">
      {checks === null ? null : (
        <Stack gap={1}>
          <Text size="medium" weight="strong">
            {checkResultText.title(checks)}
          </Text>
          <Stack as="ul" gap={1} aria-label={checkResultText.list}>
            {checks.map((line, place) => (
              <CheckRow key={place} line={line} />
            ))}
          </Stack>
        </Stack>
      )}
    </div>
  );
}

function CheckRow({ line: { passes, text: words } }: { line: CheckLine }) {
  const { tone, drawing } = checkSign(passes);
  return (
    <Row as="li" gap={2}>
      <Shape tone={tone}>{drawing}</Shape>
      <Text as="span" size="medium" breaks>
        <Text as="span" isUnseen>
          {checkResultText.outcome(passes)}{' '}
        </Text>
        <CodeText text={words} />
      </Text>
    </Row>
  );
}

function checkSign(passes: boolean | null): { tone: ShapeTone; drawing: typeof drawings.disc } {
  if (passes === null) return { tone: 'calm', drawing: drawings.ring };
  return passes ? { tone: 'good', drawing: drawings.disc } : { tone: 'bad', drawing: drawings.cross };
}
