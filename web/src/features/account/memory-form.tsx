import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, type KeyboardEvent, type SubmitEvent } from 'react'
import type { Memory } from '#shared/contracts/memory.ts'
import { maxMemoryCharacters } from '#shared/limits.ts'
import { Button } from '../../components/ui/button.tsx'
import { TextAreaField } from '../../components/ui/field.tsx'
import { useActionMutation } from '../../components/use-action.ts'
import { useUserToast } from '../../components/use-user-toast.ts'
import { readInput, type Entry } from '../../lib/input/inputs.ts'
import { useEscape } from '../../lib/input/escape.ts'
import { isEnter } from '../../lib/input/keys.ts'
import { lostTextMs } from '../../lib/browser/limits.ts'
import { addMemory } from '../../lib/queries/memory-queries.ts'
import { useInput, type Input } from '../../lib/input/use-input.ts'
import { describeMemoryFailure, useMemoryEditor } from './use-memory-editor.ts'

const newMemoryKey = 'memory/new'

/** Adds a memory. Each text that is entered while others are saved is saved after them. */
export function AddMemoryForm() {
  const queryClient = useQueryClient()
  const showToast = useUserToast()
  const input = useInput(newMemoryKey)
  /** texts that are being saved or wait for it: none is added twice */
  const pendingTexts = useRef(new Set<string>())
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
          description: entered.value,
          error,
          durationMs: lostTextMs,
        })
      } finally {
        pendingTexts.current.delete(entered.value)
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
      onSave={(entered) => {
        if (pendingTexts.current.has(entered.value)) return
        pendingTexts.current.add(entered.value)
        save.start(entered)
      }}
    />
  )
}

/** Edits a memory in place. Text that cannot be saved stays in the form. */
export function EditMemoryForm({ memory, onClose }: { memory: Memory; onClose: () => void }) {
  const { input, saving, error, save, close } = useMemoryEditor(memory, onClose)
  return (
    <MemoryForm
      label={t`Edit the memory`}
      submitLabel={t`Save`}
      input={input}
      saving={saving}
      error={error}
      onSave={save}
      onCancel={close}
    />
  )
}

/** A field for the text of a memory. Enter saves it, Escape cancels. */
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
        error={error && saving === undefined ? describeMemoryFailure(error) : undefined}
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
