import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OfferedTool } from './model-request.ts'
import { excerpt, splitWords, topicWords } from './words.ts'

export const chartSample = readFileSync(join(import.meta.dirname, 'chart-sample.txt'), 'utf8')

/** One of everything that the page has to render. */
export const markdownSample = readFileSync(join(import.meta.dirname, 'markdown-sample.txt'), 'utf8')

/** A text of about this many bytes, in numbered chapters. */
export function longSample(bytes: number): string {
  const chapter = (number: number) =>
    `## ${number}. A chapter\n\nChapter ${number} has **${number * 3} points** to make, of which the second is the one to remember: a reply that grows has to stay readable at every moment, whatever has arrived of it so far.\n\n- Point ${number}.1: short sentences are read, long ones are skipped\n- Point ${number}.2: an example says more than a rule\n\n| Step | Count |\n| :--- | ---: |\n| First | ${number} |\n| Second | ${number * 2} |\n`
  let text = '# A long read\n\nThis text is made to be long: scroll, stop it, or let it run to its end.\n'
  for (let number = 1; text.length < bytes; number += 1) text += `\n${chapter(number)}`
  return text
}

/** What a command at the start of a message asks for. */
export function commandReply(message: string): string | undefined {
  const [, command, kilobytes] = /^\/(markdown|long)(?: (\d{1,3}))?$/.exec(message.trim()) ?? []
  if (command === 'markdown') return markdownSample
  return command && longSample(Number(kilobytes ?? 60) * 1_024)
}

/** The answer to anything but a call: about the conversation, the assistant, or what the message is about. */
export const textReply = (message: string, earlier: readonly string[], tools: readonly OfferedTool[]) =>
  recallReply(message, earlier) ?? aboutReply(message, tools) ?? taskReply(message, earlier)

/** Answers questions about the conversation itself. */
function recallReply(message: string, earlier: readonly string[]): string | undefined {
  if (/\bmy name\b.*\?|\bwho am i\b|what('s| is) my name/i.test(message)) {
    const name = earlier
      .map((text) => /\b(?:my name is|i am called|call me)\s+(\p{Lu}[\p{L}'-]*)/iu.exec(text)?.[1])
      .findLast(Boolean)
    return name
      ? `You told me earlier: your name is **${name}**.`
      : 'You have not told me your name in this conversation yet.'
  }
  if (/\b(summari[sz]e|recap|sum up)\b.*\b(conversation|chat|so far)\b/i.test(message))
    return earlier.length === 0
      ? 'There is nothing to sum up yet: this is your first message here.'
      : `So far you brought up:\n\n${earlier
          .slice(-10)
          .map((text) => `- ${excerpt(text, 120)}`)
          .join('\n')}\n\nWhich of these shall we take further?`
  if (!/\b(?:what|which|repeat)\b.*\b(?:i|we)\b.*\b(?:say|said|ask|asked|tell|told|wrote)\b/i.test(message))
    return undefined
  const asksForFirst = /\b(first|beginning|start|originally)\b/i.test(message)
  const recalled = asksForFirst ? earlier[0] : earlier.at(-1)
  if (recalled === undefined)
    return 'This is your first message in this conversation, so there is nothing before it to recall.'
  return `${asksForFirst ? 'The first thing you said here was' : 'Just before this you said'}:\n\n> ${excerpt(recalled, 400)}`
}

const realModel =
  'To talk to a real model, set `OPENAI_API_KEY` (and `OPENAI_BASE_URL` for any other OpenAI-compatible server), and start again.'
const asksForService =
  /\b(e-?mails?|inbox|gmail|calendar|meetings?|drive|slack|notion|hubspot|contacts|trello|jira|github|dropbox)\b/i
const asksToAct = /\b(show|list|check|read|find|search|send|get|what|which|any|open|create|add|book)\b/i

/** Answers about the assistant itself: greetings, who it is, what it can do, what is connected. */
function aboutReply(message: string, tools: readonly OfferedTool[]): string | undefined {
  const text = message.trim()
  if (/^(hi|hello|hey|good (morning|afternoon|evening))\b[\s\p{P}\p{S}\w]{0,20}$/iu.test(text))
    return 'Hello! 👋 I am your assistant, running on the **built-in demo model**. Ask me for a plan or some code, or type `/markdown` to see what replies can look like.'
  if (/^(thanks|thank you|thx)\b/i.test(text)) return 'You are welcome! Is there anything else I can do?'
  if (/\bwho (are|made) you\b|\bwhat (model|are you\b)|\bare you (a|an|real|gpt|chatgpt|human)\b/i.test(text))
    return `I am the **built-in demo model** of this assistant: a small set of fixed rules on your own machine, not a language model. I show how everything works without an account or a key. ${realModel}`
  const names = tools.slice(0, 8).map(({ name }) => `\`${name}\``)
  if (/\bwhat (can|do) you (help|do)\b|\bhelp me with\b|\byour (abilities|features)\b|^help\W*$/i.test(text))
    return [
      'Here is what I can help you with:',
      [
        '- **Talk things through**: a plan, or some code',
        '- **Remember this conversation**: ask what you said first, or for a summary',
        '- **Draw an image, read your files, search the web**: as far as a demo can',
        tools.length > 0
          ? `- **Use your tools**: ${names.join(', ')}${tools.length > 8 ? ` and ${tools.length - 8} more` : ''}`
          : '- **Use your tools**: none is connected yet, so I cannot look into your mail or files',
      ].join('\n'),
      `One thing to know: you are talking to the **built-in demo model**, which follows simple rules. ${realModel}`,
    ].join('\n\n')
  if (/\b(integrations?|connected|connections?)\b/i.test(text))
    return tools.length === 0
      ? 'Nothing is connected yet: open **Tools** at the top. As soon as you connect an integration, I can use its tools in this conversation; until then I only know what you write here.'
      : `These tools of your integrations are available to me:\n\n${tools
          .map(({ name, description }) => `- \`${name}\`: ${excerpt(description, 120)}`)
          .join('\n')}`
  const service = asksForService.exec(text)?.[0]
  return tools.length === 0 && service !== undefined && asksToAct.test(text)
    ? `I would like to, but nothing is connected yet that gives me access to your ${service.toLowerCase()}, so I cannot see anything there. Open **Tools** at the top, connect the matching integration, and ask me again in the same words.`
    : undefined
}

const typescript = `export function topWords(text: string, count = 10): [string, number][] {
  const seen = new Map<string, number>()
  for (const [word] of text.toLowerCase().matchAll(/\\p{L}+/gu)) seen.set(word, (seen.get(word) ?? 0) + 1)
  return [...seen].sort(([, a], [, b]) => b - a).slice(0, count)
}`
const python = `import re
from collections import Counter


def top_words(text, count=10):
    return Counter(re.findall(r"[^\\W\\d_]+", text.lower())).most_common(count)`

/** A plan, a piece of code, or what stands out in the message, always with its own words. */
function taskReply(message: string, earlier: readonly string[]): string {
  if (/\b(code|function|script|snippet|program|regex|typescript|javascript|python)\b/i.test(message)) {
    const [language, code] = splitWords(message).includes('python')
      ? ['python', python]
      : ['typescript', typescript]
    return `Here is a start: the most frequent words of a text.\n\n\`\`\`${language}\n${code}\n\`\`\`\n\nTell a real model the input you have and the output you want, and it fits the code to that.`
  }
  const subject = /\b(?:plan|itinerary|schedule|organi[sz]e)\s+(.+)/i.exec(message)?.[1]
  if (subject !== undefined) {
    const days = [
      ['Arrive and get an overview', 'Write down what matters most'],
      ['The one thing you came for', 'Book or reserve what is scarce'],
      ['Something slow', 'Leave the afternoon open'],
    ]
    return [
      `Here is an outline for **${excerpt(subject.replace(/[\s?!.]+$/, ''), 120)}**:`,
      [
        '| Day | Focus | To do |',
        '| --: | :-- | :-- |',
        ...days.map(([theme, todo], day) => `| ${day + 1} | ${theme} | ${todo} |`),
      ].join('\n'),
      'Tell me your budget, your pace and what you do not want to miss, and I will fill in the details.',
    ].join('\n\n')
  }
  const topics = topicWords(message)
    .slice(0, 4)
    .map((topic) => `**${topic}**`)
  const before = earlier.at(-1)
  return [
    `You wrote “${excerpt(message, 160)}”. What stands out to me is ${topics.join(', ') || 'what you wrote'}.`,
    before === undefined
      ? 'It helps to say what a good outcome would look like, what you have tried already, and when it has to be done.'
      : `Before that you said “${excerpt(before, 100)}”. Which of the two would you settle first, and what would be different afterwards?`,
    'Ask me for a plan or some code, and I can do more. I am the built-in demo model: I know English only, and no facts but those of this conversation.',
  ].join('\n\n')
}
