import * as z from 'zod'
import type { ToolActivity } from '#shared/chat-events.ts'
import type { ConnectedApi } from './api.ts'
import { ProviderError } from '../providers/errors.ts'

/** CAP-03: something a built-in integration can do, whoever is connected. */
export interface Capability {
  /** unique within its provider */
  readonly id: string
  /** what people read: 'Send an e-mail' */
  readonly name: string
  /** what the model reads */
  readonly description: string
  readonly parameters: z.ZodType<Record<string, unknown>>
  /** requests that it is for, in people's words */
  readonly examples: readonly string[]
  readonly writes: boolean
  readonly activity: ToolActivity
  readonly run: (api: ConnectedApi, input: Record<string, unknown>, signal: AbortSignal) => Promise<unknown>
}

/** Declares a capability with its input typed by its schema. */
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
        // an answer that is not what the provider documents; a time or a currency that there is none of is a RangeError
        if (!(error instanceof z.ZodError || error instanceof RangeError)) throw error
        throw new ProviderError('The service answered in a form that is not known.', undefined, {
          cause: error,
        })
      }
    },
  }
}
