import { DirectoryWindow } from './directory-window.tsx';
import { extensions } from './use-directory.ts';

/** The extensions that this service knows. */
export function ExtensionsWindow() {
  return <DirectoryWindow directory={extensions} />;
}
