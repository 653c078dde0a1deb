import { type Client, ProtocolError } from '@modelcontextprotocol/client'
import { createHash } from 'node:crypto'
import * as z from 'zod'

/** The specification recommends at most 128 characters. */
const maxNameCharacters = 1_000

/** A tool as a server lists it. Invalid entries are skipped. */
const serverTool = z.object({
  name: z.string().min(1).max(maxNameCharacters),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  /** without one, a tool takes no parameters */
  inputSchema: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((schema) => schema ?? { type: 'object', properties: {} }),
  outputSchema: z.record(z.string(), z.unknown()).optional().catch(undefined),
  annotations: z
    .object({
      title: z.string().optional().catch(undefined),
      destructiveHint: z.boolean().optional().catch(undefined),
      readOnlyHint: z.boolean().optional().catch(undefined),
      openWorldHint: z.boolean().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  /** of MCP Apps (SEP-1865) */
  _meta: z
    .object({
      ui: z
        .object({
          resourceUri: z.string().optional().catch(undefined),
          visibility: z.array(z.string()).optional().catch(undefined),
        })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
})
export interface ServerTool extends z.output<typeof serverTool> {
  /** the whole entry as the server sent it */
  definition: unknown
}

/**
 * Whether a tool declares that it is read-only and reaches nothing beyond its server. A tool that reaches further, which is the protocol's
 * default, can leak data while it only reads.
 */
export const isReadOnly = ({ annotations }: Pick<ServerTool, 'annotations'>): boolean =>
  annotations?.readOnlyHint === true && annotations.openWorldHint === false

/**
 * Identifies a tool by its server's origin and its whole definition.
 * @param url the address of the server
 * @param definition the entry as the server sent it: any field may change what a call does
 * @throws RangeError if it is nested too deeply for the engine
 */
export function fingerprintServerTool(url: string, definition: unknown): string {
  const identity = JSON.stringify([new URL(url).origin, definition], sortKeys)
  return createHash('sha256').update(identity).digest('base64url').slice(0, 22)
}

/** Some servers change the order of object keys between responses. */
const sortKeys = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value

const toolPage = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().optional().catch(undefined),
  ttlMs: z.number().min(0).optional().catch(undefined),
})
const maxPages = 50
const methodNotFound = -32_601

const maxUnreadable = 20
const unreadableEntry = z.object({ name: z.string().min(1) })

/**
 * Lists all pages of a server's tools, without duplicate names. Stops at a repeated cursor, and at the limits on pages and tools.
 * @returns `more` if the server has more tools than were read, or may have; `isRepeated` if the list led back to a page that was read: then
 * nobody knows whether there are more; `unreadable`, the names of entries that are no tools, undefined for one without a name; `ttlMs`, how
 * long the list is fresh, if the server says so
 * @throws errors of the client
 */
export async function listTools(
  client: Client,
  { maxTools, signal }: { maxTools: number; signal: AbortSignal },
): Promise<{
  tools: ServerTool[]
  more: boolean
  isRepeated: boolean
  unreadable: (string | undefined)[]
  ttlMs?: number
}> {
  const capabilities = client.getServerCapabilities()
  if (!capabilities) throw new Error('the connection is closed')
  const tools = new Map<string, ServerTool>()
  const unreadable = new Set<string | undefined>()
  const cursors = new Set<string>()
  let cursor: string | undefined
  let ttlMs: number | undefined
  const finish = (more: boolean, isRepeated = false) => ({
    tools: [...tools.values()],
    more,
    isRepeated,
    unreadable: [...unreadable],
    ...(ttlMs !== undefined && { ttlMs }),
  })
  for (;;) {
    let response
    try {
      response = await client.request(
        { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
        toolPage,
        { signal },
      )
    } catch (error) {
      // several servers have tools without declaring them; of the others this is the answer
      if (!capabilities.tools && error instanceof ProtocolError && error.code === methodNotFound)
        return finish(false)
      if (cursor === '' && error instanceof ProtocolError) return finish(false)
      throw error
    }
    if (response.ttlMs !== undefined) ttlMs = Math.min(response.ttlMs, ttlMs ?? Infinity)
    const before = tools.size
    for (const entry of response.tools) {
      const { data: tool } = serverTool.safeParse(entry)
      if (!tool && unreadable.size < maxUnreadable)
        unreadable.add(unreadableEntry.safeParse(entry).data?.name)
      if (!tool || tools.has(tool.name)) continue
      if (tools.size === maxTools) return finish(true)
      tools.set(tool.name, { ...tool, definition: entry })
    }
    cursor = response.nextCursor
    if (cursor === undefined) return finish(false)
    // since 2026-07-28 it is a cursor like any other; several SDKs end a list with it, where it leads to the same page again
    const isRepeated = cursors.has('') && tools.size === before
    if (cursor === '' && (client.getProtocolEra() !== 'modern' || isRepeated)) return finish(false)
    if (cursors.has(cursor)) return finish(true, true)
    if (cursors.size === maxPages) return finish(true)
    cursors.add(cursor)
  }
}
