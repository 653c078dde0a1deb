import { sayOwnTool } from '#shared/sentences/own-tools.ts'
import { ToolError } from '../../platform/tool-error.ts'
import * as z from 'zod'
import { zodParameters, type Tool } from '../../tools/calls/tool.ts'

const pageCharacters = 20_000
/** Reserved for the note at the end of a page. */
const noteCharacters = 400

const pageParameters = z.object({
  call: z.string().max(200).describe('id of the call, as the cut result names it'),
  from: z.number().int().nonnegative().describe('first character'),
})

/**
 * Pages tool results that are too long for the model: it gets the first page, and a tool for the others. Results are kept in memory
 * until the invocation ends.
 */
export function resultPager() {
  const texts = new Map<string, string>()

  const formatPage = (call: string, text: string, from: number) => {
    const to = Math.min(from + pageCharacters - noteCharacters, text.length)
    const rest = `\n[Cut: characters ${from} to ${to} of ${text.length}. read_result with call "${call}" and from ${to} gives more.]`
    return text.slice(from, to) + (to < text.length ? rest : '')
  }

  const tool: Tool = {
    name: 'read_result',
    title: 'Read on in a result',
    description: 'Gives more of a tool result that was cut.',
    parameters: zodParameters(pageParameters),
    writes: false,
    activity: 'document_analysis',
    timeoutMs: 1_000,
    async run(input) {
      const { call, from } = pageParameters.parse(input)
      const text = texts.get(call)
      if (text === undefined) throw new ToolError(sayOwnTool('own_tool.result_gone'))
      if (from >= text.length)
        throw new ToolError(sayOwnTool('own_tool.result_end', { characters: text.length }))
      return formatPage(call, text, from)
    },
    // the original call already stores the result
    toStoredResult: () => ({ read: true }),
  }

  return {
    /** The first page of a result, or all of it. */
    firstPage(call: string, text: string): string {
      if (text.length <= pageCharacters) return text
      texts.set(call, text)
      return formatPage(call, text, 0)
    },
    /** The tool that reads further pages; there from the first request on, so that the beginning of the prompt stays the same. */
    tool,
  }
}
