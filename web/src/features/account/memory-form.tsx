import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, type KeyboardEvent, type SubmitEvent } from 'react'
import type { Memory } from '#shared/contracts/memory.ts'
import { maxMemoryCharacters } from '#shared/limits.ts'
import { Button } from '../../components/ui/button.tsx'
import { TextAreaField } from '../../components/ui/field.tsx'
import { useActionMutation } from '../../components/use-action.ts'
import { useUserToast } from '../../components/use-user-toast.ts'
import { ApiError, getErrorMessage } from '../../lib/api-errors.ts'
import { readInput, type Entry } from '../../lib/inputs.ts'
import { useEscape } from '../../lib/escape.ts'
import { isEnter } from '../../lib/keys.ts'
import { addMemory, memoriesQuery, updateMemory } from '../../lib/memory-queries.ts'
import { useInput, type Input } from '../../lib/use-input.ts'

/** How long a toast shows a text that is not stored anywhere else. */
export const lostTextMs = 30_000

const newMemoryKey = 'memory/new'
/** The key of the input of a memory that is being edited. */
export const memoryInputKey = (id: string): string => `memory/${id}`

/** Adds a memory. Each text that is entered while others are saved is saved after them. */
export function AddMemoryForm() {
  const queryClient = useQueryClient()
  const showToast = useUserToast()
  const input = useInput(newMemoryKey)
  const save = useActionMutation('add a memory', {
    isQueued: true,
    failureTitle: t`The memory was not added`,
    describe: ({ value }) => value,
    run: async (entered: Input<string>) => {
      try {
        await addMemory(queryClient, { text: entered.value })
        entered.markSaved('')
      } catch (error) {
        const entry = readInput(newMemoryKey) as Entry | undefined
        if (entry?.value === entered.value) throw error
        // the field shows another text by now, so that the error is shown by a toast, with the text that it is about
        showToast('error', t`The memory was not added`, {
          description: `${entered.value}: ${getErrorMessage(error)}`,
          durationMs: lostTextMs,
        })
      }
    },
  })
  return (
    <MemoryForm
      label={t`Add a memory`}
      submitLabel={t`Add`}
      placeholder={t`For example: I am allergic to peanuts.`}
      input={input}
      saving={save.activity}
      error={save.error}
      onSave={save.start}
    />
  )
}

/** The memory was changed or deleted elsewhere, which the user has to see before it is replaced. */
class MemoryConflict extends Error {
  readonly newer: Memory | undefined
  constructor(newer: Memory | undefined) {
    super('the memory was changed elsewhere')
    this.newer = newer
  }
}

/** Edits a memory in place. Text that cannot be saved stays in the form. */
export function EditMemoryForm({ memory, onClose }: { memory: Memory; onClose: () => void }) {
  const queryClient = useQueryClient()
  const input = useInput(memoryInputKey(memory.id), { stored: memory.text })
  /** the version that the user has seen; after a conflict, the newer one, which the error shows */
  const seenMemory = useRef<Memory | undefined>(memory)
  const conflict = useRef<MemoryConflict>(undefined)
  const isCancelled = useRef(false)
  const close = () => {
    isCancelled.current = true
    input.reset()
    onClose()
  }
  const save = useActionMutation(`edit memory ${memory.id}`, {
    isQueued: true,
    failureTitle: t`The memory was not saved`,
    describeError: describeFailure,
    describe: ({ entered }) => entered.value,
    run: async ({ entered, seenConflict }: { entered: Input<string>; seenConflict: Error | undefined }) => {
      if (isCancelled.current) return
      // the button was pressed before the user could see the conflict
      if (conflict.current && conflict.current !== seenConflict) throw conflict.current
      const text = entered.value
      try {
        const saved = seenMemory.current
          ? await updateMemory(queryClient, { ...seenMemory.current, text })
          : await addMemory(queryClient, { id: memory.id, text })
        seenMemory.current = saved
        entered.markSaved(saved.text)
        if (!entered.isDirty) onClose()
      } catch (error) {
        if (!(error instanceof ApiError && ['memory_changed', 'memory_not_found'].includes(error.code)))
          throw error
        const list = await queryClient.fetchQuery({ ...memoriesQuery, staleTime: 0 })
        seenMemory.current = list.find(({ id }) => id === memory.id)
        conflict.current = new MemoryConflict(seenMemory.current)
        throw conflict.current
      }
    },
  })
  return (
    <MemoryForm
      label={t`Edit the memory`}
      submitLabel={t`Save`}
      input={input}
      saving={save.activity}
      error={save.error}
      onSave={(entered) => save.start({ entered, seenConflict: conflict.current })}
      onCancel={close}
    />
  )
}

function describeFailure(error: unknown): string {
  if (!(error instanceof MemoryConflict)) return getErrorMessage(error)
  return error.newer
    ? t`It was changed elsewhere to “${error.newer.text}”. Save again to replace that.`
    : t`It was deleted elsewhere. Save again to add it back.`
}

/** Enter saves, Escape cancels. */
function MemoryForm({
  label,
  submitLabel,
  placeholder,
  input: entered,
  saving,
  error,
  onSave,
  onCancel,
}: {
  label: string
  submitLabel: string
  placeholder?: string
  input: Input<string>
  /** the text that is being saved */
  saving: string | undefined
  error: Error | null
  onSave: (entered: Input<string>) => void
  /** absent if the form cannot be closed */
  onCancel?: () => void
}) {
  const input = useRef<HTMLTextAreaElement>(null)
  const text = entered.value

  const isEditor = onCancel !== undefined
  useEscape('field', onCancel, (target) => target === input.current)
  useEffect(() => {
    if (isEditor) input.current?.focus()
  }, [isEditor])

  const save = (event: SubmitEvent | KeyboardEvent) => {
    event.preventDefault()
    // a second press saves what was typed since the first
    if (text.trim() !== '' && text !== saving) onSave(entered)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isEnter(event)) save(event)
  }

  return (
    <form onSubmit={save} className="grid gap-2">
      <TextAreaField
        ref={input}
        label={label}
        error={error && saving === undefined ? describeFailure(error) : undefined}
        rows={2}
        input={entered}
        format={(typed) => typed.replaceAll('\n', ' ')}
        maxLength={maxMemoryCharacters}
        placeholder={placeholder}
        onKeyDown={onKeyDown}
      />
      <div className="flex justify-end gap-2 max-sm:*:flex-1">
        {onCancel && (
          <Button variant="ghost" onClick={onCancel}>
            {t`Cancel`}
          </Button>
        )}
        <Button
          type="submit"
          variant={isEditor ? 'primary' : 'outline'}
          busy={saving === text}
          disabled={text.trim() === ''}
        >
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}
