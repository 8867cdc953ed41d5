import { Text } from '../../kit/text.tsx';
import { type DeliveryPreview, maskedValue } from '../../../contract/credential/credential-checks.ts';
import { targetPreviewText as text } from '../../../text/credential/targets.ts';
import { Row } from '../../kit/layout.tsx';
import { drawings, Shape } from '../../kit/shape.tsx';
import { PathText } from '../../kit/command-line.tsx';
import { type Preview, PreviewBox } from '../preview.tsx';
import styles from './targets.module.css';

/** What adding the target would change, before it is added; tokens are masked. Read out when it is known. */
export function DryRun({ previewing }: { previewing: Preview<DeliveryPreview> }) {
  return (
    <PreviewBox title={text.title} preview={previewing} className={styles['dry']}>
      <DryRunWords previewing={previewing} />
    </PreviewBox>
  );
}

function DryRunWords({ previewing }: { previewing: Preview<DeliveryPreview> }) {
  switch (previewing.kind) {
    case 'none':
      return <Text tone="soft">{text.none}</Text>;
    case 'asking':
      return (
        <Text tone="soft" className={styles['asking']}>
          {text.asking}
        </Text>
      );
    case 'refused':
      return (
        <Row as="p" gap={2}>
          <Shape tone="warn">{drawings.triangle}</Shape>
          <span>{text.failed(previewing.reason)}</span>
        </Row>
      );
    case 'told':
      return <Changes preview={previewing.value} />;
  }
}

function Changes({ preview: { possible, message, place, lines } }: { preview: DeliveryPreview }) {
  return (
    <>
      <Row as="p" gap={2}>
        {possible ? null : <Shape tone="warn">{drawings.triangle}</Shape>}
        <span>{message}</span>
      </Row>
      {message.includes(place) ? null : (
        <Text tone="soft">
          <PathText path={place} />
        </Text>
      )}
      {lines.length === 0 ? null : (
        <Text as="ul" size="small" className={styles['lines']}>
          {lines.map((line, index) => (
            <Row key={index} as="li" gap={3} wraps>
              {line.number === null ? null : (
                <Text as="span" tone="soft">
                  {text.line(line.number)}
                </Text>
              )}
              <div className={styles['change']}>
                {line.before === null ? null : (
                  <del className={styles['before']}>
                    <Masked line={line.before} />
                  </del>
                )}
                {line.after === null ? null : (
                  <ins className={styles['after']}>
                    <Masked line={line.after} />
                  </ins>
                )}
              </div>
            </Row>
          ))}
        </Text>
      )}
    </>
  );
}

/** A line with its dots heard as what they are. */
function Masked({ line }: { line: string }) {
  return line.split(maskedValue).map((part, place) => (
    <span key={place}>
      {place === 0 ? null : (
        <span role="img" aria-label={text.masked}>
          {maskedValue}
        </span>
      )}
      {part}
    </span>
  ));
}
