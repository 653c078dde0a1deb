import * as z from 'zod'
import type { ToolActivity } from '#shared/chat-events.ts'
import type { ConnectedApi } from './api.ts'
import { ProviderError } from '../providers/errors.ts'

/** A tool of a built-in integration, independent of a user's connection. */
export interface Capability {
  /** unique within its provider */
  readonly id: string
  /** shown to users, such as 'Send an e-mail' */
  readonly name: string
  /** for the model */
  readonly description: string
  readonly parameters: z.ZodType<Record<string, unknown>>
  /** example requests of users */
  readonly examples: readonly string[]
  readonly writes: boolean
  readonly activity: ToolActivity
  readonly run: (api: ConnectedApi, input: Record<string, unknown>, signal: AbortSignal) => Promise<unknown>
}

/** Declares a capability; the schema determines the type of its input. */
export function capability<Schema extends z.ZodType<Record<string, unknown>>>(
  declared: Omit<Capability, 'parameters' | 'run' | 'writes' | 'activity'> & {
    parameters: Schema
    writes?: boolean
    activity?: ToolActivity
    run: (api: ConnectedApi, input: z.output<Schema>, signal: AbortSignal) => Promise<unknown>
  },
): Capability {
  const { run, writes = false, activity = writes ? 'other' : 'research', ...rest } = declared
  return {
    ...rest,
    writes,
    activity,
    async run(api, input, signal) {
      try {
        return await run(api, input as z.output<Schema>, signal)
      } catch (error) {
        // the response differs from the provider's documentation; invalid times and currencies are RangeErrors
        if (!(error instanceof z.ZodError || error instanceof RangeError)) throw error
        throw new ProviderError('The service responded in an unexpected format.', undefined, {
          cause: error,
        })
      }
    },
  }
}
