import { programComment } from '../text/desktop.ts';

/**
 * The desktop entry that starts a command at login, for `$XDG_CONFIG_HOME/autostart`.
 *
 * The Desktop Entry Specification has two layers of escaping: arguments in double quotes, with `"`, `` ` ``, `$` and `\`
 * escaped, `%` doubled; then, as in every string of the file, each backslash once more, and line
 * breaks and tabs by their letter.
 */
export function autostartEntry(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Rotavox',
    `Comment=${programComment}`,
    `Exec=${command.map(quoted).join(' ')}`,
    'Icon=rotavox',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** Whether an entry, which may have been edited or written incompletely, starts anything. */
export function isAutostartOn(entry: string): boolean {
  if (!/^Exec\s*=/m.test(entry)) return false;
  return !/^(?:Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/m.test(entry);
}

function quoted(argument: string): string {
  const escaped = argument.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%');
  const lines: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };
  return `"${escaped.replace(/[\n\r\t\\]/g, (one) => lines[one] ?? one)}"`;
}
