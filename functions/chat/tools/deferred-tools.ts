import { sayOwnTool } from '#shared/sentences/own-tools.ts'
import { ToolError } from '../../platform/tool-error.ts'
import { sayTool } from '#shared/sentences/tools.ts'
import * as z from 'zod'
import { rankTools } from '../../tools/offer/rank-tools.ts'
import { zodParameters, type Tool } from '../../tools/calls/tool.ts'
import type { ModelToolCall } from '../../models/model.ts'
import { estimateTextTokens } from '../../models/token-estimate.ts'
import { parseArguments, toModelTool, type PreparedCall } from './run-tool.ts'

/** How much of a model's context window the definitions of connected tools may take. */
const windowShare = 0.05
/** They are sent with each request: more is not worth it, however large the window. */
const maxDefinitionTokens = 20_000
/** Of a model whose window is unknown. */
const assumedWindow = 128_000
/** Models accept 128, the product's own tools included. */
const maxDefinitions = 120

export const searchToolName = 'search_tools'
export const callToolName = 'call_tool'

/** Matches with their parameters; `read_result` is not needed to read them. */
const maxMatchCharacters = 16_000
const maxMatches = 10
/** Matches without parameters, by name. */
const maxNames = 40

const searchParameters = z.object({
  query: z.string().max(500).describe('words for what has to be done, or the exact name of a tool'),
})

const callParameters = z.object({
  name: z.string().max(200).describe(`name of the tool, as ${searchToolName} returns it`),
  arguments: z.record(z.string(), z.unknown()).describe('arguments, as the parameters of the tool demand'),
})

/** Whether the definitions of these tools take more of the model's context than they are worth. */
function exceedsShare(tools: readonly Tool[], contextTokens = assumedWindow): boolean {
  if (tools.length > maxDefinitions) return true
  const maxTokens = Math.min(maxDefinitionTokens, contextTokens * windowShare)
  let tokens = 0
  for (const tool of tools) {
    tokens += estimateTextTokens(JSON.stringify(toModelTool(tool)))
    if (tokens > maxTokens) return true
  }
  return false
}

/**
 * Chooses what a model is offered of the tools it may call. If the definitions of connected tools would take too much of its context,
 * two tools take their place: one finds them, the other calls them. Both stay the same whatever is connected, so that the beginning of
 * the prompt can be cached.
 * @param contextTokens window of the model; undefined if it is unknown
 */
export function offerTools(tools: readonly Tool[], contextTokens?: number): readonly Tool[] {
  const connected = tools.filter(({ integration }) => integration)
  if (!exceedsShare(connected, contextTokens)) return tools
  return [...tools.filter(({ integration }) => !integration), searchTool(connected), callTool]
}

const describe = ({ name, description, parameters }: Tool) => ({
  name,
  description,
  parameters: parameters.schema,
})

/** @returns the best matches with their parameters, and the names of others */
function searchTools(tools: readonly Tool[], query: string) {
  const ranked = rankTools(tools, query)
  let characters = 0
  const isWithin = (tool: Tool, index: number) => {
    characters += JSON.stringify(describe(tool)).length
    return index === 0 || (index < maxMatches && characters <= maxMatchCharacters)
  }
  const firstOutside = ranked.findIndex((tool, index) => !isWithin(tool, index))
  const count = firstOutside === -1 ? ranked.length : firstOutside
  const others = ranked.slice(count)
  return {
    tools: ranked.slice(0, count).map(describe),
    ...(others.length > 0 && {
      others: others.slice(0, maxNames).map(({ name }) => name),
      note: `${others.length} more match. Search for a name to get its parameters.`,
    }),
    ...(ranked.length === 0 && {
      note: `None of the ${tools.length} tools matches. Try other words, such as the name of a connection.`,
    }),
  }
}

/** Of what all servers say about their tools. */
const maxNoteCharacters = 6_000

const joinNotes = (tools: readonly Tool[]) =>
  tools
    .flatMap(({ serverNote }) => serverNote ?? [])
    .join('\n\n')
    .slice(0, maxNoteCharacters)

const searchTool = (tools: readonly Tool[]): Tool => ({
  ...(joinNotes(tools) !== '' && { serverNote: joinNotes(tools) }),
  name: searchToolName,
  title: 'Search tools',
  description: `Finds tools of the user's connections: names, descriptions and parameters. The user has more tools than can be listed here: search before you say that something cannot be done. Call what you find with ${callToolName}.`,
  parameters: zodParameters(searchParameters),
  writes: false,
  activity: 'research',
  timeoutMs: 5_000,
  run: (input) => Promise.resolve(searchTools(tools, searchParameters.parse(input).query)),
  toStoredResult: (result) => ({
    found: (result as ReturnType<typeof searchTools>).tools.map(({ name }) => name),
  }),
})

/** Its calls are replaced by calls of the tool that they name, so that approvals and records are about that one. */
const callTool: Tool = {
  name: callToolName,
  title: 'Call a tool',
  description: `Calls a tool that ${searchToolName} has found.`,
  parameters: zodParameters(callParameters),
  writes: false,
  activity: 'other',
  timeoutMs: 1_000,
  run: () => Promise.reject(new ToolError(sayOwnTool('own_tool.name_one', { tool: searchToolName }))),
}

/** Whether the model finds connected tools by searching. */
export const isDeferred = (offered: readonly Tool[]): boolean => offered.includes(callTool)

/** @returns the call of the tool that a call of `call_tool` names; other calls, and those that name none, as they are */
export function unwrapCall(call: ModelToolCall): ModelToolCall {
  if (call.name !== callToolName) return call
  const wrapped = callParameters.safeParse(parseArguments(call.arguments)).data
  return wrapped ? { ...call, name: wrapped.name, arguments: JSON.stringify(wrapped.arguments) } : call
}

/** Adds the tool's parameters to the problem of a call: the model may have called the tool without searching. */
export function withParameters(prepared: PreparedCall): PreparedCall {
  const { tool, problem } = prepared
  if (problem === undefined || !tool?.integration) return prepared
  const schema = JSON.stringify(tool.parameters.schema)
  return schema.length > maxMatchCharacters
    ? prepared
    : { ...prepared, problem: sayTool('call_invalid.deferred', { problem, schema }) }
}
