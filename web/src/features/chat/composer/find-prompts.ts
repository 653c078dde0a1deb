import type { SavedPrompt } from '#shared/contracts/projects.ts'
import { toComparable } from '../../../lib/comparable-text.ts'

/** More than anybody reads through: another letter leaves fewer. */
const maxOffered = 50

/** Adds the texts of a prompt in the form in which `findPrompts` compares them. */
export const toSearchablePrompt = (prompt: SavedPrompt) => ({
  ...prompt,
  comparableName: toComparable(prompt.name),
  comparableText: toComparable(prompt.text),
})

/**
 * Finds the prompts whose name or text has the word; those with the word in their name first. Several words are looked for in names alone.
 * At most `maxOffered` are returned.
 * @param prompts of the user, of all projects and of the assistant
 * @param projectId those of other projects are left out
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
