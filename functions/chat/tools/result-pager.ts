import { sayOwnTool } from '#shared/sentences/own-tools.ts'
import { ToolError } from '../../platform/tool-error.ts'
import * as z from 'zod'
import { findMeasuredEnd, measureText } from '../../models/token-estimate.ts'
import { charactersPerToken } from '../prompt/context-limits.ts'
import { zodParameters, type Tool } from '../../tools/calls/tool.ts'

const pageCharacters = 20_000
/** The part of a window that a page may take. */
const windowShare = 1 / 4
/** A page of less would hardly have room for its note. */
const minPageCharacters = 1_000
/** Reserved for the note at the end of a page. */
const noteCharacters = 400

const pageParameters = z.object({
  call: z.string().max(200).describe('id of the call, as the cut result names it'),
  from: z.number().int().nonnegative().describe('first character'),
})

/**
 * Pages tool results that are too long for the model: it gets the first page, and a tool for the others. Results are kept in memory
 * until the invocation ends.
 * @param contextTokens window of the model; undefined if it is unknown
 */
export function resultPager(contextTokens = Infinity) {
  const texts = new Map<string, string>()
  const toPageSize = (tokens: number) =>
    Math.max(minPageCharacters, tokens * windowShare * charactersPerToken)
  let maxMeasured = toPageSize(contextTokens)
  const findPageEnd = (text: string, from: number, reserved: number) => {
    const end = Math.min(from + pageCharacters - reserved, text.length)
    return maxMeasured === Infinity ? end : Math.min(end, findMeasuredEnd(text, from, maxMeasured - reserved))
  }

  const formatPage = (
    call: string,
    text: string,
    { from, to = findPageEnd(text, from, noteCharacters) }: { from: number; to?: number },
  ) => {
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
      return formatPage(call, text, { from })
    },
    // the original call already stores the result
    toStoredResult: () => ({ read: true }),
  }

  return {
    /** The first page of a result, or all of it. */
    firstPage(call: string, text: string): string {
      if (findPageEnd(text, 0, 0) === text.length) return text
      texts.set(call, text)
      return formatPage(call, text, { from: 0 })
    },
    /**
     * Cuts a result that the model was given already.
     * @param content as it was given
     * @param maxCharacters that it counts as afterwards, its note included
     */
    shorten(call: string, content: string, maxCharacters: number): string {
      if (measureText(content) <= maxCharacters) return content
      const text = texts.get(call) ?? content
      texts.set(call, text)
      const to = findMeasuredEnd(text, 0, Math.max(0, maxCharacters - noteCharacters))
      return formatPage(call, text, { from: 0, to })
    },
    /** Makes pages smaller for a model whose window is smaller than was known. */
    narrow(tokens: number): void {
      maxMeasured = Math.min(maxMeasured, toPageSize(tokens))
    },
    /** The tool that reads further pages; there from the first request on, so that the beginning of the prompt stays the same. */
    tool,
  }
}
