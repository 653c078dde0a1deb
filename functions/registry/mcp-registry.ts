import { sayRegistry } from '#shared/sentences/registry.ts'
import * as z from 'zod'
import { readCappedJson } from '../platform/net/read-capped.ts'
import { McpRegistryFailed } from './errors.ts'

const timeoutMs = 15_000
const pageSize = 100
/** room for a page of entries with overlong descriptions */
const maxResponseBytes = 16 * 1024 * 1024

/** Key of what the registry itself says about a server. */
const official = 'io.modelcontextprotocol.registry/official'

/** Lenient, because one bad entry must not fail its page. Unusable parts are left out later. */
const headerInput = z.object({
  name: z.string(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
})
const publishedServer = z.object({
  server: z.object({
    name: z.string(),
    description: z.string().default(''),
    title: z.string().optional().catch(undefined),
    websiteUrl: z.string().optional().catch(undefined),
    repository: z.object({ url: z.string() }).optional().catch(undefined),
    remotes: z
      .array(
        z.object({
          type: z.string(),
          url: z.string(),
          headers: z.array(headerInput).optional().catch(undefined),
        }),
      )
      .default([])
      .catch([]),
  }),
  _meta: z.object({
    [official]: z.object({
      status: z.string(),
      updatedAt: z.string().optional(),
      isLatest: z.boolean().default(true),
    }),
  }),
})
export type PublishedServer = z.output<typeof publishedServer>

const page = z.object({
  servers: z.array(z.unknown()),
  metadata: z.object({ nextCursor: z.string().nullish() }).default({}),
})

export interface ServerPage {
  servers: PublishedServer[]
  /** entries that could not be read */
  unreadable: number
  /** undefined on the last page */
  nextCursor: string | undefined
}

/** What the registry itself says about a published server: its status, and whether this is its newest version. */
export const getStatus = (published: PublishedServer) => published._meta[official]

/** Client of the official MCP Registry, version v0.1. */
export const mcpRegistry = ({ apiUrl }: { apiUrl: string }) => ({
  /**
   * Fetches a page of servers, with the newest version of each.
   * @param since returns only servers that changed or were deleted after that time (RFC 3339)
   * @throws McpRegistryFailed
   */
  async page({
    cursor,
    since,
  }: {
    cursor: string | undefined
    since: string | undefined
  }): Promise<ServerPage> {
    const query = new URLSearchParams({
      limit: String(pageSize),
      version: 'latest',
      ...(cursor && { cursor }),
      ...(since && { updated_since: since }),
    })
    let body: unknown
    try {
      const response = await fetch(`${apiUrl}/v0.1/servers?${query.toString()}`, {
        headers: { accept: 'application/json', 'user-agent': 'juno-assistant' },
        signal: AbortSignal.timeout(timeoutMs),
      })
      if (!response.ok) {
        await response.body?.cancel()
        const { status } = response
        throw new McpRegistryFailed(sayRegistry('mcp_registry_failed.status', { status }), { status })
      }
      body = await readCappedJson(response, maxResponseBytes)
    } catch (error) {
      if (error instanceof McpRegistryFailed) throw error
      throw new McpRegistryFailed(sayRegistry('mcp_registry_failed.unusable'), { cause: error })
    }
    const parsed = page.safeParse(body)
    if (!parsed.success)
      throw new McpRegistryFailed(sayRegistry('mcp_registry_failed.unusable'), { cause: parsed.error })
    const servers = parsed.data.servers.flatMap((one) => {
      const result = publishedServer.safeParse(one)
      return result.success ? [result.data] : []
    })
    return {
      servers,
      unreadable: parsed.data.servers.length - servers.length,
      nextCursor: parsed.data.metadata.nextCursor || undefined,
    }
  },
})

export type McpRegistry = ReturnType<typeof mcpRegistry>
