import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { ReconnectReason } from '#shared/reconnect-reason.ts'
import type { ToolActivity } from '#shared/chat-events.ts'
import type { ConnectedApi } from '../capabilities/api.ts'
import type { Capability } from '../capabilities/capability.ts'

/** What a call's arguments must be: as the model is shown it, and as it is checked before anything runs. */
export interface ToolParameters {
  /** JSON Schema of an object */
  readonly schema: Readonly<Record<string, unknown>>
  /** @returns the arguments to run with, or what is wrong with them, for the model to read */
  check(value: Record<string, unknown>): { input: Record<string, unknown> } | { problem: string }
}

/** The connection that a tool belongs to. */
export interface ToolOwner {
  readonly mcpId: string
  readonly name: string
  /** who published its server in the catalogue, as in `com.example`; absent for built-in integrations and custom servers */
  readonly namespace?: string
}

/** What a server says of a tool. Nobody has checked it. */
export interface ServerHints {
  /** empty where the server says nothing */
  readonly description: string
  /** it may delete or overwrite things */
  readonly destructive: boolean
}

/** Something the model may call. What it may do was decided before it is offered; the model is asked for arguments only. */
export interface Tool {
  /** at most 64 of `[A-Za-z0-9_-]` */
  readonly name: string
  /** what people read on an approval and in the ledger; the name where there is none */
  readonly title?: string
  readonly description: string
  /** of a server's tool: what its server says of it, for the person who is asked to allow a call */
  readonly serverHints?: ServerHints
  readonly parameters: ToolParameters
  /** whether it writes, sends, pays or deletes, or may: then the user allows each call, or has allowed the tool for good */
  readonly writes: boolean
  readonly activity: ToolActivity
  /** the connection it belongs to; the product's own tools have none */
  readonly owner?: ToolOwner
  /** of a server's tool: identifies its server's origin and everything that the server says of it, also what is not shown here */
  readonly definition?: string
  /** why its connection has to be made again before any call */
  readonly reconnect?: ReconnectReason | undefined
  readonly timeoutMs: number
  /**
   * @returns JSON-serialisable data for the model
   * @throws an Error whose message the model may read; ReconnectRequired where the person has to connect again first
   */
  run(input: Record<string, unknown>, signal: AbortSignal): Promise<unknown>
  /** what of a result the page is shown and the conversation keeps; without it all of it */
  toStoredResult?(result: unknown): unknown
}

/** Parameters of a tool that is written here. */
export const zodParameters = (schema: z.ZodType<Record<string, unknown>>): ToolParameters => ({
  schema: z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>,
  check(value) {
    const parsed = schema.safeParse(value)
    return parsed.success ? { input: parsed.data } : { problem: z.prettifyError(parsed.error).slice(0, 500) }
  },
})

/**
 * Identifies what a person allows when they allow a tool: whose it is, what it says it does, what it takes, and for a server's tool
 * where that server is. A tool that differs in any of this asks again.
 */
export function fingerprintTool({ name, title, description, parameters, owner, definition }: Tool): string {
  const identity = [owner?.mcpId ?? '', definition ?? '', name, title ?? '', description, parameters.schema]
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32)
}

/** The capability as a tool of one connection. */
export const capabilityTool = (
  { id, name, description, parameters, writes, activity, run }: Capability,
  owner: { mcpId: string; name: string },
  api: ConnectedApi,
): Tool => ({
  name: id,
  title: name,
  description: `${owner.name}: ${description}`,
  parameters: zodParameters(parameters),
  writes,
  activity,
  owner,
  timeoutMs: capabilityTimeoutMs,
  run: (input, signal) => run(api, input, signal),
})

/** Reads may take a while at some providers; a write that takes longer than this is not known to have been done. */
const capabilityTimeoutMs = 30_000
