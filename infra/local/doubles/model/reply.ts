import { aboutAnswer } from './about-answers.ts'
import type { ChatCompletionRequest } from './chat-request.ts'
import { codeAnswer } from './code-answers.ts'
import { commandReply } from './commands.ts'
import { recallAnswer } from './recall.ts'
import { markdownSample } from './samples.ts'
import { answerFromResults } from './tool-answer.ts'
import { chooseTool, type ToolCall } from './tool-choice.ts'
import { topicAnswer } from './topic-answers.ts'

/** What the demo model does with a request. */
export type Reply =
  | { kind: 'text'; text: string }
  | { kind: 'tools'; calls: ToolCall[] }
  /** text with a silence after every other token */
  | { kind: 'slow'; text: string; silenceMs: number }
  /** text, and then the connection breaks */
  | { kind: 'cut'; text: string }
  | { kind: 'error'; status: number }
  /** headers, and then nothing until the client leaves */
  | { kind: 'hang' }

/**
 * The demo model's whole mind: general rules on the last message, the conversation and the offered tools, the same answer to the
 * same request every time. Results of tools come first, then commands, tools, and the kinds of text it can write.
 */
export function replyTo(request: ChatCompletionRequest): Reply {
  const { messages, tools } = request
  if (messages.at(-1)?.role === 'tool') return { kind: 'text', text: answerFromResults(messages) }
  const said = messages.filter(({ role }) => role === 'user').map(({ text }) => text.trim())
  const message = said.at(-1) ?? ''
  const earlier = said.slice(0, -1)
  if (message === '') return { kind: 'text', text: 'I did not get a message. What can I do for you?' }
  const command = commandReply(message)
  if (command) return command
  const call = chooseTool(message, request)
  if (call) return { kind: 'tools', calls: [call] }
  return { kind: 'text', text: textAnswer(message, earlier, tools) }
}

function textAnswer(
  message: string,
  earlier: readonly string[],
  tools: ChatCompletionRequest['tools'],
): string {
  if (/\bmarkdown\b/i.test(message) && /\b(show|sample|example|demo|me)\b/i.test(message))
    return markdownSample
  return (
    recallAnswer(message, earlier) ??
    aboutAnswer(message, tools) ??
    codeAnswer(message) ??
    topicAnswer(message, earlier)
  )
}
