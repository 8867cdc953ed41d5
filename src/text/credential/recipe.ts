/** The dialog that shows how a program gets the token of a credential. Commands in backticks. */
export const recipeText = {
  title: 'Use it in a shell',
  works: 'It works as it is: it asks the service about the token.',
  fails: 'It fails until the token works again.',
  noCommandLine:
    'The command line is not part of this installation, so the token is read from where it is delivered. Add a file or a dotenv file as a target to see how.',
  fromTargets:
    'The command line is not part of this installation: this reads the token from where it is delivered.',
  source: 'The token comes from',
  commandLine: 'the command line',
  copied: 'the lines for a shell',
  close: 'Close',
  paste: 'Paste it into a shell or a script.',
  note: 'Read the token when you need it rather than once at the start: it may be rotated while your script runs.',
  exec: (variable: string, command: string) =>
    `A program that reads \`${variable}\` needs no script: \`${command} --restart-on-rotate -- PROGRAM\` runs it with the token, masked in what it prints.`,
} as const;
