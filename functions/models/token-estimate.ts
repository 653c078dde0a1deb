import type { ModelMessage, ModelTool } from './model.ts'
import { listToolImages } from './omit-images.ts'

/**
 * Bytes to a token. English has about four letters to one, JSON and code three, Chinese one letter of three bytes: so what is
 * reserved is seldom too little.
 */
const bytesPerToken = 3
/** What an image of the largest size that models are shown comes to, and a page of a PDF. */
export const tokensPerImage = 2_500

/** @returns how many tokens a text comes to, rather too many than too few */
export const estimateTextTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken)

/** @returns how many characters a message without parts has: text, calls, and what a server wants back */
export function countCharacters(message: ModelMessage): number {
  if (message.role === 'assistant' && message.answer) return JSON.stringify(message.answer.items).length
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
  const text = typeof message.content === 'string' ? message.content.length : 0
  return calls.reduce((sum, call) => sum + call.function.name.length + call.function.arguments.length, text)
}

function estimateMessageTokens(message: ModelMessage): number {
  const { content } = message
  // what the server wants back has the text and the calls, too
  if (message.role === 'assistant' && message.answer)
    return estimateTextTokens(JSON.stringify(message.answer.items))
  const calls = 'tool_calls' in message && message.tool_calls ? JSON.stringify(message.tool_calls) : ''
  if (typeof content === 'string')
    return estimateTextTokens(content + calls) + listToolImages(message).length * tokensPerImage
  let tokens = estimateTextTokens(calls)
  for (const part of content ?? [])
    tokens +=
      part.type === 'text'
        ? estimateTextTokens(part.text)
        : tokensPerImage * (part.type === 'file' ? part.pages : 1)
  return tokens
}

/** @returns how many tokens a model reads when it is asked with these messages and tools */
export function estimatePromptTokens(messages: readonly ModelMessage[], tools: readonly ModelTool[]): number {
  const texts = messages.reduce((sum, message) => sum + estimateMessageTokens(message), 0)
  return texts + (tools.length > 0 ? estimateTextTokens(JSON.stringify(tools)) : 0)
}
