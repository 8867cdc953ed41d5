import type { CutSound } from '../sound/sound-worker.ts';
import { type SoundThread, startSoundThread } from '../sound/start-sound-thread.ts';
import captureWorklet from './capture-worklet.ts?worker&url';

/** A recording that is under way. */
export interface Capture {
  /** Samples in a second, as the machine's audio has them. */
  readonly rate: number;
  /** Ends it and answers what was heard. The microphone is let go, and its sign in the browser goes out. */
  readonly stop: () => Promise<CutSound>;
}

/** As it sounds: nothing is played meanwhile that could echo, and what takes out noise takes soft consonants along. */
const asItSounds = {
  echoCancellation: false,
  noiseSuppression: false,
  autoGainControl: false,
  channelCount: 1,
};

/**
 * Begins to listen to the microphone, after the person has allowed it.
 *
 * `onBlock` hears every stretch of samples; `onLost` that the microphone is gone (pulled out, or forbidden meanwhile):
 * what was heard until then is still there. Throws what `getUserMedia` throws (`microphoneProblemText` has a message for it).
 * PCM from an AudioWorklet and no MediaRecorder: nothing is compressed and decoded again, no browser's format has to be
 * known, and the level meter shows the very samples that are kept.
 */
export async function startCapture({
  onBlock,
  onLost,
}: {
  readonly onBlock: (samples: Float32Array) => void;
  readonly onLost: () => void;
}): Promise<Capture> {
  const stream = await askForMicrophone();
  const context = new AudioContext();
  const letGo = async (): Promise<void> => {
    for (const track of stream.getTracks()) track.stop();
    await context.close();
  };
  let ending: SoundThread | undefined;
  try {
    // From the start: what was heard must not be lost because a script cannot be had at the end.
    const thread = (ending = await startSoundThread());
    await context.audioWorklet.addModule(captureWorklet);
    await context.resume();
    const node = new AudioWorkletNode(context, 'rotavox-capture', {
      channelCount: 1,
      channelCountMode: 'explicit',
    });
    const blocks: Float32Array[] = [];
    const over = new Promise<void>((resolve) => {
      node.port.onmessage = ({ data }: MessageEvent<Float32Array | 'over'>) => {
        if (data === 'over') return resolve();
        blocks.push(data);
        onBlock(data);
      };
    });
    for (const track of stream.getTracks()) track.addEventListener('ended', onLost);
    // To the output as well, as silence: what leads nowhere is not asked for samples.
    context.createMediaStreamSource(stream).connect(node).connect(context.destination);
    return {
      rate: context.sampleRate,
      stop: async () => {
        node.port.postMessage('stop');
        await over;
        await letGo();
        try {
          const { found } = await thread.hold({ samples: [joined(blocks)], rate: context.sampleRate });
          return await thread.cut(found, 'own');
        } finally {
          thread.end();
        }
      },
    };
  } catch (error) {
    ending?.end();
    await letGo();
    throw error;
  }
}

async function askForMicrophone(): Promise<MediaStream> {
  // Missing where the page does not come from this machine or over https.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (devices === undefined) throw new DOMException('no secure context', 'SecurityError');
  return devices.getUserMedia({ audio: asItSounds, video: false });
}

/** Stretches of samples as one. */
export function joined(blocks: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const all = new Float32Array(blocks.reduce((length, block) => length + block.length, 0));
  let place = 0;
  for (const block of blocks) {
    all.set(block, place);
    place += block.length;
  }
  return all;
}
