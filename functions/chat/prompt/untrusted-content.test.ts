import type { ReplyCall } from '#shared/reply/reply-state.ts'
import { expect, it } from 'vitest'
import type { ToolCall } from '#shared/contracts/chat.ts'
import type { UntrustedSource } from '#shared/contracts/runs.ts'
import { noUsage } from '../../conversations/turns/stored-reply.ts'
import type { Tool } from '../../tools/calls/tool.ts'
import { listUntrustedSources } from './untrusted-content.ts'

const call = (tool: string, integration?: string): ToolCall => ({
  tool,
  action: tool,
  parameters: {},
  result: { success: true },
  ...(integration !== undefined && { integration }),
})
const file = { id: 'f', name: 'a.png', type: 'image/png', size: 1 }
const source = { url: 'https://example.org' }
const usage = noUsage()
const reply = { toolCalls: [], sources: [], usage }

/** A call of the reply that is being written. */
const ownCall = (name: string, integration?: string): ReplyCall => ({
  id: name,
  name,
  input: {},
  status: 'done',
  activity: { kind: 'other', ...(integration !== undefined && { integration }) },
})
const offer = { tools: [], missing: [] }
const trustedInput = { history: [], offer, reply, hasSummary: false }
type Input = Partial<Parameters<typeof listUntrustedSources>[0]>

it.each<[string, Input, UntrustedSource]>([
  [
    'a file of this message or an earlier one',
    { history: [{ role: 'user', content: '', attachments: [file] }] },
    { kind: 'file', names: ['a.png'] },
  ],
  [
    'the result of a tool in an earlier reply',
    { history: [{ role: 'assistant', content: '', tool_calls: [call('gmail_get', 'Gmail')] }] },
    { kind: 'tool', names: ['Gmail'] },
  ],
  [
    'a web page in an earlier reply',
    { history: [{ role: 'assistant', content: '', sources: [source] }] },
    { kind: 'web', names: [] },
  ],
  [
    'a search in an earlier reply that cites nothing',
    { history: [{ role: 'assistant', content: '', usage: { webSearches: 1 } }] },
    { kind: 'web', names: [] },
  ],
  [
    'the result of a tool in this reply',
    { reply: { ...reply, toolCalls: [ownCall('remember'), ownCall('read_attachment')] } },
    { kind: 'tool', names: ['read_attachment'] },
  ],
  [
    'a server’s tool with the name of one of ours',
    { reply: { ...reply, toolCalls: [ownCall('remember', 'Eve')] } },
    { kind: 'tool', names: ['Eve'] },
  ],
  ['a web page in this reply', { reply: { ...reply, sources: [source] } }, { kind: 'web', names: [] }],
  [
    'a search in this reply that cites nothing',
    { reply: { ...reply, usage: { ...usage, webSearches: 2 } } },
    { kind: 'web', names: [] },
  ],
  [
    'what a server says about its tools',
    {
      offer: {
        tools: [
          {
            serverHints: { description: '', destructive: false },
            integration: { mcpId: 'w', name: 'Weather' },
          } as Tool,
        ],
        missing: [],
      },
    },
    { kind: 'server', names: ['Weather'] },
  ],
  [
    'the name of a server that is out of reach',
    { offer: { tools: [], missing: [{ name: 'Wea\u202ether', isPartial: false }] } },
    { kind: 'server', names: ['Wea ther'] },
  ],
  [
    'a message of an export',
    { history: [{ role: 'assistant' as const, content: 'Remember this', imported: true }] },
    { kind: 'import', names: [] },
  ],
  ['a summary, which may quote any of it', { hasSummary: true }, { kind: 'summary', names: [] }],
])('%s is untrusted', (_, input, found) => {
  expect(listUntrustedSources({ ...trustedInput, ...input })).toEqual([found])
})

it('a reply that was recovered without its usage may quote others; a complete one has its own', () => {
  const say = (status: string) => [
    { role: 'user' as const, content: 'Hello' },
    { role: 'assistant' as const, content: 'As the file says', status },
  ]
  const list = (status: string) => listUntrustedSources({ ...trustedInput, history: say(status) })
  for (const status of ['interrupted', 'stopped'])
    expect(list(status)).toEqual([{ kind: 'summary', names: [] }])
  expect(list('complete')).toEqual([])
})

it('names each source once, five of a kind', () => {
  const files = ['a', 'b', 'a', 'c', 'd', 'e', 'f'].map((name) => ({ ...file, name }))
  const history = [{ role: 'user' as const, content: '', attachments: files }]
  expect(listUntrustedSources({ ...trustedInput, history, hasSummary: true })).toEqual([
    { kind: 'file', names: ['a', 'b', 'c', 'd', 'e'] },
    { kind: 'summary', names: [] },
  ])
})

it('messages of the user, replies, and results of the product’s own tools are trusted', () => {
  const ownCalls = ['remember', 'forget', 'generate_image'].map((tool) => call(tool))
  const history = [
    { role: 'user' as const, content: 'Draw a cat and remember me' },
    { role: 'assistant' as const, content: 'Done', attachments: [file], tool_calls: ownCalls, usage },
  ]
  const tools = [{ name: 'gmail_send', integration: { mcpId: 'gmail', name: 'Gmail' } } as Tool]
  expect(listUntrustedSources({ ...trustedInput, history, offer: { tools, missing: [] } })).toEqual([])
  const calls = ownCalls.map(({ tool }) => ownCall(tool))
  expect(listUntrustedSources({ ...trustedInput, reply: { ...reply, toolCalls: calls } })).toEqual([])
})

it('a reply that has read others may quote them, as long as nothing else is known to be untrusted', () => {
  const say = (changes: object, attachments: (typeof file)[] = []) =>
    listUntrustedSources({
      ...trustedInput,
      history: [
        { role: 'user', content: 'Hello', attachments },
        { role: 'assistant', content: 'As they say', ...changes },
      ],
    })
  expect(say({ usage: { readOthers: true } })).toEqual([{ kind: 'summary', names: [] }])
  expect(say({ usage: { readOthers: true } }, [file])).toEqual([{ kind: 'file', names: ['a.png'] }])
  expect(say({ status: 'stopped', usage: {} })).toEqual([])
  expect(say({ sources: [], usage: { webSearches: 0 } })).toEqual([])
})

it('a call counts once it has ended; the product’s own tools have no server', () => {
  const toolCalls = [{ ...ownCall('mail_find', 'Mail'), status: 'running' as const }]
  expect(listUntrustedSources({ ...trustedInput, reply: { ...reply, toolCalls } })).toEqual([])
  const tools = [{ serverHints: { description: '', destructive: false } } as Tool]
  expect(listUntrustedSources({ ...trustedInput, offer: { tools, missing: [] } })).toEqual([])
})

it('names have 100 characters at most', () => {
  const history = [{ role: 'user' as const, content: '', attachments: [{ ...file, name: 'x'.repeat(101) }] }]
  const [found] = listUntrustedSources({ ...trustedInput, history })
  expect(found?.names[0]).toHaveLength(100)
})
