import type { Reply } from './reply-parts.ts'
import { longSample, markdownSample } from './samples.ts'

const defaultSilenceMs = 4_000
/** The page treats 10 s without a byte from the model as normal; the demo stays below that. */
const maxSilenceMs = 9_500
const maxLongKilobytes = 500

const help = `| Command | What happens |
| :-- | :-- |
| \`/markdown\` | a reply with everything that Markdown can do |
| \`/long [KB]\` | a reply of about 60 KB, or as many as you say |
| \`/short [tokens]\` | a reply that ends at a limit of so many tokens, 30 unless you say |
| \`/slow [ms]\` | a reply with long silences |
| \`/fail [status]\` | the model answers with an error, 500 unless you name another |
| \`/fail mid\` | the connection breaks in the middle of the reply |
| \`/hang\` | the model never says anything |
| \`/empty\` | the model answers nothing at all |
| \`/echo text\` | the model repeats the text |`

/** What a slash command at the start of a message asks for; undefined for an unknown one. */
export function commandReply(message: string): Reply | undefined {
  const [, command = '', rest = ''] = /^\/(\w+)(?:\s+([\s\S]*))?$/.exec(message.trim()) ?? []
  switch (command) {
    case 'markdown':
      return { kind: 'text', text: markdownSample }
    case 'long':
      return {
        kind: 'text',
        text: longSample(Math.min(parsePositiveInteger(rest, 60), maxLongKilobytes) * 1_024),
      }
    case 'short':
      return { kind: 'text', text: longSample(1_024), maxTokens: parsePositiveInteger(rest, 30) }
    case 'slow':
      return {
        kind: 'slow',
        text: slowText,
        silenceMs: Math.min(parsePositiveInteger(rest, defaultSilenceMs), maxSilenceMs),
      }
    case 'fail':
      return rest.trim() === 'mid'
        ? { kind: 'cut', text: 'This reply begins well, but the connection to the model will break right' }
        : { kind: 'error', status: errorStatus(rest) }
    case 'hang':
      return { kind: 'hang' }
    case 'empty':
      return { kind: 'text', text: '' }
    case 'echo':
      return { kind: 'text', text: rest }
    case 'help':
      return { kind: 'text', text: help }
    default:
      return undefined
  }
}

const slowText = 'Good things take time. Here comes the end.'

function parsePositiveInteger(text: string, otherwise: number): number {
  const value = Number.parseInt(text, 10)
  return value > 0 ? value : otherwise
}

function errorStatus(text: string): number {
  const status = parsePositiveInteger(text, 500)
  return status >= 400 && status <= 599 ? status : 500
}
