import * as z from 'zod'
import { parseJson } from '#shared/parse-json.ts'
import { mayCall, type ModelRequest } from './model-request.ts'
import type { ToolCall } from './tool-choice.ts'
import { excerpt, stem, topicWords } from './words.ts'

const memory = z.object({ id: z.string(), text: z.string() })
type Memory = z.output<typeof memory>

const asksToRemember =
  /^(?:please |can you |could you )*(?:remember|note|keep in mind)(?:,| that|:)? +(.+)$/is
const asksToForget = /^(?:please |can you |could you )*forget(?:,| that|:)? +(.+)$/is
const asksForAll =
  /\bwhat (?:do|can) you (?:remember|know)\b.*\b(?:about me|of me)\b|\bwhat do you remember\b/i

/** The memories in notes of messages: a line of JSON for each. */
function parseMemories({ messages }: ModelRequest): Memory[] {
  const lines = messages.filter(({ role }) => role === 'user').flatMap(({ text }) => text.split('\n'))
  return lines.flatMap((line) => memory.safeParse(parseJson(line)).data ?? [])
}

/** The memory that shares most words with a text; undefined if none shares any. */
function findClosest(text: string, memories: readonly Memory[]): Memory | undefined {
  const words = new Set(topicWords(text).map(stem))
  const count = (memory: Memory) => topicWords(memory.text).filter((word) => words.has(stem(word))).length
  const [best] = memories.toSorted((a, b) => count(b) - count(a))
  return best && count(best) > 0 ? best : undefined
}

/** Capitalises a fact, without its final punctuation, at most 500 characters. */
function normaliseFact(text: string): string {
  const trimmed = text.trim().replace(/[.!]+$/, '')
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}`.slice(0, 500)
}

/** The call of a memory tool that a message asks for; undefined if there is none or the tool is not offered. */
export function chooseMemoryCall(message: string, request: ModelRequest): ToolCall | undefined {
  const fact = asksToRemember.exec(message)?.[1]
  if (fact !== undefined && mayCall(request, 'remember'))
    return { name: 'remember', arguments: { text: normaliseFact(fact) } }
  const factToForget = asksToForget.exec(message)?.[1]
  const closest = factToForget === undefined ? undefined : findClosest(factToForget, parseMemories(request))
  return closest && mayCall(request, 'forget') ? { name: 'forget', arguments: { ...closest } } : undefined
}

/**
 * Answers from the memories: what they are, or the one that a question is about; says how to switch memory on.
 * @returns undefined if the message is not about memory
 */
export function memoryReply(message: string, request: ModelRequest): string | undefined {
  const isMemoryOn = request.tools.some(({ name }) => name === 'remember')
  if (!isMemoryOn)
    return asksToRemember.test(message)
      ? 'I know it in this conversation. To have me remember it in others too, switch on **Memory** in Settings and tell me again in a saved conversation.'
      : undefined
  const memories = parseMemories(request)
  if (asksForAll.test(message))
    return memories.length === 0
      ? 'I remember nothing about you yet. Write “Remember that …”, and I will.'
      : `This is what I remember about you:\n\n${memories.map(({ text }) => `- ${text}`).join('\n')}`
  if (asksToForget.test(message)) return 'I remember nothing of the kind.'
  const known = message.trim().endsWith('?') ? findClosest(message, memories) : undefined
  return known && `From what I remember: ${excerpt(known.text, 200)}.`
}
