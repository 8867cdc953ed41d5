/** The card that shows how a program gets the token of a credential. */
export const recipesText = {
  title: 'Use it',
  works: 'works as pasted: it asks the service about the token',
  fails: 'fails until the token works again',
  noCommandLine:
    'The command line is not part of this installation, so recipes read the token from where it is delivered. Add a file or a dotenv file as a target to see them.',
  fromTargets:
    'The command line is not part of this installation: these recipes read the token from where it is delivered.',
  kind: 'Recipe for',
  kinds: { shell: 'Shell', node: 'Node', python: 'Python', docker: 'Docker', systemd: 'systemd' },
  source: 'The token comes from',
  commandLine: 'the command line',
  recipe: (kind: string) => `the recipe for ${kind}`,
  run: (kind: string) => `the command that runs the recipe for ${kind}`,
} as const;

/** Where each recipe is pasted; commands in backticks. */
export const recipePlaces = {
  shell: 'Paste it into a shell or a script.',
  node: 'Save it as `call.mjs` and run it.',
  python: 'Save it as `call.py` and run it.',
  docker: 'Paste it into a shell. Replace `curlimages/curl` by your own image.',
  systemd: (unit: string) => `Save it as \`~/.config/systemd/user/${unit}\` and start it.`,
} as const;

/** What to know about each recipe; commands in backticks. */
export const recipeNotes = {
  shell:
    'Read the token when you need it rather than once at the start: it may be rotated while your script runs.',
  exec: (variable: string, command: string) =>
    `A program that reads \`${variable}\` needs no script: \`${command} --restart-on-rotate -- PROGRAM\` runs it with the token, masked in what it prints.`,
  longRunning: 'A program that runs for a long time reads it again when a call is answered with 401.',
  dockerCommand:
    'For a container that keeps running, add `--restart-on-rotate` before the two dashes: it is restarted with each new token.',
  dockerFile:
    'A container keeps the token that it was started with. Add a command that restarts it as a target.',
  systemdCommand: (unit: string) =>
    `\`journalctl --user -u ${unit}\` shows what it printed. For a service that keeps running, remove \`Type=oneshot\` and add \`--restart-on-rotate\` before the two dashes.`,
  systemdFile: (unit: string) =>
    `\`journalctl --user -u ${unit}\` shows what it printed. A service that keeps running keeps the token that it was started with: add the command \`systemctl --user try-restart ${unit}\` as a target.`,
} as const;
