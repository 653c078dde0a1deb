import type { SyncResult } from '#shared/contracts/registry.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { toCodes } from '#shared/sentences/to-sentence.ts'
import { adminSentences } from '#shared/sentences/admin.ts'
import { LoggableError, defineErrors } from '../platform/errors.ts'

/** What went wrong in a sync, as it is stored and shown. */
export const toSyncErrors = (errors: readonly Sentence[]): Pick<SyncResult, 'errors' | 'codes'> => ({
  errors: errors.map(({ text }) => text),
  ...(errors.length > 0 && { codes: toCodes(errors) }),
})

/** GitHub did not send a usable response. The sentence is stored and shown with the sync's result. */
export class GitHubFailed extends LoggableError {
  override readonly name = 'GitHubFailed'
  readonly sentence: Sentence
  /** the rate limit is reached */
  readonly rateLimited: boolean

  constructor(
    sentence: Sentence,
    { rateLimited = false, ...options }: { rateLimited?: boolean; cause?: unknown } = {},
  ) {
    super(sentence.text, options)
    this.sentence = sentence
    this.rateLimited = rateLimited
  }
}

/** The MCP Registry did not return a usable page. */
export class McpRegistryFailed extends LoggableError {
  override readonly name = 'McpRegistryFailed'
  readonly sentence: Sentence
  /** HTTP status, if there was a response */
  readonly status: number | undefined

  constructor(sentence: Sentence, { status, ...options }: { status?: number; cause?: unknown } = {}) {
    super(sentence.text, options)
    this.sentence = sentence
    this.status = status
  }
}

/** A failed sync. It is already recorded; thrown so that the schedule retries. */
export class SyncFailed extends LoggableError {
  override readonly name = 'SyncFailed'
}

export const { EntryNotFound } = defineErrors(adminSentences, {
  EntryNotFound: [404, 'mcp_not_found'],
})
