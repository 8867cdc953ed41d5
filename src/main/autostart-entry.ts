import { programComment } from '../text/service/desktop-text.ts';

/**
 * The desktop entry that starts a command at login, for `$XDG_CONFIG_HOME/autostart`. Where `program` is no longer there, as after a
 * removal, nothing is started.
 *
 * The Desktop Entry Specification has two layers of escaping: arguments in double quotes, with `"`, `` ` ``, `$` and `\`
 * escaped, `%` doubled; then, as in every string of the file, each backslash once more, and line
 * breaks and tabs by their letter.
 */
export function autostartEntry(command: readonly string[], program: string): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Rotavox',
    `Comment=${programComment}`,
    `TryExec=${stringValue(program)}`,
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
  return `"${stringValue(escaped)}"`;
}

/** As in every string of such a file. */
function stringValue(text: string): string {
  const lines: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };
  return text.replace(/[\n\r\t\\]/g, (one) => lines[one] ?? one);
}
