import type { ChatCompletionRequest } from './chat-request.ts'
import { countTokens, splitTokens } from './tokens.ts'
import type { ToolCall } from './tool-choice.ts'

/** The OpenAI objects of one answer: chunks of a stream, or the whole. */
export interface Completion {
  /** the parts to send one after another */
  deltas: object[]
  finishReason: 'stop' | 'length' | 'tool_calls'
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number }
  message: object
}

/** A text answer, cut at the token limit of the request or of the model. */
export function textCompletion(
  request: ChatCompletionRequest,
  text: string,
  maxTokens = Infinity,
): Completion {
  const all = splitTokens(text)
  const tokens = all.slice(0, Math.min(request.maxTokens ?? Infinity, maxTokens))
  return {
    deltas: tokens.map((content) => ({ content })),
    finishReason: tokens.length < all.length ? 'length' : 'stop',
    usage: countUsage(request, tokens.length),
    message: { role: 'assistant', content: tokens.join(''), refusal: null },
  }
}

/** An answer that asks for tools; arguments come in pieces, as from a real model. */
export function toolCompletion(
  request: ChatCompletionRequest,
  calls: ToolCall[],
  callId: () => string,
): Completion {
  const toolCalls = calls.map((call) => ({
    id: callId(),
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }))
  const deltas = toolCalls.flatMap(({ function: called, ...call }, index) => [
    { tool_calls: [{ index, ...call, function: { name: called.name, arguments: '' } }] },
    ...splitTokens(called.arguments).map((piece) => ({
      tool_calls: [{ index, function: { arguments: piece } }],
    })),
  ])
  return {
    deltas,
    finishReason: 'tool_calls',
    usage: countUsage(request, deltas.length),
    message: { role: 'assistant', content: null, refusal: null, tool_calls: toolCalls },
  }
}

function countUsage(request: ChatCompletionRequest, completion: number): Completion['usage'] {
  const prompt = request.messages.reduce((sum, { text }) => sum + countTokens(text) + 4, 0)
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}
