import type { Client } from '@modelcontextprotocol/client'
import * as z from 'zod'

/** A tool as a server lists it; what is no tool is left out rather than the whole list. */
const serverTool = z.object({
  name: z.string().min(1),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.record(z.string(), z.unknown()),
  annotations: z
    .object({
      title: z.string().optional().catch(undefined),
      readOnlyHint: z.boolean().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
})
export type ServerTool = z.output<typeof serverTool>

const page = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().optional().catch(undefined),
})
const maxPages = 50

/**
 * All pages of a server's tools: at most so many tools, no name twice. Pages that come again, or without end, end the list.
 * @returns `more` when there was more than was taken
 * @throws errors of the client
 */
export async function listedTools(
  client: Client,
  { maxTools, signal }: { maxTools: number; signal: AbortSignal },
): Promise<{ tools: ServerTool[]; more: boolean }> {
  const capabilities = client.getServerCapabilities()
  if (!capabilities) throw new Error('the connection is closed')
  const tools = new Map<string, ServerTool>()
  if (!capabilities.tools) return { tools: [], more: false }
  const cursors = new Set<string>()
  let cursor: string | undefined
  do {
    const answer = await client.request(
      { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
      page,
      { signal },
    )
    for (const entry of answer.tools) {
      const { data: tool } = serverTool.safeParse(entry)
      if (!tool || tools.has(tool.name)) continue
      if (tools.size === maxTools) return { tools: [...tools.values()], more: true }
      tools.set(tool.name, tool)
    }
    cursor = answer.nextCursor
    if (cursor !== undefined && (cursors.has(cursor) || cursors.size === maxPages))
      return { tools: [...tools.values()], more: true }
    if (cursor !== undefined) cursors.add(cursor)
  } while (cursor !== undefined)
  return { tools: [...tools.values()], more: false }
}
