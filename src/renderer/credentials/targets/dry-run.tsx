import { useEffect, useState } from 'react';
import { problemText } from '../../../text/connection.ts';
import { Text } from '../../kit/text.tsx';
import { type DeliveryPreview, maskedValue } from '../../../contract/credential-checks.ts';
import type { DeliveryTarget } from '../../../contract/credential.ts';
import { targetPreviewText as text } from '../../../text/targets.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { Box } from '../../kit/box.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { drawings, Shape } from '../../kit/shape.tsx';
import { PathText } from '../../kit/command-line.tsx';
import styles from './targets.module.css';

/** What adding the target would change, before it is added; tokens are masked. Read out when it is known. */
export function DryRun({ previewing }: { previewing: Previewing }) {
  return (
    <Box
      as="section"
      isSunken
      className={styles['dry']}
      aria-label={text.title}
      aria-live="polite"
      aria-busy={previewing.kind === 'asking'}
    >
      <Text as="div" size="medium">
        <Stack gap={2}>
          <Text weight="bold">{text.title}</Text>
          <DryRunWords previewing={previewing} />
        </Stack>
      </Text>
    </Box>
  );
}

function DryRunWords({ previewing }: { previewing: Previewing }) {
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
      return <Preview preview={previewing.preview} />;
  }
}

function Preview({ preview: { possible, message, place, lines } }: { preview: DeliveryPreview }) {
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

/** What a delivery to a place would change there, as far as it is known. */
type Previewing =
  | { readonly kind: 'none' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'told'; readonly preview: DeliveryPreview }
  | { readonly kind: 'refused'; readonly reason: string };

/** How long a person has stopped typing before a place is looked at, in milliseconds. */
const settledMs = 300;

/** Asks what would change at a place, each time that another one stands in the editor. Nothing is written. */
export function usePreview(name: string, target: DeliveryTarget | null): Previewing {
  const [told, setTold] = useState<{ readonly wanted: string; readonly previewing: Previewing }>();
  const wanted = target === null ? null : JSON.stringify(target);

  useEffect(() => {
    if (wanted === null) return;
    const withdrawn = new AbortController();
    const { signal } = withdrawn;
    const timer = setTimeout(() => {
      const body = JSON.parse(wanted) as DeliveryTarget;
      askPortal('previewTarget', { params: { name }, body, signal }).then(
        (reply) => {
          if (signal.aborted) return;
          const previewing: Previewing =
            reply.kind === 'ok'
              ? { kind: 'told', preview: reply.value }
              : { kind: 'refused', reason: problemText(reply) };
          setTold({ wanted, previewing });
        },
        (error: unknown) => {
          if (!signal.aborted) throw error; // else nobody waits for it any more
        },
      );
    }, settledMs);
    return () => {
      clearTimeout(timer);
      withdrawn.abort();
    };
  }, [name, wanted]);

  if (wanted === null) return { kind: 'none' };
  return told?.wanted === wanted ? told.previewing : { kind: 'asking' };
}
