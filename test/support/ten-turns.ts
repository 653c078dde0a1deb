import { createServer, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { listen } from '../../infra/local/listen.ts'
import { png } from './document-samples.ts'
import type { StackUser } from './stack-user.ts'
import { uploadFile } from './upload.ts'

/*
 * A conversation of ten turns with tools, memory, files, an approval that waits and a sign-in in between, against a server of the three model APIs that
 * writes as reasoning models do; and how much of each request the next one begins with.
 */

export const conversationApis = ['chat', 'responses', 'messages'] as const
export type ConversationApi = (typeof conversationApis)[number]

type Fields = Record<string, unknown>
interface SentRequest {
  api: ConversationApi
  body: Fields
}
interface Call {
  id: string
  name: string
  args: Fields
}

const toList = (value: unknown) => (Array.isArray(value) ? (value as Fields[]) : [])
const toText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : toList(content)
        .map(({ text }) => (typeof text === 'string' ? text : ''))
        .join('')

/** What the newest message of the user asks for, as `#call name {…}` in lines of its own, and whether it has been done. */
function readRequest({ api, body }: SentRequest): { calls: Call[]; isAnswered: boolean } {
  const messages = toList(body[api === 'responses' ? 'input' : 'messages'])
  const isTyped = ({ role, content }: Fields) =>
    role === 'user' && !toList(content).some(({ type }) => type === 'tool_result')
  const at = messages.findLastIndex(isTyped)
  const lines = [...toText(messages[at]?.['content']).matchAll(/^#call (\S+) (\{.*\})$/gm)]
  return {
    // numbered anew in each answer, as Kimi and llama.cpp do
    calls: lines.map(([, name = '', args = '{}'], index) => ({
      id: `call_${index}`,
      name,
      args: JSON.parse(args) as Fields,
    })),
    isAnswered: at < messages.length - 1,
  }
}

const send = (response: ServerResponse, event: Fields) =>
  response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)

function sendChat(response: ServerResponse, count: number, text: string, calls: readonly Call[]) {
  const chunk = (delta: Fields, finish: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }], usage: { prompt_tokens: 10, completion_tokens: 5 } })}\n\n`,
    )
  chunk({ role: 'assistant', reasoning_content: `Thought ${count}.` })
  chunk({ content: text })
  for (const [index, { id, name, args }] of calls.entries())
    chunk({
      tool_calls: [
        {
          index,
          id,
          type: 'function',
          function: { name, arguments: JSON.stringify(args, null, 1) },
          extra_content: { google: { thought_signature: `sig-${count}` } },
        },
      ],
    })
  chunk({}, calls.length > 0 ? 'tool_calls' : 'stop')
  response.end('data: [DONE]\n\n')
}

function sendResponses(response: ServerResponse, count: number, text: string, calls: readonly Call[]) {
  const items: Fields[] = [
    { type: 'reasoning', id: `rs_${count}`, summary: [], encrypted_content: `sealed-${count}` },
    {
      type: 'message',
      id: `msg_${count}`,
      role: 'assistant',
      status: 'completed',
      phase: calls.length > 0 ? 'commentary' : 'final_answer',
      content: [{ type: 'output_text', text, annotations: [] }],
    },
    ...calls.flatMap(({ id, name, args }, index) => [
      { type: 'reasoning', id: `rs_${count}_${index}`, summary: [], encrypted_content: `more-${count}` },
      {
        type: 'function_call',
        id: `fc_${count}_${index}`,
        call_id: id,
        name,
        arguments: JSON.stringify(args, null, 1),
        status: 'completed',
      },
    ]),
  ]
  for (const [output_index, item] of items.entries()) {
    send(response, {
      type: 'response.output_item.added',
      output_index,
      item: { ...item, content: [], arguments: '' },
    })
    if (item['type'] === 'message')
      send(response, { type: 'response.output_text.delta', output_index, item_id: item['id'], delta: text })
    send(response, { type: 'response.output_item.done', output_index, item })
  }
  const usage = { input_tokens: 10, output_tokens: 5 }
  send(response, { type: 'response.completed', response: { status: 'completed', output: items, usage } })
  response.end()
}

function sendMessages(response: ServerResponse, count: number, text: string, calls: readonly Call[]) {
  const usage = { input_tokens: 10, output_tokens: 5 }
  send(response, { type: 'message_start', message: { id: `msg_${count}`, usage } })
  const blocks: [Fields, ...Fields[]][] = [
    [
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: `Thought ${count}.` },
      { type: 'signature_delta', signature: `sig-${count}` },
    ],
    [
      { type: 'text', text: '' },
      { type: 'text_delta', text },
    ],
    ...calls.flatMap(({ id, name, args }): [Fields, ...Fields[]][] => [
      [{ type: 'redacted_thinking', data: `sealed-${count}` }],
      [
        { type: 'tool_use', id, name, input: {} },
        { type: 'input_json_delta', partial_json: JSON.stringify(args) },
      ],
    ]),
  ]
  for (const [index, [block, ...deltas]] of blocks.entries()) {
    send(response, { type: 'content_block_start', index, content_block: block })
    for (const delta of deltas) send(response, { type: 'content_block_delta', index, delta })
    send(response, { type: 'content_block_stop', index })
  }
  const reason = calls.length > 0 ? 'tool_use' : 'end_turn'
  send(response, { type: 'message_delta', delta: { stop_reason: reason }, usage })
  send(response, { type: 'message_stop' })
  response.end()
}

const writers = { chat: sendChat, responses: sendResponses, messages: sendMessages } as const

/** Starts the model server; it keeps all requests. */
export async function startReasoningModel() {
  const requests: SentRequest[] = []
  const server = await listen(
    createServer((request, response) => {
      const { url = '' } = request
      if (request.method !== 'POST') return void response.writeHead(404).end('{}')
      const api = conversationApis.find((one) => url.includes(`/${one}`)) ?? 'chat'
      void json(request).then((body) => {
        const sent = { api, body: body as Fields }
        requests.push(sent)
        const { calls, isAnswered } = readRequest(sent)
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        writers[api](
          response,
          requests.length,
          `Answer ${requests.length}.`,
          isAnswered || body === undefined ? [] : calls,
        )
      })
    }),
  )
  return { baseUrl: `${server.url}/v1`, requests, close: () => server.close() }
}

/** Models of the settings, one for each API. */
export const conversationModels = JSON.stringify(
  conversationApis.map((api) => ({ id: `${api}-model`, api, contextTokens: 200_000 })),
)

interface TenTurns {
  api: ConversationApi
  /** signs in again, as after a reload */
  signInAgain: (user: StackUser) => Promise<StackUser>
}

/** Has the conversation. @returns how each turn ended */
export async function haveTenTurns(user: StackUser, { api, signInAgain }: TenTurns): Promise<string[]> {
  let ann = user
  const sessionId = crypto.randomUUID()
  const params = { sessionId }
  const outcomes: string[] = []
  const say = async (content: string, attachments: { id: string }[] = []) => {
    const body = {
      sessionId,
      messageId: crypto.randomUUID(),
      model: `${api}-model`,
      messages: [{ role: 'user' as const, content, attachments }],
    }
    await ann.send('chat.send', { body })
    const { run } = await ann.call('sessions.read', { params })
    const [question] = run?.questions ?? []
    if (question) {
      const answer = { runId: run?.run_id ?? '', callId: question.call_id, approved: true }
      await ann.call('runs.answer', { params, body: answer })
    }
    const { messages } = await ann.call('sessions.read', { params })
    const last = messages.at(-1)
    const calls = (last?.tool_calls ?? []).map(({ tool, result }) => `${tool} ${result.success}`)
    outcomes.push([...(question ? ['asked'] : []), ...calls, last?.content ?? ''].join(', '))
  }
  const text = 'The budget of the project is 40 thousand. It ends in May.\n'.repeat(400)
  const report = await uploadFile(ann, { name: 'report.txt', type: 'text/plain', content: text })
  const image = await uploadFile(ann, { name: 'a.png', type: 'image/png', content: png(8, 8) })
  const mail = JSON.stringify({ to: 'bo@example.org', subject: 'Invoice', body: 'Please pay 500.' })
  await ann.call('account.settings', { body: { memory: true } })
  await say(`Hello\n#call remember {"text":"Likes ${api}."}`)
  await say('Read.\n#call gmail_get_emails {"maxResults":1}')
  await say('See this.', [report])
  await say('Both.\n#call gmail_get_emails {"maxResults":2}\n#call google-drive_list_files {}')
  await say(`Send it.\n#call gmail_send_email ${mail}`)
  ann = await signInAgain(ann)
  await say('And this?', [image])
  await say(`Read on.\n#call read_attachment {"id":"${report.id}","from":100}`)
  await say('Find it.\n#call search_files {"wordings":["budget"]}')
  await say('Try.\n#call no_such_tool {"n":12345678901234567890}')
  await say('Thanks')
  return outcomes
}

/** What a request has that a server may cache, in its order; marks of the cache aside. */
export function listCacheable({ api, body }: SentRequest): string[] {
  const text = (value: unknown) =>
    JSON.stringify(value, (key, one: unknown) => (key === 'cache_control' ? undefined : one))
  const { tools, system, instructions } = body
  const messages = toList(body[api === 'responses' ? 'input' : 'messages'])
  return [text(tools), text(system ?? instructions ?? ''), ...messages.map(text)]
}

/** How much of each request, in characters, is the beginning of the next one. */
export function measurePrefixes(requests: readonly SentRequest[]) {
  let same = 0
  let all = 0
  const broken: { request: number; at: number; was: string; is: string }[] = []
  for (const [index, request] of requests.slice(0, -1).entries()) {
    const [before, after] = [request, requests[index + 1] ?? request].map(listCacheable)
    const at = before?.findIndex((part, place) => part !== after?.[place]) ?? -1
    const kept = at === -1 ? before : before?.slice(0, at)
    all += before?.join('').length ?? 0
    same += kept?.join('').length ?? 0
    if (at !== -1) broken.push({ request: index, at, was: before?.[at] ?? '', is: after?.[at] ?? '' })
  }
  return { share: all === 0 ? 1 : same / all, characters: all, broken }
}
