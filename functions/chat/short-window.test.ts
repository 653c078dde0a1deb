import { resultsCut } from '#shared/chat-texts.ts'
import { afterAll, describe, expect, it, vi } from 'vitest'
import {
  beginStream,
  calls,
  chunk,
  says,
  type ModelBehaviour,
  type ModelRequest,
} from '../../test/support/fake-model-server.ts'
import { startInProcessFunctions, type InProcessUser } from '../../test/support/in-process-functions.ts'
import { startMcpServer } from '../../test/support/mcp-server.ts'
import { ask, findOnlyEvent } from '../../test/support/read-along.ts'
import {
  buildPrompt,
  buildRunInput,
  buildTool,
  buildWriteDeps,
  emptyProgress,
} from '../../test/support/reply-input.ts'
import { replyingModel, sendingTool } from '../../test/support/turns.ts'
import type { PendingCall } from '../conversations/store/run.ts'
import { modelErrors, ModelError } from '../models/model-errors.ts'
import type { Model, ModelMessage } from '../models/model.ts'
import { estimatePromptTokens, estimateTextTokens } from '../models/token-estimate.ts'
import { fingerprintTool, type Tool } from '../tools/calls/tool.ts'
import { generateToEnd } from './generate-to-end.ts'
import type { Reply } from './reply.ts'

/*
 * Models with a small window: conversations go on although they are longer. onlook-dev/onlook#1354, josephrocca/OpenCharacters#19
 */

const server = await startMcpServer({
  tools: [{ name: 'send', inputSchema: { type: 'object' } }],
  call: () => ({ content: [{ type: 'text', text: 'Sent.' }] }),
})
const backend = await startInProcessFunctions({
  OUTBOUND_ALLOW: server.host,
  MODELS: JSON.stringify([{ id: 'test-model' }, { id: 'known-model', contextTokens: 8_000 }]),
})
afterAll(async () => {
  await server.close()
  await backend.close()
})

const countTokens = ({ messages }: ModelRequest) => estimateTextTokens(JSON.stringify(messages))

/** A server that refuses what its window has no room for, and the sizes of all requests that it got. */
function smallWindow(maxTokens: number, answer: ModelBehaviour = says('Fine.')) {
  const sizes: number[] = []
  const behave: ModelBehaviour = (response, request, body) => {
    const tokens = countTokens(body)
    sizes.push(tokens)
    if (tokens <= maxTokens) return answer(response, request, body)
    const message = `This model's maximum context length is ${maxTokens} tokens. However, you requested ${tokens} tokens.`
    return response.writeHead(400, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        error: { message, type: 'invalid_request_error', code: 'context_length_exceeded' },
      }),
    )
  }
  backend.model.behave(behave)
  return { sizes }
}

const say = (user: InProcessUser, messageId: string, content: string, model = 'test-model') =>
  user.call('chat.send', {
    body: { sessionId: 's1', messageId, model, messages: [{ role: 'user', content }] },
  })

/** Sends so many messages. @returns what each was answered with, or the code of its error */
async function converse(user: InProcessUser, texts: readonly string[], model?: string) {
  const answers: unknown[] = []
  for (const [index, text] of texts.entries()) {
    const answer = await say(user, `m${index}`, text, model).catch((error: Error) => error.message)
    answers.push(typeof answer === 'string' ? /"code":"(\w+)"/.exec(answer)?.[1] : answer.content)
  }
  return answers
}

const turns = (count: number, text: string) => Array.from({ length: count }, (_, index) => `${index} ${text}`)
const lastText = () => backend.model.requests.at(-1)?.messages.at(-1)?.content

describe('a server whose window is smaller than anybody said', () => {
  it('is asked with less of the conversation', async () => {
    const user = await backend.newUser()
    const { sizes } = smallWindow(4_000)
    const texts = turns(14, 'An English sentence about nothing. '.repeat(40))
    expect(await converse(user, texts)).toEqual(texts.map(() => 'Fine.'))
    expect(lastText()).toContain('13 An English')
    expect(Math.max(...sizes)).toBeGreaterThan(4_000)
    const { messages } = await user.call('sessions.read', { params: { sessionId: 's1' } })
    expect(messages.at(-1)?.usage?.contextStart).toBeDefined()
    expect(messages).toHaveLength(28)
  })

  it('that has no room for the message itself is asked once, and the user is told', async () => {
    const user = await backend.newUser()
    const { sizes } = smallWindow(1_000)
    expect(await converse(user, ['An English sentence. '.repeat(1_000)])).toEqual(['model_context_exceeded'])
    expect(sizes).toHaveLength(1)
  })

  it('is asked with less behind results of tools, which are not called again', async () => {
    const user = await backend.newUser()
    const text = 'An English sentence about nothing. '.repeat(80)
    smallWindow(100_000)
    await converse(user, turns(8, text))
    const searches: string[] = []
    const { sizes } = smallWindow(6_000, (response, request, body) => {
      const isAnswered = body.messages.at(-1)?.role === 'tool'
      if (!isAnswered) searches.push('asked')
      const call = { id: 'c1', name: 'search_files', arguments: JSON.stringify({ wordings: [text] }) }
      return (isAnswered ? says('Found.') : calls(call))(response, request, body)
    })
    const answer = await say(user, 'last', 'Look.')
    expect(answer).toMatchObject({ success: true, content: 'Found.', toolCalls: [{ tool: 'search_files' }] })
    expect(searches).toHaveLength(1)
    expect(sizes.filter((size) => size <= 6_000)).toHaveLength(2)
  })
})

describe('each way in which a model is asked again for a conversation', () => {
  const text = 'An English sentence about nothing. '.repeat(80)
  const body = { sessionId: 's1', model: 'test-model' }
  const question = (content: string) => [{ role: 'user' as const, content }]
  const endsAtLimit: ModelBehaviour = (response) => {
    beginStream(response)
    response.end(`${chunk({ content: 'Once u' })}${chunk({}, 'length')}data: [DONE]\n\n`)
  }
  async function newConversation() {
    const user = await backend.newUser()
    await backend.addCustomTool(user, 'Post', server.url)
    smallWindow(100_000)
    await converse(user, turns(8, text))
    return user
  }

  it.each([
    ['regenerated', { messageId: 'r7', replaces: 'm7', messages: question(`7 ${text}`) }],
    ['edited', { messageId: 'r7', replaces: 'm7', messages: question('Edited.') }],
    [
      'temporary',
      { messageId: 't', keep: false, sessionId: 't1', messages: turns(9, text).flatMap(question) },
    ],
  ])('%s', async (_, changes) => {
    const user = await newConversation()
    const { sizes } = smallWindow(6_000)
    const answer = await user.call('chat.send', { body: { ...body, ...changes } })
    expect(answer).toMatchObject({ content: 'Fine.' })
    expect(Math.max(...sizes)).toBeGreaterThan(6_000)
  })

  it('continued: the rest follows in the same text', async () => {
    const user = await newConversation()
    smallWindow(100_000, endsAtLimit)
    const last = { ...body, messageId: 'last', messages: question('Tell me.') }
    await user.call('chat.send', { body: last })
    const { sizes } = smallWindow(6_000, says('pon a time.'))
    const reading = ask(user, { ...last, continues: true })
    await reading.finished
    expect(Math.max(...sizes)).toBeGreaterThan(6_000)
    expect(reading.types().filter((type) => type === 'text-start' || type === 'text-end')).toEqual([
      'text-start',
      'text-end',
    ])
    const { messages } = await user.call('sessions.read', { params: { sessionId: 's1' } })
    expect(messages.at(-1)?.content).toBe('Once upon a time.')
  })

  it('continued, with nothing that can be left out: the text ends, and the user is told', async () => {
    const user = await backend.newUser()
    smallWindow(100_000, endsAtLimit)
    const last = { ...body, messageId: 'm0', messages: question('Tell me.') }
    await user.call('chat.send', { body: last })
    smallWindow(10)
    const reading = ask(user, { ...last, continues: true })
    const received = await reading.finished
    expect(findOnlyEvent(received, 'error')).toBeDefined()
    expect(reading.types().filter((type) => type === 'text-end')).toHaveLength(1)
  })

  it('decided: the call is made once', async () => {
    const user = await newConversation()
    server.calls.length = 0
    const call = { id: 'c1', name: 'Post_send', arguments: '{}' }
    const isSend = (name: string) => name.endsWith('send')
    const asks: ModelBehaviour = (response, request, sent) =>
      calls({ ...call, name: sent.tools?.map((tool) => tool.function.name).find(isSend) ?? '' })(
        response,
        request,
        sent,
      )
    smallWindow(100_000, asks)
    const last = { ...body, messageId: 'last', messages: question('Send it.') }
    const { data } = findOnlyEvent(await ask(user, last).finished, 'data-run')
    const { sizes } = smallWindow(6_000)
    await user.send('runs.answer', {
      params: { sessionId: 's1' },
      body: { runId: data.run_id, callId: 'c1', approved: true },
    })
    const readLast = async () =>
      (await user.call('sessions.read', { params: { sessionId: 's1' } })).messages.at(-1)?.content
    await expect.poll(readLast).toBe('Fine.')
    expect(Math.max(...sizes)).toBeGreaterThan(6_000)
    expect(server.calls).toHaveLength(1)
  })
})

describe('the reply', () => {
  const tooLong = () => new ModelError(modelErrors.tooLong, 'the prompt is too long')
  const long = buildPrompt({
    messages: turns(4, 'A sentence.').map((content) => ({ role: 'user', content })),
  })
  /** A reply that goes on behind an approved call; its model takes one message and the call. */
  function approved(complete: Model['complete'], changes: Partial<Reply> = {}) {
    const { sent, tool } = sendingTool()
    const progress = emptyProgress()
    const call = {
      id: 'c1',
      type: 'function' as const,
      function: { name: 'send', arguments: '{"to":"ann"}' },
    }
    progress.roundMessages.push({ role: 'assistant', content: null, tool_calls: [call] })
    const decided: PendingCall = {
      callId: 'c1',
      kind: 'approval',
      tool: 'send',
      title: 'Send',
      of: { mcpId: 'mail', name: 'Mail' },
      fingerprint: fingerprintTool(tool),
      arguments: '{"to":"ann"}',
      askedAtMs: Date.now(),
      decision: 'approved',
      decidedAtMs: Date.now(),
    }
    const loadPrompt = vi.fn<Reply['loadPrompt']>(async () => buildPrompt({ tools: [tool] }))
    const reply = buildRunInput(
      { complete },
      {
        progress,
        decidedCalls: [decided],
        prompt: Promise.resolve({ ...long, tools: [tool] }),
        loadPrompt,
        ...changes,
      },
    )
    return { sent, loadPrompt, reply, ended: generateToEnd(buildWriteDeps(), reply, undefined) }
  }

  it('makes an approved call once', async () => {
    const answering = replyingModel('Sent.')
    const { sent, reply, ended } = approved(async (request) => {
      if (request.messages.length > 3) throw tooLong()
      return answering.complete(request)
    })
    expect(await ended).toEqual({ status: 'done' })
    expect(sent).toEqual([{ to: 'ann' }])
    expect(reply.events.reply.text).toBe('Sent.')
  })

  it.each<[string, () => Error, Partial<Reply>]>([
    ['of another error', () => new ModelError(modelErrors.busy, 'busy'), {}],
    [
      'whose answer has begun',
      tooLong,
      {
        progress: { ...emptyProgress(), roundMessages: [{ role: 'assistant', content: 'Once' }] },
        decidedCalls: [],
      },
    ],
  ])('%s is not shortened', async (_, toError, changes) => {
    const { ended, loadPrompt } = approved(async () => Promise.reject(toError()), changes)
    expect(await ended).toMatchObject({ status: 'failed' })
    expect(loadPrompt).not.toHaveBeenCalled()
  })

  it.each<[string, string | undefined]>([
    ['named', "This model's maximum context length is 12000 tokens."],
    ['not named', undefined],
  ])(
    'with results that are too long for a window that is %s: they are cut, the user is told, and no call is made again',
    async (_, message) => {
      const run = vi.fn<Tool['run']>(async () => 'An English sentence about nothing. '.repeat(500))
      const tool = buildTool({ title: 'Find', run })
      const answering = replyingModel('Found.')
      const sizes: number[] = []
      const requests: ModelMessage[][] = []
      const model: Model = {
        async complete(request) {
          const tokens = estimatePromptTokens(request.messages, [])
          sizes.push(tokens)
          requests.push([...request.messages])
          const rejection = { status: 400, message: message ?? '', code: '', param: '' }
          if (tokens > 12_000) throw new ModelError(modelErrors.tooLong, 'too long', { rejection })
          const results = request.messages.filter(({ role }) => role === 'tool').length
          const more = ['a', 'b', 'c'].map((id) => ({
            id: `${id}${results}`,
            name: 'find',
            arguments: `{"wording":"${id}${results}"}`,
          }))
          return results < 9
            ? { text: '', toolCalls: more, truncated: false, inputTokens: 1, outputTokens: 1 }
            : answering.complete(request)
        },
      }
      const loadPrompt = async () => buildPrompt({ tools: [tool] })
      const reply = buildRunInput(model, { prompt: loadPrompt(), loadPrompt })
      expect(await generateToEnd(buildWriteDeps(), reply, undefined)).toEqual({ status: 'done' })
      expect(run).toHaveBeenCalledTimes(9)
      expect(Math.max(...sizes)).toBeGreaterThan(12_000)
      const given = requests.at(-1)?.filter(({ role }) => role === 'tool') ?? []
      for (const { content } of given)
        expect(content).toMatch(
          /^An English sentence[^]*read_result with call "[abc]\d" and from \d+ gives more/,
        )
      expect(reply.events.reply.notices).toEqual([resultsCut(['Find'])])
    },
  )

  it('is shortened three times at most', async () => {
    let left = 4
    const loadPrompt: Reply['loadPrompt'] = async () => ({
      ...long,
      messages: long.messages.slice(0, --left),
    })
    const asked = vi.fn<Model['complete']>(async () => Promise.reject(tooLong()))
    expect(await approved(asked, { loadPrompt }).ended).toMatchObject({ code: 'model_context_exceeded' })
    expect(asked).toHaveBeenCalledTimes(4)
  })
})

describe('a window that is known', () => {
  it.each([
    ['Japanese', '契約金額は五十万円です。期限は来月末までとします。'],
    ['Thai', 'ภาษาไทยไม่มีช่องว่างระหว่างคำ'],
  ])('is not exceeded in %s, whose letters are tokens', async (_, sentence) => {
    const user = await backend.newUser()
    const { sizes } = smallWindow(8_000)
    const texts = turns(12, sentence.repeat(40))
    expect(await converse(user, texts, 'known-model')).toEqual(texts.map(() => 'Fine.'))
    expect(Math.max(...sizes)).toBeLessThan(8_000)
  })
})
