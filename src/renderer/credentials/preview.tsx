import { type ReactNode, useEffect, useRef, useState } from 'react';
import { problemText } from '../../text/window/connection.ts';
import { Box } from '../kit/box.tsx';
import { Stack } from '../kit/layout.tsx';
import type { PortalReply } from '../kit/read-portal.ts';
import { Text } from '../kit/text.tsx';

/** What something that stands in a form would do, as far as it is known. */
export type Preview<T> =
  | { readonly kind: 'none' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'told'; readonly value: T }
  | { readonly kind: 'refused'; readonly reason: string };

/** How long a person has stopped typing before it is asked, in milliseconds. */
const settledMs = 300;

/** Asks what each thing that stands in a form would do; null: it is not complete. Nothing is changed. */
export function usePreview<In, Out>(
  input: In | null,
  ask: (input: In, signal: AbortSignal) => Promise<PortalReply<Out>>,
): Preview<Out> {
  const [told, setTold] = useState<{ readonly wanted: string; readonly preview: Preview<Out> }>();
  const wanted = input === null ? null : JSON.stringify(input);
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });

  useEffect(() => {
    if (wanted === null) return;
    const withdrawn = new AbortController();
    const { signal } = withdrawn;
    const timer = setTimeout(() => {
      latest.current(JSON.parse(wanted) as In, signal).then(
        (reply) => {
          if (signal.aborted) return;
          const preview: Preview<Out> =
            reply.kind === 'ok'
              ? { kind: 'told', value: reply.value }
              : { kind: 'refused', reason: problemText(reply) };
          setTold({ wanted, preview });
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
  }, [wanted]);

  if (wanted === null) return { kind: 'none' };
  return told?.wanted === wanted ? told.preview : { kind: 'asking' };
}

/** The place of it in a dialog. Read out when it is known. */
export function PreviewBox({
  title,
  preview,
  className,
  children,
}: {
  title: string;
  preview: Preview<unknown>;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <Box
      as="section"
      isSunken
      className={className ?? ''}
      aria-label={title}
      aria-live="polite"
      aria-busy={preview.kind === 'asking'}
    >
      <Text as="div" size="medium">
        <Stack gap={2}>
          <Text weight="bold">{title}</Text>
          {children}
        </Stack>
      </Text>
    </Box>
  );
}
