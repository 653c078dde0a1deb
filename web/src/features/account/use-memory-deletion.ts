import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Memory } from '#shared/contracts/memory.ts'
import { useAction } from '../../components/use-action.ts'
import { useUserToast } from '../../components/use-user-toast.ts'
import { lostTextMs, undoMs } from '../../lib/browser/limits.ts'
import { addMemory, deleteMemory } from '../../lib/queries/memory-queries.ts'

/**
 * Deletes a memory at once. A toast offers to restore it.
 * @param options.canUndo false for a user who may not add memories
 * @returns the ref of the memory's row, next to which the focus goes, and the function that deletes
 */
export function useMemoryDeletion({ id, text }: Memory, { canUndo }: { canUndo: boolean }) {
  const queryClient = useQueryClient()
  const showToast = useUserToast()
  const row = useRef<HTMLLIElement>(null)
  const restore = async () => {
    try {
      await addMemory(queryClient, { id, text })
    } catch (error) {
      showToast('error', t`The memory was not restored`, {
        description: text,
        error,
        durationMs: lostTextMs,
      })
    }
  }
  const { start } = useAction(
    `delete memory ${id}`,
    async () => {
      const neighbour = row.current?.nextElementSibling ?? row.current?.previousElementSibling
      await deleteMemory(queryClient, id)
      // the pressed button is gone: the focus moves to the next memory, its editor or its delete button, unless the user is typing by now
      if (!document.activeElement?.matches('input, textarea'))
        neighbour?.querySelector<HTMLElement>('textarea, button:last-of-type')?.focus()
      showToast('info', t`Memory deleted`, {
        description: text,
        durationMs: undoMs,
        ...(canUndo && { action: { label: t`Undo`, onClick: () => void restore() } }),
      })
    },
    t`The memory was not deleted`,
  )
  return { row, remove: start }
}
