import type { Reply } from '../../../infra/local/doubles/model/reply-parts.ts'
import { longSample } from '../../../infra/local/doubles/model/texts.ts'

/** What the model of tests does with a request, beyond replies. */
export type TestReply =
  | (Reply & { maxTokens?: number })
  /** text with a silence after every other token */
  | { kind: 'slow'; text: string; silenceMs: number }
  /** text, then the connection breaks */
  | { kind: 'cut'; text: string }
  | { kind: 'error'; status: number }
  /** headers, then nothing until the client disconnects */
  | { kind: 'hang' }

const defaultSilenceMs = 4_000
/** The page treats 10 s without a byte from the model as normal; the model stays below that. */
const maxSilenceMs = 9_500

/**
 * What a command at the start of a message asks for: `/short [tokens]` ends at a limit, `/slow [ms]` has silences, `/fail [status]` and
 * `/fail mid` fail, `/hang` never says anything, `/empty` answers nothing, `/echo text` repeats.
 */
export function faultReply(message: string): TestReply | undefined {
  const [, command, rest = ''] =
    /^\/(short|slow|fail|hang|empty|echo)(?:\s+([\s\S]*))?$/.exec(message.trim()) ?? []
  switch (command) {
    case 'short':
      return { kind: 'text', text: longSample(1_024), maxTokens: parsePositiveInteger(rest, 30) }
    case 'slow':
      return {
        kind: 'slow',
        text: 'Good things take time. Here comes the end.',
        silenceMs: Math.min(parsePositiveInteger(rest, defaultSilenceMs), maxSilenceMs),
      }
    case 'fail':
      return rest.trim() === 'mid'
        ? { kind: 'cut', text: 'This reply begins well, but the connection to the model will break right' }
        : { kind: 'error', status: parsePositiveInteger(rest, 500) }
    case 'hang':
      return { kind: 'hang' }
    case 'empty':
      return { kind: 'text', text: '' }
    case 'echo':
      return { kind: 'text', text: rest }
    default:
      return undefined
  }
}

function parsePositiveInteger(text: string, otherwise: number): number {
  const value = Number.parseInt(text, 10)
  return value > 0 ? value : otherwise
}
