import { useCallback, useRef, useState } from 'react';
import { speechPreview } from '../../contract/downloads.ts';
import type { SpeakText } from '../../contract/menu/recording.ts';
import { recordingText } from '../../text/menu/recordings-text.ts';
import { listenText } from '../../text/menu/speech-window.ts';
import { problemText } from '../../text/window/connection.ts';
import { ActionButton } from '../kit/button.tsx';
import { FieldError } from '../kit/field.tsx';
import { Row } from '../kit/layout.tsx';
import { readFile } from '../kit/read-portal.ts';
import { usePlayer } from './use-player.ts';

/** How a text is to be heard; null fields are as the settings have them. */
export interface Heard {
  readonly text: string;
  readonly language: string | null;
  readonly voice: string | null;
  /** Whether also what can hardly be the text is played. */
  readonly asItIs?: boolean;
}

/**
 * Plays how a text sounds, without storing it, and says beside it why that was not possible.
 *
 * `check` is asked first: false where a field is wrong, which then says so itself.
 */
export function ListenButton({
  heard,
  about,
  words = listenText.listen,
  errorId,
  check = () => true,
}: {
  heard: Heard;
  /** What is heard, for whoever hears the button without what is around it. */
  about?: string;
  words?: string;
  errorId: string;
  check?: () => boolean;
}) {
  const { text, language, voice, asItIs = false } = heard;
  const key = JSON.stringify([text, language, voice, asItIs]);
  /** What was heard last: it is made once. */
  const made = useRef<{ readonly key: string; readonly file: Blob } | null>(null);
  const [isMaking, setMaking] = useState(false);
  const [refused, setRefused] = useState<{ readonly key: string; readonly reason: string } | null>(null);

  const read = useCallback(async () => {
    if (made.current?.key === key) return made.current.file;
    setMaking(true);
    setRefused(null);
    const asked = {
      text,
      ...(language && { language }),
      ...(voice && { voice }),
      ...(asItIs && { as_it_is: true }),
    } as SpeakText;
    const reply = await readFile(speechPreview.path, { posted: asked });
    setMaking(false);
    if (reply.kind === 'ok') {
      made.current = { key, file: reply.value.content };
      return reply.value.content;
    }
    setRefused({ key, reason: problemText(reply) });
    return null;
  }, [key, text, language, voice, asItIs]);
  const player = usePlayer(key, read);
  const refusal = refused?.key === key ? refused.reason : undefined;

  function press(): void {
    if (player.isPlaying || check()) player.toggle();
  }
  return (
    <Row gap={3} wraps align="center">
      <ActionButton
        {...(about === undefined ? {} : { about })}
        isBusy={isMaking}
        isPressed={player.isPlaying}
        onPress={press}
      >
        {buttonWords(words, isMaking, player.isPlaying)}
      </ActionButton>
      <FieldError
        id={errorId}
        error={refusal ?? (player.hasFailed && !isMaking ? recordingText.playFailed : undefined)}
      />
    </Row>
  );
}

function buttonWords(words: string, isMaking: boolean, isPlaying: boolean): string {
  if (isMaking) return listenText.speaking;
  return isPlaying ? listenText.stop : words;
}
