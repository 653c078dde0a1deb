import { afterAll, describe, expect, it, vi } from 'vitest'
import { calls, says, type ModelBehaviour, type ModelRequest } from '../../test/support/fake-model-server.ts'
import { startInProcessFunctions, type InProcessUser } from '../../test/support/in-process-functions.ts'
import { buildPrompt, buildRunInput, buildWriteDeps, emptyProgress } from '../../test/support/reply-input.ts'
import { replyingModel, sendingTool } from '../../test/support/turns.ts'
import type { PendingCall } from '../conversations/store/run.ts'
import { modelErrors, ModelError } from '../models/model-errors.ts'
import type { Model } from '../models/model.ts'
import { estimateTextTokens } from '../models/token-estimate.ts'
import { fingerprintTool } from '../tools/calls/tool.ts'
import { generateToEnd } from './generate-to-end.ts'
import type { Reply } from './reply.ts'

/*
 * Models with a small window: conversations go on although they are longer. onlook-dev/onlook#1354, josephrocca/OpenCharacters#19
 */

const backend = await startInProcessFunctions({
  MODELS: JSON.stringify([{ id: 'test-model' }, { id: 'known-model', contextTokens: 8_000 }]),
})
afterAll(() => backend.close())

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
    ['that continues an earlier one, whose text is open', tooLong, { continues: true }],
  ])('%s is not shortened', async (_, toError, changes) => {
    const { ended, loadPrompt } = approved(async () => Promise.reject(toError()), changes)
    expect(await ended).toMatchObject({ status: 'failed' })
    expect(loadPrompt).not.toHaveBeenCalled()
  })

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
