import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type KeyboardEvent, type SubmitEvent } from 'react'
import type { Memory } from '#shared/contracts/memory.ts'
import { maxMemoryCharacters } from '#shared/limits.ts'
import { Button } from '../../components/ui/button.tsx'
import { ApiError, errorMessage } from '../../lib/api-errors.ts'
import { isEnter, useEscape } from '../../lib/keys.ts'
import { addMemory, memoriesQuery, updateMemory } from '../../lib/memory-queries.ts'
import { TextAreaField } from '../../components/ui/field.tsx'
import type { TextInput } from '../../lib/text-input.ts'
import { useInput } from '../../lib/use-input.ts'

/** Adds a memory. */
export function AddMemoryForm() {
  const queryClient = useQueryClient()
  const input = useInput('memory/new')
  const save = async () => {
    await addMemory(queryClient, { text: input.value })
    input.saved('')
    return undefined
  }
  return (
    <MemoryForm
      label={t`Add a memory`}
      submitLabel={t`Add`}
      placeholder={t`For example: I am allergic to peanuts.`}
      input={input}
      onSave={save}
    />
  )
}

/** Edits a memory in place. Text that cannot be saved stays in the form. */
export function EditMemoryForm({ memory, onClose }: { memory: Memory; onClose: () => void }) {
  const queryClient = useQueryClient()
  const input = useInput(`memory/${memory.id}`, { stored: memory.text })
  const text = input.value
  // the version that the user has seen; after a conflict, the newer one, which the error shows
  const [shownVersion, setShownVersion] = useState<Memory | undefined>(memory)
  const close = () => {
    input.reset()
    onClose()
  }
  const save = async () => {
    try {
      const saved = shownVersion
        ? await updateMemory(queryClient, { ...shownVersion, text })
        : await addMemory(queryClient, { id: memory.id, text })
      input.saved(saved.text)
      setShownVersion(saved)
      if (!input.isDirty) onClose()
    } catch (error) {
      if (!(error instanceof ApiError && ['memory_changed', 'memory_not_found'].includes(error.code)))
        throw error
      const list = await queryClient.fetchQuery({ ...memoriesQuery, staleTime: 0 })
      const newer = list.find(({ id }) => id === memory.id)
      setShownVersion(newer)
      return newer
        ? t`It was changed elsewhere to “${newer.text}”. Save again to replace that.`
        : t`It was deleted elsewhere. Save again to add it back.`
    }
    return undefined
  }
  return (
    <MemoryForm
      label={t`Edit the memory`}
      submitLabel={t`Save`}
      input={input}
      onSave={save}
      onCancel={close}
    />
  )
}

/** Enter saves, Escape cancels. */
function MemoryForm({
  label,
  submitLabel,
  placeholder,
  input: entered,
  onSave,
  onCancel,
}: {
  label: string
  submitLabel: string
  placeholder?: string
  input: TextInput
  /** @returns an error to show under the field; other failures are thrown */
  onSave: () => Promise<string | undefined>
  /** absent if the form cannot be closed */
  onCancel?: () => void
}) {
  const input = useRef<HTMLTextAreaElement>(null)
  const text = entered.value
  const isSaving = useRef(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  const isEditor = onCancel !== undefined
  useEscape('field', onCancel, (target) => target === input.current)
  useEffect(() => {
    if (isEditor) input.current?.focus()
  }, [isEditor])

  const save = async (event: SubmitEvent | KeyboardEvent) => {
    event.preventDefault()
    if (isSaving.current || text.trim() === '') return
    isSaving.current = true
    setBusy(true)
    setProblem(undefined)
    try {
      setProblem(await onSave())
    } catch (error) {
      setProblem(errorMessage(error))
    } finally {
      isSaving.current = false
      setBusy(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isEnter(event)) void save(event)
  }

  return (
    <form onSubmit={(event) => void save(event)} className="grid gap-2">
      <TextAreaField
        ref={input}
        label={label}
        error={problem}
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
          busy={busy}
          disabled={text.trim() === ''}
        >
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}
