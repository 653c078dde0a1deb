import { readFile } from 'node:fs/promises'
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { demoImageFile } from '../model/server.ts'
import type { ProviderRequest, ProviderResponse } from './http.ts'
import type { McpItem, ProviderStore } from './store.ts'

const item = z.object({ id: z.string(), title: z.string(), text: z.string() })
const closedWorld = { readOnlyHint: true, openWorldHint: false }
const initialItems: readonly McpItem[] = [
  { id: 'item-1', title: 'Launch checklist', text: 'Press kit, pricing page, status page.' },
  { id: 'item-2', title: 'Bug: export is slow', text: 'Takes more than a minute with 10,000 rows.' },
  { id: 'item-3', title: 'Ideas for spring', text: 'Shorter onboarding, dark mode for mails.' },
]
const noArguments = z.strictObject({})

const quoteCell = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const toCsv = (notes: readonly McpItem[]) =>
  [['id', 'title', 'text'], ...notes.map(({ id, title, text }) => [id, title, text])]
    .map((row) => `${row.map(quoteCell).join(',')}\r\n`)
    .join('')

const toToolResult = (value: unknown) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(value) }],
})

/**
 * A provider's remote MCP server, made with the protocol's own library: a small list that can be searched and added to, and tools whose
 * results are more than text.
 */
function createItemServer(store: ProviderStore, provider: string): McpServer {
  const server = new McpServer(
    { name: `${provider} (local stand-in)`, version: '1' },
    // the tools never change, and responses of the doubles are not streamed
    { capabilities: { tools: { listChanged: false } } },
  )
  const items = (store.state.notes[provider] ??= [...initialItems])

  server.registerTool(
    'search_items',
    {
      description: 'Finds items by words in their title or text.',
      inputSchema: z.object({ query: z.string() }),
      annotations: { readOnlyHint: true },
    },
    ({ query }) => {
      const words = query.toLowerCase()
      return toToolResult(items.filter(({ title, text }) => `${title} ${text}`.toLowerCase().includes(words)))
    },
  )
  server.registerTool(
    'create_item',
    {
      description: 'Creates an item.',
      inputSchema: z.object({ title: z.string().min(1), text: z.string().optional() }),
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    async ({ title, text = '' }) => {
      const created = { id: `item-${items.length + 1}`, title, text }
      items.push(created)
      await store.save()
      return toToolResult(created)
    },
  )
  server.registerTool(
    'chart_items',
    { description: 'Draws a chart of all items.', inputSchema: noArguments, annotations: closedWorld },
    async () => {
      const data = await readFile(demoImageFile, 'base64')
      return { content: [{ type: 'image', data, mimeType: 'image/png' }] }
    },
  )
  server.registerTool(
    'export_items',
    { description: 'Exports all items as a CSV file.', inputSchema: noArguments, annotations: closedWorld },
    () => {
      const blob = Buffer.from(toCsv(items)).toString('base64')
      const uri = `https://${provider}.example/items`
      return {
        content: [
          { type: 'resource', resource: { uri: 'file:///items.csv', mimeType: 'text/csv', blob } },
          { type: 'resource_link', uri, name: 'items', title: 'All items' },
        ],
      }
    },
  )
  server.registerTool(
    'tabulate_items',
    {
      description: 'Tabulates all items.',
      inputSchema: noArguments,
      outputSchema: z.object({ items: z.array(item) }),
      annotations: closedWorld,
    },
    () => {
      const structuredContent = { items: items.map(({ id, title, text }) => ({ id, title, text })) }
      return { ...toToolResult(structuredContent), structuredContent }
    },
  )
  return server
}

/** Answers a request to a provider's remote MCP server, over streamable HTTP and without sessions. */
export async function respondMcp(
  store: ProviderStore,
  provider: string,
  { method, headers, body }: ProviderRequest,
): Promise<ProviderResponse> {
  const handler = createMcpHandler(() => createItemServer(store, provider))
  const response = await handler.fetch(
    new Request(`https://${provider}.example/mcp`, {
      method,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] satisfies [string, string]],
      ),
      ...(body !== '' && { body }),
    }),
  )
  const text = await response.text()
  await handler.close()
  return { status: response.status, headers: Object.fromEntries(response.headers), body: text }
}
