import type { ModelRequest, JsonSchema, OfferedTool } from './model-request.ts'
import { fillParameters } from './tool-parameters.ts'
import { stem, topicWords, splitWords } from './words.ts'

export interface ToolCall {
  name: string
  arguments: Record<string, unknown>
}

/** Shared words needed to choose a tool; a word of the tool's own name counts double. */
const minScore = 2
/** Added for each word in the description or parameters: decides only between tools with the same score. */
const tieBreak = 0.001

/**
 * The call that a message asks for, chosen by the words it shares with the tools' names, descriptions and parameters.
 * @returns undefined when no tool fits or none may be called
 */
export function chooseTool(message: string, request: ModelRequest): ToolCall | undefined {
  const { tools, toolChoice } = request
  if (toolChoice === 'none' || tools.length === 0) return undefined
  const forced =
    typeof toolChoice === 'object' ? tools.find(({ name }) => name === toolChoice.name) : undefined
  const tool = forced ?? bestMatch(message, tools, toolChoice === 'required' ? 0 : minScore)
  return tool && { name: tool.name, arguments: fillParameters(tool, message) }
}

function bestMatch(message: string, tools: OfferedTool[], least: number): OfferedTool | undefined {
  const topics = new Set(topicWords(message).map(stem))
  // on a tie the descriptions and parameters decide, then the order in which the tools are offered
  let best: { tool: OfferedTool; score: number } | undefined
  for (const tool of tools) {
    const score = scoreTool(tool, topics)
    if (score >= least && score > (best?.score ?? -1)) best = { tool, score }
  }
  return best?.tool
}

function scoreTool({ name, description, parameters }: OfferedTool, topics: Set<string>): number {
  const nameWords = new Set(splitWords(name.replace(/[_-]+|(?<=[a-z])(?=[A-Z])/g, ' ')).map(stem))
  const otherWords = new Set(splitWords(`${description} ${schemaText(parameters)}`).map(stem))
  let score = 0
  for (const word of topics) {
    score += nameWords.has(word) ? 2 : otherWords.has(word) ? 1 : 0
    if (otherWords.has(word)) score += tieBreak
  }
  return score
}

function schemaText({ properties = {} }: JsonSchema): string {
  return Object.entries(properties)
    .map(([name, { description = '' }]) => `${name.replace(/[_-]+/g, ' ')} ${description}`)
    .join(' ')
}
