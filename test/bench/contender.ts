/** What a benchmark compares: something that runs a server in a process of its own and hands out credentials for it. */
export interface Contender {
  readonly name: string;
  start(): Promise<RunningContender>;
}

export interface RunningContender {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  /** Fresh Active tokens of its own, each with a family of its own. */
  issueTokens(count: number): Promise<string[]>;
  /** Ends its process by id and removes its folder. */
  close(): Promise<void>;
}
