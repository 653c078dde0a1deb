import { listWaitMs } from '../../functions/mcp/list-wait.ts'

/**
 * Lets replies wait longer for the tools of a server, in the process that imports this module: on a busy machine a server takes longer
 * than users are made to wait, and the reply would go without its tools. `functions/tools/server-tools.test.ts` checks what a reply
 * does when the users' wait is over.
 */
Object.assign(listWaitMs, { first: 30_000, again: 30_000 } satisfies typeof listWaitMs)
