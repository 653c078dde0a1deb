import { type ProviderResponse, type ProviderRequest, json } from './http.ts'
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
  if (call.method === 'tools/list') return answer({ tools })
  const done = call.method === 'tools/call' && (await run(store, provider, call.params ?? {}))
  if (done) return answer({ content: [{ type: 'text', text: JSON.stringify(done) }] })
  return json(200, { jsonrpc: '2.0', id: call.id, error: { code: -32601, message: 'Method not found' } })
}

async function run(
  store: ProviderStore,
  provider: string,
  { name, arguments: given = {} }: NonNullable<Call['params']>,
): Promise<object | undefined> {
  const notes = (store.state.notes[provider] ??= [...firstNotes])
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
