import { randomUUID } from 'node:crypto'
import type { FormattedReply } from '../../../infra/local/doubles/model/responses-api.ts'
import type { StrictParts, StrictRequest } from './strict-request.ts'

/** The reply as Chat Completions has it: chunks, or one completion. Reasoning is counted and not shown, as at OpenAI. */
export function formatChatReply(request: StrictRequest, parts: StrictParts): FormattedReply {
  const { reasoning, text, calls, isCut, inputTokens, outputTokens } = parts
  const frame = {
    id: `chatcmpl-${randomUUID()}`,
    created: Math.floor(Date.now() / 1_000),
    model: request.model,
  }
  const usage = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(request.effort !== undefined && {
      completion_tokens_details: { reasoning_tokens: reasoning.length },
    }),
  }
  const event = (choices: object[], more: object = {}) =>
    `data: ${JSON.stringify({ ...frame, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  const chunk = (delta: object, finish_reason: string | null = null) =>
    event([{ index: 0, delta, finish_reason }])
  const finishReason = calls.length > 0 ? 'tool_calls' : isCut ? 'length' : 'stop'
  return {
    head: chunk({ role: 'assistant', content: '' }),
    tokens: [
      ...text.map((content) => chunk({ content })),
      ...calls.flatMap(({ id, name, argumentTokens }, index) => [
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
        ...argumentTokens.map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
      ]),
    ],
    tail: `${chunk({}, finishReason)}${request.includeUsage ? event([], { usage }) : ''}data: [DONE]\n\n`,
    body: {
      ...frame,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: calls.length > 0 ? null : text.join(''),
            refusal: null,
            ...(calls.length > 0 && {
              tool_calls: calls.map(({ id, name, argumentTokens }) => ({
                id,
                type: 'function',
                function: { name, arguments: argumentTokens.join('') },
              })),
            }),
          },
          finish_reason: finishReason,
          logprobs: null,
        },
      ],
      usage,
    },
  }
}
