import { type Measured, type Round, spreadOf } from './paired-rounds.ts';
import { printTable } from './print-table.ts';

/** The results of each contender, as the median of its turns; the worst request is the worst of all turns. */
export function printRounds(measured: readonly Measured[]): void {
  printTable(
    ['median of the turns', 'req/s', 'p50 ms', 'p99 ms', 'worst ms', 'server CPU us/req', 'client CPU'],
    measured.map(({ name, rounds }) => {
      const median = (figure: (round: Round) => number): number => spreadOf(rounds.map(figure)).median;
      const cpu = median((round) => round.serverCpuMicros ?? NaN);
      return [
        name,
        median((round) => round.perSecond).toFixed(0),
        median((round) => round.p50Ms).toFixed(2),
        median((round) => round.p99Ms).toFixed(2),
        Math.max(...rounds.map((round) => round.maxMs)).toFixed(1),
        Number.isNaN(cpu) ? '-' : cpu.toFixed(1),
        `${(median((round) => round.clientCpu) * 100).toFixed(0)} %`,
      ];
    }),
  );
}
