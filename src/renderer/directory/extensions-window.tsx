import { DirectoryWindow } from './directory-window.tsx';
import { extensions } from './extensions.ts';

/** The extensions that this service knows. */
export function ExtensionsWindow() {
  return <DirectoryWindow directory={extensions} />;
}
