import type { Tool } from '../calls/tool.ts'

const splitWords = (text: string) =>
  new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 1)
      // match singular and plural
      .map((word) => word.replace(/(?:ies|y|es|e|s)$/, '')),
  )

/** A word in a name says more than one in a description. */
const weights = { name: 3, description: 1 }

/**
 * Ranks tools by the words that they share with a query: rare words count for more than those that many tools have.
 * @returns the tools that share a word, best first; a tool that is named exactly comes first
 */
export function rankTools(tools: readonly Tool[], query: string): Tool[] {
  const exactNames = new Set(query.split(/[^A-Za-z0-9_-]+/))
  const queryWords = splitWords(query.replaceAll(/[_-]/g, ' '))
  const entries = tools.map((tool) => ({
    tool,
    nameWords: splitWords(
      `${tool.name} ${tool.title ?? ''} ${tool.integration?.name ?? ''}`.replaceAll(/[_-]/g, ' '),
    ),
    descriptionWords: splitWords(tool.description),
    points: exactNames.has(tool.name) ? Infinity : 0,
  }))
  for (const word of queryWords) {
    const matches = entries.filter((one) => one.nameWords.has(word) || one.descriptionWords.has(word))
    const rarity = Math.log(1 + tools.length / Math.max(1, matches.length))
    for (const one of matches)
      one.points += rarity * (one.nameWords.has(word) ? weights.name : weights.description)
  }
  return entries
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => (a.points === b.points ? 0 : b.points - a.points))
    .map(({ tool }) => tool)
}

/** @returns names of connected tools that share a word with a name that no tool has, best first */
export function findClosestNames(tools: readonly Tool[], name: string): string[] {
  const connected = tools.filter(({ integration }) => integration)
  // a tool may be listed twice
  return [...new Set(rankTools(connected, name).map((tool) => tool.name))].slice(0, 5)
}
