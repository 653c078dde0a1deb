import { describeReconnectReason, type ReconnectReason } from '#shared/reconnect-reason.ts'

// apart from errors.ts: the chat function loads this one when it starts, and not what reads providers' errors
/** The connection of a tool no longer works and the user has to reconnect. */
export class ReconnectRequired extends Error {
  readonly integration: { readonly mcpId: string; readonly name: string }
  /** set if the credentials are valid, but not for the server in today's catalogue */
  readonly reason: ReconnectReason | undefined

  constructor(
    integration: { readonly mcpId: string; readonly name: string },
    { reason, ...options }: { cause?: unknown; reason?: ReconnectReason } = {},
  ) {
    super(
      reason
        ? describeReconnectReason(integration.name, reason)
        : `${integration.name} has to be connected again by the user.`,
      options,
    )
    this.name = 'ReconnectRequired'
    this.integration = integration
    this.reason = reason
  }
}

export const isReconnectRequired = (error: unknown): error is ReconnectRequired =>
  error instanceof ReconnectRequired
