import { relative } from 'node:path';
import type { FullConfig, Reporter, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { ProgressFile } from './outcome.ts';
import { journeyNote, readJourneys } from './read-report.ts';
import { root } from './root.ts';

/** Writes what a Playwright run does and comes to into a progress file. Playwright loads it by its path. */
export default class JourneyReporter implements Reporter {
  readonly #file: ProgressFile;
  readonly #errors: TestError[] = [];
  #journeys: readonly TestCase[] = [];

  constructor({ file }: { readonly file: string }) {
    this.#file = new ProgressFile(file);
  }

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#journeys = suite.allTests();
  }

  onTestBegin(journey: TestCase): void {
    this.#file.begin(nameOf(journey));
  }

  onTestEnd(journey: TestCase, { status }: TestResult): void {
    const state = status === 'passed' || status === 'skipped' ? status : 'failed';
    this.#file.end(nameOf(journey), state, journeyNote(nameOf(journey), journey));
  }

  onError(error: TestError): void {
    this.#errors.push(error);
  }

  onEnd(): void {
    const named = this.#journeys.map((journey) => ({ name: nameOf(journey), journey }));
    this.#file.finish(readJourneys(named, this.#errors));
  }

  /** Others print by themselves. */
  printsToStdio(): boolean {
    return false;
  }
}

function nameOf({ location, title }: TestCase): string {
  return `${relative(root, location.file)}:${String(location.line)} › ${title}`;
}
