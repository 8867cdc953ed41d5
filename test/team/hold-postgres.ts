/** Starts a PostgreSQL, says where it is, and waits to be killed. */
import { startPostgres } from '../tools/postgres.ts';

const { folder, port } = await startPostgres();
console.log(JSON.stringify({ folder, port }));
setInterval(() => undefined, 1_000_000);
