import type { Tool } from './tool.ts'

/** The number of tools that models accept, less the product's own tools. */
const maxTools = 120
/** Of all tools together; more leaves the model too little context. */
const maxSchemaCharacters = 200_000

const splitWords = (text: string) =>
  new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 2)
      // match singular and plural
      .map((word) => word.replace(/(?:ies|y|es|e|s)$/, '')),
  )

function scoreTool({ name, title = '', description, owner }: Tool, queryWords: ReadonlySet<string>): number {
  const nameWords = splitWords(`${name.replaceAll(/[_-]/g, ' ')} ${title} ${owner?.name ?? ''}`)
  const descriptionWords = splitWords(description)
  let points = 0
  for (const word of queryWords) points += nameWords.has(word) ? 3 : descriptionWords.has(word) ? 1 : 0
  return points
}

/**
 * Chooses the tools that fit into one request: the best tool of each connection first, then those that share the most words with the
 * message.
 */
export function chooseRelevant(tools: readonly Tool[], message: string): readonly Tool[] {
  const getSize = ({ description, parameters }: Tool) =>
    description.length + JSON.stringify(parameters.schema).length
  const totalSize = tools.reduce((sum, tool) => sum + getSize(tool), 0)
  if (tools.length <= maxTools && totalSize <= maxSchemaCharacters) return tools
  const queryWords = splitWords(message)
  const ranked = tools
    .map((tool, index) => ({ tool, index, points: scoreTool(tool, queryWords) }))
    .toSorted((a, b) => b.points - a.points || a.index - b.index)
  const owners = new Set<string>()
  const firsts = ranked.filter(({ tool }) => {
    const owner = tool.owner?.mcpId ?? ''
    return !owners.has(owner) && owners.add(owner)
  })
  const chosen = new Set<Tool>()
  let remainingCharacters = maxSchemaCharacters
  for (const { tool } of [...firsts, ...ranked]) {
    if (chosen.size === maxTools || chosen.has(tool) || getSize(tool) > remainingCharacters) continue
    chosen.add(tool)
    remainingCharacters -= getSize(tool)
  }
  // in the original order, so that the model's prompt cache stays valid
  return tools.filter((tool) => chosen.has(tool))
}
