import { useEffect, useState } from 'react';

import { encodeWav } from './sound/encode-wav.ts';
import type { Sound } from './sound/sound.ts';

/** An address at which a sound of this page can be played, as long as it is shown; empty until it is there. */
export function useSoundAddress(sound: Sound): string {
  const [address, setAddress] = useState('');
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([encodeWav(sound)], { type: 'audio/wav' }));
    // eslint-disable-next-line react-hooks/set-state-in-effect -- what is made has to be given back, which only an effect can see to
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [sound]);
  return address;
}
