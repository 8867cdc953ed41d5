/** The relevant messages on the message bus of a desktop session. Instants are milliseconds since 1970. */
export type BusMessage =
  | { readonly kind: 'registration'; readonly sender: string; readonly atMs: number }
  | { readonly kind: 'tooltip'; readonly sender: string; readonly atMs: number; readonly words: string };

/** Reads the output of dbus-monitor line by line: for each message a line that describes it, then its body, indented. */
export function readBusMessages(tell: (message: BusMessage) => void): (line: string) => void {
  let sender = '';
  let atMs = 0;
  let isInTooltip = false;
  return (line) => {
    const head = /^\S.* time=(\d+\.\d+) sender=(\S+) /.exec(line);
    if (head !== null) {
      atMs = Number(head[1]) * 1000;
      sender = head[2] ?? '';
      isInTooltip = false;
      if (line.endsWith('member=RegisterStatusNotifierItem')) tell({ kind: 'registration', sender, atMs });
      return;
    }
    const words = /^\s+string "(.*)"$/.exec(line)?.[1];
    if (words === 'ToolTip') isInTooltip = true;
    else if (isInTooltip && words) {
      isInTooltip = false; // the first string in it that is not empty is its title
      tell({ kind: 'tooltip', sender, atMs, words });
    }
  };
}
