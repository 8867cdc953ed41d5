/**
 * `session.ts`, run on a desktop: puts up a panel with a tray, prints the environment by which programs find all of it,
 * and takes the panel away when stdin ends.
 */
import { once } from 'node:events';
import { Panel } from '../../journeys/electron/panel.ts';

const panel = await Panel.start();
console.log(JSON.stringify(process.env));
process.stdin.resume();
await once(process.stdin, 'end');
await panel.close();
