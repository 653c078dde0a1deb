import type { Sentence } from '#shared/sentences/sentence.ts'
import { sayTool } from '#shared/sentences/tools.ts'
import { describeReconnectReason, type ReconnectReason } from '#shared/reconnect-reason.ts'

// apart from errors.ts: the chat function loads this one when it starts, and not what reads providers' errors
/** The connection of a tool no longer works and the user has to reconnect. */
export class ReconnectRequired extends Error {
  readonly sentence: Sentence
  readonly integration: { readonly mcpId: string; readonly name: string }
  /** set if the credentials are valid, but not for the server in today's catalogue */
  readonly reason: ReconnectReason | undefined
  /** stores for the page and the next sign-in what the failed request has shown: a call does it, reading a list changes nothing */
  readonly remember: () => Promise<unknown>

  constructor(
    integration: { readonly mcpId: string; readonly name: string },
    {
      reason,
      remember = () => Promise.resolve(),
      ...options
    }: { cause?: unknown; reason?: ReconnectReason; remember?: () => Promise<unknown> } = {},
  ) {
    const { name } = integration
    const sentence = reason ? describeReconnectReason(name, reason) : sayTool('reconnect_required', { name })
    super(sentence.text, options)
    this.sentence = sentence
    this.name = 'ReconnectRequired'
    this.integration = integration
    this.reason = reason
    this.remember = remember
  }
}

export const isReconnectRequired = (error: unknown): error is ReconnectRequired =>
  error instanceof ReconnectRequired
