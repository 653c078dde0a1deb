import type { ModelMessage, ModelTool } from './model.ts'

/**
 * Bytes to a token. English has about four letters to one, JSON and code three, Chinese one letter of three bytes: so what is
 * reserved is seldom too little.
 */
const bytesPerToken = 3
/** What an image of the largest size that models are shown comes to, and a page of a PDF. */
export const tokensPerImage = 2_500

/** @returns how many tokens a text comes to, rather too many than too few */
export const estimateTextTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken)

/** The first letter of three bytes in UTF-8. */
const firstWideLetter = 0x0800

/**
 * @returns how many characters a text counts as where a share of a model's window is measured in characters. One of Chinese, Japanese,
 * Korean, Thai or the scripts of India is about a token by itself, so it counts as three
 */
export function measureText(text: string): number {
  let characters = 0
  for (let index = 0; index < text.length; index += 1) characters += measureUnit(text.charCodeAt(index))
  return characters
}

/** The halves of a pair count as one each: two of them are one letter. */
const measureUnit = (unit: number): number =>
  unit >= firstWideLetter && (unit < 0xd800 || unit > 0xdfff) ? bytesPerToken : 1

/** @returns where a part of a text ends that counts as so many characters at most; no letter is cut in two */
export function findMeasuredEnd(text: string, from: number, maxCharacters: number): number {
  let end = from
  let left = maxCharacters
  while (end < text.length) {
    const letter = text.codePointAt(end) ?? 0
    const units = letter > 0xffff ? 2 : 1
    left -= units === 2 ? units : measureUnit(letter)
    if (left < 0) break
    end += units
  }
  return end
}

/** @returns how many characters a message without parts counts as: text, calls, and what a server wants back */
export function countCharacters(message: ModelMessage): number {
  if (message.role === 'assistant' && message.answer) return measureText(JSON.stringify(message.answer.items))
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
  const text = typeof message.content === 'string' ? measureText(message.content) : 0
  return calls.reduce(
    (sum, call) => sum + call.function.name.length + measureText(call.function.arguments),
    text,
  )
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

/** The data URLs of the images that a tool returned. */
export const listToolImages = (message: ModelMessage): string[] =>
  message.role === 'tool' ? (message.images ?? []).flatMap(({ url }) => url ?? []) : []
