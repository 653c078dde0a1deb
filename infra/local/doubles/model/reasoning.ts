import type { ModelRequest } from './model-request.ts'
import { splitTokens } from './tokens.ts'
import { excerpt } from './words.ts'

/** What the demo model thinks before it answers; nothing where it does not reason. */
export function reasoningTokens({ effort, messages, tools }: ModelRequest): string[] {
  if (effort === undefined || effort === 'none') return []
  const question = messages.findLast(({ role }) => role === 'user')?.text ?? ''
  const step =
    messages.at(-1)?.role === 'tool'
      ? 'The tool has answered; I read what came back.'
      : `The question is “${excerpt(question, 80)}”.`
  const more = tools.length > 0 ? ` I have ${tools.length} tools to choose from.` : ''
  return splitTokens(`**Reading the question**\n\n${step}${more}`)
}
