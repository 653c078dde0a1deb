import { waitLimitsMs } from '../../functions/platform/wait-limits.ts'
import { triggerLimit } from '../../infra/local/emulators/cognito/trigger-limit.ts'

/**
 * Lets functions and emulators wait longer for others, in the process that imports this module: a busy machine pauses a process for
 * longer than users are made to wait, and a reply would go without its tools, a request without its keys.
 * `functions/tools/servers/remote.test.ts` checks what a reply does when the users' wait is over.
 */
Object.assign(waitLimitsMs, {
  toolList: 30_000,
  toolListAgain: 30_000,
  signingKeys: 30_000,
  object: 60_000,
  reading: 120_000,
  readingAgain: 80_000,
} satisfies typeof waitLimitsMs)
Object.assign(triggerLimit, { ms: 30_000 } satisfies Partial<typeof triggerLimit>)
