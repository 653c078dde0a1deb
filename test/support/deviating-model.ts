import type { ServerResponse } from 'node:http'
import { beginStream, chunk, says, type ModelBehaviour, type ModelRequest } from './fake-model-server.ts'

/**
 * Model servers that differ from OpenAI's as real ones do, over several requests. What one answer can look like is a table beside the
 * reader (`functions/models/chat-api/deviations.test.ts`).
 */

const rejects = (response: ServerResponse, status: number, error: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))

const hasResults = ({ messages }: ModelRequest) => messages.at(-1)?.role === 'tool'
type SentMessage = ModelRequest['messages'][number] & { reasoning_content?: string }
const sentCalls = ({ messages }: ModelRequest) =>
  (messages as SentMessage[]).filter(({ tool_calls: sent }) => sent !== undefined)

/** Calls a tool, and wants what it sent with the call back in every request after it, those of later turns too. */
const wantsBack =
  (
    call: { name: string; args: object },
    {
      with: fields,
      callFields = {},
      isThere,
      message,
    }: {
      with?: object
      callFields?: object
      isThere: (sent: SentMessage) => boolean
      message: string
    },
  ): ModelBehaviour =>
  (response, request, body) => {
    if (!sentCalls(body).every(isThere))
      return rejects(response, 400, { message, type: 'invalid_request_error' })
    if (sentCalls(body).length > 0)
      return says(hasResults(body) ? 'Done.' : 'Later.')(response, request, body)
    beginStream(response)
    if (fields) response.write(chunk(fields))
    const { name, args } = call
    const tool = {
      index: 0,
      id: 'call_a',
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }
    response.write(chunk({ tool_calls: [{ ...tool, ...callFields }] }))
    return response.end(`${chunk({}, 'tool_calls')}data: [DONE]\n\n`)
  }

/** DeepSeek and Kimi: https://api-docs.deepseek.com/guides/thinking_mode */
export const wantsReasoning = (name: string, args: object): ModelBehaviour =>
  wantsBack(
    { name, args },
    {
      with: { reasoning_content: 'I look first.' },
      isThere: ({ reasoning_content: reasoning }) => reasoning === 'I look first.',
      message: 'The `reasoning_content` in the thinking mode must be passed back to the API.',
    },
  )

/** Gemini 3: https://ai.google.dev/gemini-api/docs/thought-signatures */
export const wantsSignature = (name: string, args: object): ModelBehaviour =>
  wantsBack(
    { name, args },
    {
      callFields: { extra_content: { google: { thought_signature: 'c2ln' } } },
      isThere: ({ tool_calls: sent = [] }) =>
        sent.every((call) =>
          JSON.stringify(call).includes('"extra_content":{"google":{"thought_signature":"c2ln"}}'),
        ),
      message: 'Function call is missing a thought_signature in functionCall parts.',
    },
  )

/** Chat templates of Gemma and Mistral: https://github.com/vllm-project/vllm/issues/6862 */
export const wantsTurns =
  (text: string): ModelBehaviour =>
  (response, request, body) => {
    const roles = body.messages.map(({ role }) => role).filter((role) => role !== 'system')
    return roles.every((role, index) => role === (index % 2 === 0 ? 'user' : 'assistant'))
      ? says(text)(response, request, body)
      : rejects(response, 400, {
          message: 'Conversation roles must alternate user/assistant/user/assistant/...',
        })
  }

/** llama.cpp without a projector: https://github.com/ggml-org/llama.cpp/issues/13566 */
export const refusesPictures =
  (text: string): ModelBehaviour =>
  (response, request, body) =>
    JSON.stringify(body.messages).includes('"image_url"')
      ? rejects(response, 500, {
          message: 'image input is not supported - hint: you may need to provide the mmproj',
        })
      : says(text)(response, request, body)

/** Ends in the middle of a call's arguments. */
export const diesInArguments: ModelBehaviour = (response) => {
  beginStream(response)
  response.write(chunk({ content: 'I send it.' }))
  const call = { name: 'gmail_send_email', arguments: '{"to":"a' }
  response.end(chunk({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: call }] }))
}

/** Ten megabytes in one piece of the text. */
export const writesTenMegabytes: ModelBehaviour = (response) => {
  beginStream(response)
  response.end(`${chunk({ content: 'word '.repeat(2 * 1024 * 1024) })}${chunk({}, 'stop')}data: [DONE]\n\n`)
}

/** Two calls in one chunk, without an index: https://github.com/ollama/ollama/issues/7881 */
export const countsNoCalls: ModelBehaviour = (response, request, body) => {
  if (hasResults(body)) return says('Both are there.')(response, request, body)
  beginStream(response)
  const tool = (id: string, name: string, args: string) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  })
  const pieces = [
    tool('a', 'gmail_get_emails', '{"maxResults":1}'),
    tool('b', 'google-drive_list_files', '{}'),
  ]
  return response.end(`${chunk({ tool_calls: pieces })}${chunk({}, 'tool_calls')}data: [DONE]\n\n`)
}
