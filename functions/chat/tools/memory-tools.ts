import { sayOwnTool } from '#shared/sentences/own-tools.ts'
import { ToolError } from '../../platform/tool-error.ts'
import * as z from 'zod'
import type { Memory } from '#shared/contracts/memory.ts'
import { maxMemoryCharacters } from '#shared/limits.ts'
import { createMemoryId, type MemoryRepository } from '../../settings/memory-repository.ts'
import { zodParameters, type Tool } from '../../tools/calls/tool.ts'

const addition = z.object({
  text: z
    .string()
    .trim()
    .min(1)
    .max(maxMemoryCharacters)
    .describe('one short sentence that is clear without this conversation'),
})
/** An approval request shows the arguments: an id alone would say nothing. */
const removal = z.object({
  id: z.string().describe('id of the memory'),
  text: z.string().describe('its text'),
})

/** Both write, so they need approval; `isAllowed` of the prompt says when the switch in the settings is approval enough. */
const commonFields = { writes: true, isPrivate: true, activity: 'other', timeoutMs: 10_000 } as const

const isSameText = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase()

/**
 * Let the model add to a user's memories, and delete what is no longer true. Their results name the memory, so that the page can undo them.
 * @param memories those that the model was shown
 */
export function memoryTools(
  repository: Pick<MemoryRepository, 'add' | 'remove'>,
  sub: string,
  memories: readonly Memory[],
): Tool[] {
  const known = new Map(memories.map(({ id, text }) => [id, text]))
  return [
    {
      ...commonFields,
      name: 'remember',
      title: 'Remember',
      description:
        'Stores one fact about the user for later conversations. The user sees it and can undo it.',
      parameters: zodParameters(addition),
      async run(input, signal) {
        const text = String(input['text'])
        const same = [...known].find(([, one]) => isSameText(one, text))
        if (same) return { text: same[1], wasKnown: true }
        const added = await repository.add(sub, { id: createMemoryId(), text }, signal)
        known.set(added.id, added.text)
        return { id: added.id, text: added.text }
      },
    },
    {
      ...commonFields,
      name: 'forget',
      title: 'Forget',
      description: 'Deletes one memory, because the user asks for it or it is no longer true.',
      parameters: zodParameters(removal),
      async run(input) {
        const id = String(input['id'])
        const text = known.get(id)
        if (text === undefined || !isSameText(text, String(input['text'])))
          throw new ToolError(sayOwnTool('own_tool.no_memory'))
        await repository.remove(sub, id)
        known.delete(id)
        return { id, text }
      },
    },
  ]
}
