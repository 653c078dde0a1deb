import type { OfferedTool } from './model-request.ts'
import { excerpt } from './words.ts'

/** Answers about the assistant itself: greetings, who it is, what it can do, what is connected. */
export function aboutReply(message: string, tools: readonly OfferedTool[]): string | undefined {
  const text = message.toLowerCase().trim()
  if (
    /^(hi|hello|hey|good (morning|afternoon|evening)|hallo|moin|servus)\b[\s\p{P}\p{S}\w]{0,20}$/u.test(text)
  )
    return greeting
  if (/^(thanks|thank you|thx|danke)\b/.test(text)) return 'You are welcome! Is there anything else I can do?'
  if (/\bwho (are|made) you\b|\bwhat (model|are you\b)|\bare you (a|an|real|gpt|chatgpt|human)\b/.test(text))
    return identity
  if (
    /\bwhat (can|do) you (help|do)\b|\bhelp me with\b|\byour (abilities|capabilities|features)\b|^help\W*$/.test(
      text,
    )
  )
    return describeAbilities(tools)
  if (/\b(integrations?|connected|connections?)\b/.test(text)) return connections(tools)
  if (tools.length === 0 && asksForService.test(text) && asksToAct.test(text)) return notConnected(text)
  return undefined
}

const asksForService =
  /\b(e-?mails?|inbox|gmail|calendar|meetings?|drive|slack|notion|hubspot|contacts|trello|jira|github|dropbox)\b/
const asksToAct = /\b(show|list|check|read|find|search|send|get|what|which|any|open|create|add|book)\b/

const greeting =
  'Hello! 👋 I am your assistant, running on the **built-in demo model**. Ask me for a plan, a comparison, a draft or some code, or type `/markdown` to see what replies can look like.'

const identity =
  'I am the **built-in demo model** of this assistant: a small set of fixed rules on your own machine, not a language model. I show how everything works without an account or a key. To talk to a real model, set `OPENAI_API_KEY` (and `OPENAI_BASE_URL` for any other OpenAI-compatible server), and start again.'

function describeAbilities(tools: readonly OfferedTool[]): string {
  return [
    'Here is what I can help you with:',
    [
      '- **Talk things through**: plans, comparisons, ideas, drafts of e-mails',
      '- **Write code** in TypeScript or Python, with highlighting you can copy from',
      '- **Remember this conversation**: ask what you said first, or for a summary; it is saved and waits for you in the history',
      '- **Keep going or stop**: a reply streams in as it is written and can be stopped at any moment',
      tools.length > 0
        ? `- **Use your tools**: ${names(tools)}`
        : '- **Use your tools**: none is connected yet, so I cannot look into your mail or files',
    ].join('\n'),
    'One thing to know: you are talking to the **built-in demo model**, which follows simple rules. Set `OPENAI_API_KEY`, or `OPENAI_BASE_URL` for another OpenAI-compatible server, to talk to a real one.',
  ].join('\n\n')
}

function connections(tools: readonly OfferedTool[]): string {
  if (tools.length === 0)
    return 'Nothing is connected yet. As soon as you connect an integration, I can use its tools in this conversation; until then I only know what you write here.'
  const lines = tools.map(({ name, description }) => `- \`${name}\`: ${excerpt(description, 120)}`)
  return `These tools of your integrations are available to me:\n\n${lines.join('\n')}`
}

function notConnected(text: string): string {
  const service = asksForService.exec(text)?.[0] ?? 'that'
  return [
    `I would like to, but nothing is connected yet that gives me access to your ${service}, so I cannot see anything there.`,
    'Once the matching integration is connected, ask me again in the same words. Until then you can paste a text here, and I work with that.',
  ].join('\n\n')
}

const names = (tools: readonly OfferedTool[]) =>
  tools
    .slice(0, 8)
    .map(({ name }) => `\`${name}\``)
    .join(', ') + (tools.length > 8 ? ` and ${tools.length - 8} more` : '')
