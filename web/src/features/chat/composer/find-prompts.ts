import type { SavedPrompt } from '#shared/contracts/projects.ts'
import { toComparable } from '../../../lib/comparable-text.ts'

const maxOffered = 50

/** Prepares a prompt for `findPrompts`. */
export const toSearchablePrompt = (prompt: SavedPrompt) => ({
  ...prompt,
  comparableName: toComparable(prompt.name),
  comparableText: toComparable(prompt.text),
})

/**
 * Finds the prompts of the user and of the project whose name or text has the word; those with the word in their name first. Several words
 * are looked for in names alone.
 */
export function findPrompts(
  prompts: readonly ReturnType<typeof toSearchablePrompt>[],
  word: string,
  projectId: string | null | undefined,
) {
  const searched = toComparable(word).trim()
  return prompts
    .filter(({ project_id }) => project_id === undefined || project_id === projectId)
    .map((prompt) => ({
      ...prompt,
      isNamed: prompt.comparableName.includes(searched),
      hasWord: !searched.includes(' ') && prompt.comparableText.includes(searched),
    }))
    .filter(({ isNamed, hasWord }) => isNamed || hasWord)
    .toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed))
    .slice(0, maxOffered)
}
