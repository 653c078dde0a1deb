import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { markdownSample } from '../../infra/local/doubles/model/texts.ts'
import { listen } from '../../infra/local/listen.ts'
import { beginMessage, endMessage, writeEvent } from '../support/fake-messages-server.ts'
import { beginStream, calls, type ModelRequest, wireFormat } from '../support/fake-model-server.ts'
import { serveParent } from './child.ts'
import { parsePace, type Pace, type SampleText } from './pace.ts'

// A server of all three APIs in a separate process; the question defines the delay, length and speed of the answer.

/** Microseconds on the clock that all processes share: a token contains the time at which it was sent. */
const token = () => `t${process.hrtime.bigint() / 1_000n} `

const repeat = (line: (index: number) => string) =>
  Array.from({ length: 1_500 }, (_, index) => line(index)).join('')
const texts: Readonly<Record<SampleText, string>> = {
  markdown: markdownSample,
  list: repeat((index) => `${index + 1}. **Item ${index}** is *one* of many\n`),
  table: `| Name | What it is | Value |\n| - | - | -: |\n${repeat((index) => `| Row ${index} | **one** of many | ${index} |\n`)}`,
  code: `\`\`\`ts\n${repeat((index) => `export const value${index} = compute(${index}, 'x')\n`)}`,
}

/** Four characters, as tokens are on average. */
function textToken(index: number, text: string): string {
  const at = (index * 4) % text.length
  return text.slice(at, at + 4)
}

interface Stream {
  begin(): void
  write(text: string): void
  end(): void
}

/** A streamed answer in the API that the request is for. */
function openStream(request: IncomingMessage, response: ServerResponse): Stream {
  if (!request.url?.endsWith('/messages')) {
    const format = wireFormat(request)
    return {
      begin: () => void beginStream(response),
      write: (text) => void response.write(format.text(text)),
      end: () => void response.end(format.end()),
    }
  }
  return {
    begin() {
      beginMessage(response)
      writeEvent(response, {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'text', text: '' },
      })
    },
    write: (text) =>
      void writeEvent(response, {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text },
      }),
    end() {
      writeEvent(response, { type: 'content_block_stop', index: 0 })
      endMessage(response, 'end_turn')
    },
  }
}

async function respond(
  stream: Stream,
  response: ServerResponse,
  { firstTokenMs, tokens, everyMs, text }: Pace,
) {
  const startedAt = performance.now()
  await waitUntil(startedAt + firstTokenMs)
  stream.begin()
  for (let sent = 0; sent < tokens && !response.destroyed; sent += 1) {
    await waitUntil(startedAt + firstTokenMs + sent * everyMs)
    stream.write(text ? textToken(sent, texts[text]) : token())
  }
  stream.end()
}

/** The last message of the user, whichever API the request is for. */
function findQuestion({ messages, input }: ModelRequest): string {
  const list = (messages ?? input ?? []) as { role?: string; content?: unknown }[]
  const content = list.findLast(({ role }) => role === 'user')?.content
  if (typeof content === 'string') return content
  const [first] = (content ?? []) as { text?: string }[]
  return first?.text ?? ''
}

/** A request without a pace is the product's own: the summary of what a long conversation leaves out. */
const summaryPace: Pace = { firstTokenMs: 0, tokens: 20, everyMs: 0 }

async function waitUntil(time: number): Promise<void> {
  const remainingMs = time - performance.now()
  if (remainingMs > 0) await sleep(remainingMs)
}

const server = createServer((request, response) => {
  // the list of models
  if (request.method === 'GET') return void response.end(JSON.stringify({ data: [{ id: 'bench' }] }))
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(parts).toString()) as ModelRequest
    const { messages, tools = [] } = body
    const pace = parsePace(findQuestion(body)) ?? summaryPace
    // tools are called over Chat Completions alone
    const tool = pace.callsTool && tools.find(({ function: { name } }) => name.includes('read_records'))
    if (tool && messages.at(-1)?.role === 'user')
      calls({ id: 'call', name: tool.function.name, arguments: '{}' })(response, request, body)
    else void respond(openStream(request, response), response, pace)
  })
})
serveParent(`${(await listen(server)).url}/v1`, {})
