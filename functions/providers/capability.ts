import { sayTool } from '#shared/sentences/tools.ts'
import * as z from 'zod'
import type { ToolActivity } from '#shared/chat-events.ts'
import type { ApiRequest, ConnectedApi } from './api.ts'
import { ProviderError } from './provider-error.ts'
import { parseWithoutBadRows } from './bad-rows.ts'
import { graphql, type GraphqlOperation } from './schemas.ts'

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

type Declared<Schema extends z.ZodType> = Omit<Capability, 'parameters' | 'run' | 'writes' | 'activity'> & {
  parameters: Schema
  writes?: boolean
  activity?: ToolActivity
  run: (api: ApiClient, input: z.output<Schema>) => Promise<unknown>
}

/**
 * Prepares the declaration of a provider's capabilities; the schema of each determines the type of its input.
 * @param shared what all requests to the provider have in common
 */
export const capabilityWith =
  (shared: ApiRequest) =>
  <Schema extends z.ZodType<Record<string, unknown>>>(declared: Declared<Schema>): Capability => {
    const { run, writes = false, activity = writes ? 'other' : 'research', ...rest } = declared
    return {
      ...rest,
      writes,
      activity,
      async run(api, input, signal) {
        // a write may choose the only row that there is, so it needs all of them
        const badRows = writes ? undefined : { count: 0 }
        try {
          const result = await run(new ApiClient(api, signal, shared, badRows), input as z.output<Schema>)
          return badRows ? tellBadRows(result, badRows.count) : result
        } catch (error) {
          // the response differs from the provider's documentation; a value that cannot be formatted is a RangeError
          if (!(error instanceof z.ZodError || error instanceof RangeError)) throw error
          throw new ProviderError(sayTool('provider_bad_answer.format'), undefined, {
            cause: error,
          })
        }
      },
    }
  }

/** Tells the model that rows of the answer are missing from a result. */
const tellBadRows = (result: unknown, count: number): unknown =>
  count > 0
    ? {
        ...(Array.isArray(result) ? { rows: result as unknown[] } : (result as object)),
        leftOut: `${count} of what the service sent could not be read`,
      }
    : result

/** Declares a capability of a provider whose requests have nothing in common. */
export const capability = capabilityWith({})

/** The API of a connection during one call of a capability. Each response is parsed by a schema, which also picks what the model sees of it. */
export class ApiClient {
  readonly #api: ConnectedApi
  readonly #signal: AbortSignal
  readonly #shared: ApiRequest
  readonly #badRows: { count: number } | undefined

  /** @param badRows counts the rows that are left out because they do not fit their schema; undefined: such a row is an error */
  constructor(api: ConnectedApi, signal: AbortSignal, shared: ApiRequest, badRows?: { count: number }) {
    this.#api = api
    this.#signal = signal
    this.#shared = shared
    this.#badRows = badRows
  }

  /** The same API, for requests that have more in common. */
  with(shared: ApiRequest): ApiClient {
    return new ApiClient(this.#api, this.#signal, { ...this.#shared, ...shared }, this.#badRows)
  }

  async get<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    query: ApiRequest['query'] = {},
    request: ApiRequest = {},
  ): Promise<z.output<Schema>> {
    return this.#parse(
      schema,
      await this.#api.call(path, { ...this.#shared, ...request, query }, this.#signal),
    )
  }

  /** @param request with `reads` if it is a search, which may be repeated */
  async post<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    request: ApiRequest,
  ): Promise<z.output<Schema>> {
    const whole = { ...this.#shared, ...request, method: 'POST' } as const
    return this.#parse(schema, await this.#api.call(path, whole, this.#signal))
  }

  async graphql<Schema extends z.ZodType>(
    schema: Schema,
    operation: GraphqlOperation,
  ): Promise<z.output<Schema>> {
    return this.#parse(schema, await graphql(this.#api, operation, this.#signal))
  }

  #parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
    if (!this.#badRows) return schema.parse(body)
    const { value, badRows } = parseWithoutBadRows(schema, body)
    this.#badRows.count += badRows
    return value
  }
}
