/**
 * A service process for tests that need more than the options of `rotavox serve`: small journal segments, so that
 * checkpoints happen all the time, or the complete log on stderr. Otherwise the same parts in the same
 * order as `startHost`. Its argument is a `ServeSettings` as JSON.
 */
import { lockFolder } from '../../src/host/folder-lock.ts';
import { HostError } from '../../src/host/host-error.ts';
import { writeRuntimeFile } from '../../src/host/host-process.ts';
import { startHost } from '../../src/host/start-host.ts';
import { baseUrlOf } from '../../src/service/service-context.ts';
import { buildService, type Service } from '../../src/service/build-service.ts';
import { createAgent } from '../../src/agent/create-agent.ts';
import { callRecordsIn, makeTelephony } from '../fixtures/call-records.ts';
import { MemoryVault } from '../fakes/memory-vault.ts';
import { agentText } from '../../src/text/credential/agent.ts';
import { openStore } from '../../src/store/open-store.ts';
import { openRecordingFiles } from '../../src/store/open-recording-files.ts';
import { BrowserFile } from '../../src/store/browser-file.ts';
import { ReplayKeys } from '../../src/store/replay-keys.ts';
import { repairText } from '../../src/text/service/store-text.ts';
import type { ServeSettings } from './service-process.ts';

const { dataDir, policy, logEverything } = JSON.parse(process.argv[2] ?? '') as ServeSettings & {
  dataDir: string;
};
const log = logEverything === true ? ({ level: 'trace', stream: process.stderr } as const) : undefined;

try {
  const running = policy === undefined ? await startHost({ dataDir, port: 0, log }) : await startInParts();
  process.once('SIGTERM', () => {
    void running.close().then(() => process.exit(0));
  });
  console.log(
    JSON.stringify({ event: 'ready', base_url: running.baseUrl, pid: process.pid, data_dir: dataDir }),
  );
} catch (error) {
  console.error(error instanceof HostError ? error.message : error);
  process.exit(1);
}

async function startInParts(): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const lock = lockFolder(dataDir);
  const { store, repairs } = await openStore({
    folder: dataDir,
    policy: policy ?? {},
    assertHeld: () => lock.assertHeld(),
  });
  const agent = createAgent({
    ledger: store,
    vault: new MemoryVault(),
    text: agentText,
    ownPlaces: { dataDir, others: [] },
    embeddedUrl: () => baseUrlOf(app),
  });
  const { app, sessions }: Service = await buildService({
    telephony: makeTelephony(store, dataDir),
    recordingFiles: openRecordingFiles(dataDir, store.state),
    callRecords: callRecordsIn(dataDir),
    ledger: store,
    credentialAgent: agent.requests,
    browsers: new BrowserFile(dataDir),
    replayKeys: new ReplayKeys(dataDir),
    about: {
      version: '0.0.0',
      dataDir,
      commandLine: null,
      startedAt: new Date().toISOString(),
      repairs: repairs.map(repairText),
    },
    log,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const baseUrl = baseUrlOf(app);
  const runtime = { pid: process.pid, base_url: baseUrl, portal_key: sessions.portalKey };
  const runtimeFile = writeRuntimeFile(dataDir, runtime);
  return {
    baseUrl,
    async close() {
      await agent.close();
      await app.close();
      await store.close();
      runtimeFile.remove();
      lock.release();
    },
  };
}
