import { useRef } from 'react';
import { Button } from './button.tsx';

/**
 * A button that has a person choose files of this computer, in place of the browser's own, which speaks the language of the system.
 *
 * `name` is what a screen reader calls the field, such as `CSV file`. The same file can be chosen again, after it was corrected.
 */
export function ChooseFile({
  label,
  name,
  accept,
  takesMany = false,
  onFiles,
}: {
  readonly label: string;
  readonly name: string;
  readonly accept?: string;
  readonly takesMany?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}) {
  const ref = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onPress={() => ref.current?.click()}>{label}</Button>
      <input
        ref={ref}
        type="file"
        hidden
        multiple={takesMany}
        accept={accept}
        aria-label={name}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
