import { adminSentences } from '#shared/sentences/admin.ts'
import { LoggableError, defineErrors } from '../platform/errors.ts'

/** GitHub did not send a usable response. The message is stored and shown with the sync's result. */
export class GitHubFailed extends LoggableError {
  override readonly name = 'GitHubFailed'
  /** the rate limit is reached */
  readonly rateLimited: boolean

  constructor(
    message: string,
    { rateLimited = false, ...options }: { rateLimited?: boolean; cause?: unknown } = {},
  ) {
    super(message, options)
    this.rateLimited = rateLimited
  }
}

/** The MCP Registry did not return a usable page. */
export class McpRegistryFailed extends LoggableError {
  override readonly name = 'McpRegistryFailed'
}

/** A failed sync. It is already recorded; thrown so that the schedule retries. */
export class SyncFailed extends LoggableError {
  override readonly name = 'SyncFailed'
}

export const { EntryNotFound } = defineErrors(adminSentences, {
  EntryNotFound: [404, 'mcp_not_found'],
})
