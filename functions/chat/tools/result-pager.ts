import * as z from 'zod'
import { zodParameters, type Tool } from '../../tools/tool.ts'

/** So much of a result the model is given at once. */
const partCharacters = 20_000
/** Room for the note at the end of a part, so that a part that was read on is not cut again. */
const noteCharacters = 400

const where = z.object({
  call: z.string().max(200).describe('id of the call, as the cut result names it'),
  from: z.number().int().nonnegative().describe('first character'),
})

/**
 * Results that are too long for the model to get at once: it gets the beginning, and may read on. They live as long as the
 * invocation that writes the reply.
 */
export function longResults() {
  const texts = new Map<string, string>()

  const part = (call: string, text: string, from: number) => {
    const to = Math.min(from + partCharacters - noteCharacters, text.length)
    const rest = `\n[Cut: characters ${from} to ${to} of ${text.length}. read_result with call "${call}" and from ${to} gives more.]`
    return text.slice(from, to) + (to < text.length ? rest : '')
  }

  const tool: Tool = {
    name: 'read_result',
    title: 'Read on in a result',
    description: 'Gives more of a tool result that was cut.',
    parameters: zodParameters(where),
    writes: false,
    activity: 'document_analysis',
    timeoutMs: 1_000,
    async run(input) {
      const { call, from } = where.parse(input)
      const text = texts.get(call)
      if (text === undefined) throw new Error('This result is not there any more. Make the call again.')
      if (from >= text.length) throw new Error(`The result ends at character ${text.length}.`)
      return part(call, text, from)
    },
    // what was read stands in the call that it belongs to
    toStoredResult: () => ({ read: true }),
  }

  return {
    /** What the model is given of a result. */
    shown(call: string, text: string): string {
      if (text.length <= partCharacters) return text
      texts.set(call, text)
      return part(call, text, 0)
    },
    /** The tool to read on with, once there is something to read on in. */
    tools: (): Tool[] => (texts.size > 0 ? [tool] : []),
  }
}
