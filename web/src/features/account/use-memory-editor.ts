import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Memory } from '#shared/contracts/memory.ts'
import { useActionMutation } from '../../components/use-action.ts'
import { getErrorMessage } from '../../lib/api/api-errors.ts'
import { addMemory, memoriesQuery, updateMemory } from '../../lib/queries/memory-queries.ts'
import { useInput, type Input } from '../../lib/input/use-input.ts'
import { hasErrorCode } from '../../lib/api/has-error-code.ts'

export const memoryInputKey = (id: string): string => `memory/${id}`

/** The memory was changed or deleted elsewhere, which the user has to see before it is replaced. */
class MemoryConflict extends Error {
  readonly newer: Memory | undefined
  constructor(newer: Memory | undefined) {
    super('the memory was changed elsewhere')
    this.newer = newer
  }
}

interface Change {
  entered: Input<string>
  /** the conflict that the user could see when they saved */
  seenConflict: Error | undefined
}

/** Edits a memory: saves its text, and shows what was changed elsewhere before that is replaced. */
export function useMemoryEditor(memory: Memory, onClose: () => void) {
  const queryClient = useQueryClient()
  const input = useInput(memoryInputKey(memory.id), { stored: memory.text })
  /** the version that the user has seen; after a conflict, the newer one, which the error shows */
  const seenMemory = useRef<Memory | undefined>(memory)
  const conflict = useRef<MemoryConflict>(undefined)
  const isCancelled = useRef(false)

  /** Replaces the version that the user has seen; adds the memory again if that was deleted. */
  const replaceSeen = (text: string): Promise<Memory> =>
    seenMemory.current
      ? updateMemory(queryClient, { ...seenMemory.current, text })
      : addMemory(queryClient, { id: memory.id, text })

  const { start, activity, error } = useActionMutation(`edit memory ${memory.id}`, {
    isQueued: true,
    failureTitle: t`The memory was not saved`,
    describeError: describeMemoryFailure,
    describe: ({ entered }) => entered.value,
    run: async ({ entered, seenConflict }: Change) => {
      if (isCancelled.current) return
      // the button was pressed before the user could see the conflict
      if (conflict.current && conflict.current !== seenConflict) throw conflict.current
      try {
        seenMemory.current = await replaceSeen(entered.value)
      } catch (failure) {
        if (!hasErrorCode(failure, 'memory_changed') && !hasErrorCode(failure, 'memory_not_found'))
          throw failure
        // a response that is under way may be older
        await queryClient.cancelQueries({ queryKey: memoriesQuery.queryKey })
        const list = await queryClient.fetchQuery(memoriesQuery)
        seenMemory.current = list.find(({ id }) => id === memory.id)
        conflict.current = new MemoryConflict(seenMemory.current)
        throw conflict.current
      }
      entered.markSaved(seenMemory.current.text)
      if (!entered.isDirty) onClose()
    },
  })
  return {
    input,
    /** the text that is being saved */
    saving: activity,
    error,
    save: (entered: Input<string>) => start({ entered, seenConflict: conflict.current }),
    close: () => {
      isCancelled.current = true
      input.reset()
      onClose()
    },
  }
}

export function describeMemoryFailure(error: unknown): string {
  if (!(error instanceof MemoryConflict)) return getErrorMessage(error)
  return error.newer
    ? t`It was changed elsewhere to “${error.newer.text}”. Save again to replace that.`
    : t`It was deleted elsewhere. Save again to add it back.`
}
