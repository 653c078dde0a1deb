import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { markdownSample } from '../../infra/local/doubles/model/samples.ts'
import { listen } from '../../infra/local/listen.ts'
import { beginStream, calls, chunk, type ModelRequest } from '../support/fake-model-server.ts'
import { serveParent } from './child.ts'
import { parsePace, type Pace, type Text } from './pace.ts'

// An OpenAI-compatible server in a separate process; the question defines the delay, length and speed of the answer.

/** Microseconds on the clock that all processes share: a token contains the time at which it was sent. */
const token = () => `t${process.hrtime.bigint() / 1_000n} `

const repeat = (line: (index: number) => string) =>
  Array.from({ length: 1_500 }, (_, index) => line(index)).join('')
const texts: Readonly<Record<Text, string>> = {
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

async function answer(response: ServerResponse, { firstTokenMs, tokens, everyMs, text }: Pace) {
  const startedAt = performance.now()
  await waitUntil(startedAt + firstTokenMs)
  beginStream(response)
  response.write(chunk({ role: 'assistant', content: '' }))
  for (let sent = 0; sent < tokens && !response.destroyed; sent += 1) {
    await waitUntil(startedAt + firstTokenMs + sent * everyMs)
    response.write(chunk({ content: text ? textToken(sent, texts[text]) : token() }))
  }
  response.write(chunk({}, 'stop'))
  response.end('data: [DONE]\n\n')
}

async function waitUntil(time: number): Promise<void> {
  const left = time - performance.now()
  if (left > 0) await sleep(left)
}

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(parts).toString()) as ModelRequest
    const { messages, tools = [] } = body
    const pace = parsePace(messages.findLast(({ role }) => role === 'user')?.content ?? '')
    const tool = tools.find(({ function: { name } }) => name.includes('read_records'))
    if (pace.kind === 'tool' && messages.at(-1)?.role === 'user' && tool)
      calls({ id: 'call', name: tool.function.name, arguments: '{}' })(response, request, body)
    else void answer(response, pace)
  })
})
serveParent(`${(await listen(server)).url}/v1`, {})
