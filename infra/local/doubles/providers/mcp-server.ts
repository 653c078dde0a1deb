import { type ProviderResponse, type ProviderRequest, json } from './http.ts'
import { demoImage } from '../model/demo-image.ts'
import type { Note, ProviderStore } from './store.ts'

interface Call {
  id?: number | string
  method: string
  params?: { protocolVersion?: string; name?: string; arguments?: Record<string, unknown> }
}

const firstNotes: Note[] = [
  { id: 'item-1', title: 'Launch checklist', text: 'Press kit, pricing page, status page.' },
  { id: 'item-2', title: 'Bug: export is slow', text: 'Takes more than a minute with 10,000 rows.' },
  { id: 'item-3', title: 'Ideas for spring', text: 'Shorter onboarding, dark mode for mails.' },
]

const tools = [
  {
    name: 'search_items',
    description: 'Finds items by words in their title or text.',
    inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'create_item',
    description: 'Creates an item.',
    inputSchema: {
      type: 'object',
      properties: { title: { type: 'string' }, text: { type: 'string' } },
      required: ['title'],
    },
    annotations: { readOnlyHint: false, destructiveHint: false },
  },
]

const closedWorld = { readOnlyHint: true, openWorldHint: false }
const noArguments = { type: 'object', additionalProperties: false }

/** Tools whose results are more than text: a picture, a file with a link, a table. */
const richTools = [
  {
    name: 'chart_items',
    description: 'Draws a chart of all items.',
    inputSchema: noArguments,
    annotations: closedWorld,
  },
  {
    name: 'export_items',
    description: 'Exports all items as a CSV file.',
    inputSchema: noArguments,
    annotations: closedWorld,
  },
  {
    name: 'tabulate_items',
    description: 'Tabulates all items.',
    inputSchema: noArguments,
    outputSchema: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: { id: { type: 'string' }, title: { type: 'string' }, text: { type: 'string' } },
            required: ['id', 'title', 'text'],
          },
        },
      },
      required: ['items'],
    },
    annotations: closedWorld,
  },
]

const quoteCell = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const toCsv = (notes: readonly Note[]) =>
  [['id', 'title', 'text'], ...notes.map(({ id, title, text }) => [id, title, text])]
    .map((row) => `${row.map(quoteCell).join(',')}\r\n`)
    .join('')

/** @returns undefined for a tool of another kind */
function answerRich(name: string | undefined, provider: string, notes: readonly Note[]): object | undefined {
  switch (name) {
    case 'chart_items': {
      const data = demoImage(`${provider}, ${notes.length} items`).toString('base64')
      return { content: [{ type: 'image', data, mimeType: 'image/png' }] }
    }
    case 'export_items': {
      const blob = Buffer.from(toCsv(notes)).toString('base64')
      const uri = `https://${provider}.example/items`
      return {
        content: [
          { type: 'resource', resource: { uri: 'file:///items.csv', mimeType: 'text/csv', blob } },
          { type: 'resource_link', uri, name: 'items', title: 'All items' },
        ],
      }
    }
    case 'tabulate_items': {
      const structuredContent = { items: notes.map(({ id, title, text }) => ({ id, title, text })) }
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
    }
    default:
      return undefined
  }
}

/** An MCP server over streamable HTTP, without sessions: a small list that can be searched and added to. */
export async function mcpCall(
  store: ProviderStore,
  provider: string,
  asked: ProviderRequest,
): Promise<ProviderResponse> {
  if (asked.method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
  const call = JSON.parse(asked.body) as Call
  if (call.id === undefined) return { status: 202 }
  const answer = (result: object) => json(200, { jsonrpc: '2.0', id: call.id, result })
  if (call.method === 'initialize')
    return answer({
      protocolVersion: call.params?.protocolVersion ?? '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: `${provider} (local stand-in)`, version: '1' },
    })
  if (call.method === 'ping') return answer({})
  if (call.method === 'tools/list') return answer({ tools: [...tools, ...richTools] })
  const rich =
    call.method === 'tools/call' && answerRich(call.params?.name, provider, listNotes(store, provider))
  if (rich && Object.keys(call.params?.arguments ?? {}).length > 0)
    return answer({ isError: true, content: [{ type: 'text', text: 'This tool takes no arguments.' }] })
  if (rich) return answer(rich)
  const done = call.method === 'tools/call' && (await run(store, provider, call.params ?? {}))
  if (done) return answer({ content: [{ type: 'text', text: JSON.stringify(done) }] })
  return json(200, { jsonrpc: '2.0', id: call.id, error: { code: -32601, message: 'Method not found' } })
}

const listNotes = (store: ProviderStore, provider: string) =>
  (store.state.notes[provider] ??= [...firstNotes])

async function run(
  store: ProviderStore,
  provider: string,
  { name, arguments: given = {} }: NonNullable<Call['params']>,
): Promise<object | undefined> {
  const notes = listNotes(store, provider)
  const text = (field: string) => (typeof given[field] === 'string' ? given[field] : '')
  if (name === 'search_items') {
    const query = text('query').toLowerCase()
    return notes.filter((note) => `${note.title} ${note.text}`.toLowerCase().includes(query))
  }
  if (name !== 'create_item' || text('title') === '') return undefined
  const note = { id: `item-${notes.length + 1}`, title: text('title'), text: text('text') }
  notes.push(note)
  await store.save()
  return note
}
