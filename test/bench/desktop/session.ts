/**
 * `session.ts`, run on a desktop: shows a panel with a tray, prints the environment for programs on this desktop,
 * and closes the panel when stdin ends.
 */
import { once } from 'node:events';
import { Panel } from '../../journeys/electron/panel.ts';

const panel = await Panel.start();
console.log(JSON.stringify(process.env));
process.stdin.resume();
await once(process.stdin, 'end');
await panel.close();
