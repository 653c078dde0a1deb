import { excerpt } from './words.ts'

/** Answers questions about the conversation itself from its earlier messages. */
export function recallReply(message: string, earlier: readonly string[]): string | undefined {
  const question = message.toLowerCase()
  if (/\bmy name\b.*\?|\bwho am i\b|what('s| is) my name/.test(question)) return nameReply(earlier)
  if (/\b(summari[sz]e|recap|sum up)\b.*\b(this|our|the)\b.*\b(conversation|chat|so far)\b/.test(question))
    return summary(earlier)
  if (
    !/\b(i|we)\b.*\b(say|said|ask|asked|tell|told|write|wrote|talk|talked|discuss|discussed)\b/.test(question)
  )
    return undefined
  if (!/\b(what|which|remember|recall|repeat)\b/.test(question)) return undefined
  const asksForFirst = /\b(first|begin|beginning|start|originally)\b/.test(question)
  const recalled = asksForFirst ? earlier[0] : earlier.at(-1)
  if (recalled === undefined)
    return 'This is your first message in this conversation, so there is nothing before it to recall.'
  return `${asksForFirst ? 'The first thing you said here was' : 'Just before this you said'}:\n\n> ${excerpt(recalled, 400)}`
}

function nameReply(earlier: readonly string[]): string {
  for (const text of earlier.toReversed()) {
    const name = /\b(?:my name is|i am called|call me|i'm called)\s+(\p{Lu}[\p{L}'-]*)/iu.exec(text)?.[1]
    if (name) return `You told me earlier: your name is **${name}**.`
  }
  return 'You have not told me your name in this conversation yet.'
}

function summary(earlier: readonly string[]): string {
  if (earlier.length === 0) return 'There is nothing to sum up yet: this is your first message here.'
  const points = earlier.slice(-10).map((text) => `- ${excerpt(text, 120)}`)
  return `So far you brought up:\n\n${points.join('\n')}\n\nWhich of these shall we take further?`
}
