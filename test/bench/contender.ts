/** What a benchmark compares: something that runs a server in a separate process and provides credentials for it. */
export interface Contender {
  readonly name: string;
  start(): Promise<RunningContender>;
}

export interface RunningContender {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  /** New Active tokens, each in a new family. */
  issueTokens(count: number): Promise<string[]>;
  /** Ends its process by id and removes its folder. */
  close(): Promise<void>;
}
