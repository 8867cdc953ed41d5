import { useEffect, useState } from 'react';

/** An address at which a file of this page can be played, as long as it is shown; empty until it is there. */
export function useSoundAddress(file: Blob | undefined): string {
  const [address, setAddress] = useState('');
  useEffect(() => {
    if (file === undefined) return;
    const made = URL.createObjectURL(file);
    // eslint-disable-next-line react-hooks/set-state-in-effect -- what is made has to be given back, which only an effect can see to
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address;
}
