import { plural, t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useState, useRef, useEffect, type KeyboardEvent, type SubmitEvent } from 'react'
import type { Memory } from '#shared/contracts/memory.ts'
import { maxMemories, maxMemoryCharacters } from '#shared/limits.ts'
import { Button } from '../../components/ui/button.tsx'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { useBrand } from '../../lib/api/config.ts'
import { formatDate } from '../../lib/text/dates.ts'
import { clearMemory, addMemory, deleteMemory } from '../../lib/queries/memory-queries.ts'
import { memoryInputKey, describeMemoryFailure, useMemoryEditor } from './use-memory-editor.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { useLast } from '../../lib/browser/use-last.ts'
import { writeInput, readInput, type Entry } from '../../lib/input/inputs.ts'
import { useAction, useActionMutation } from '../../components/use-action.ts'
import { useUserToast } from '../../components/use-user-toast.ts'
import { lostTextMs, undoMs } from '../../lib/browser/limits.ts'
import { TextAreaField } from '../../components/ui/field.tsx'
import { useEscape } from '../../lib/input/escape.ts'
import { isEnter } from '../../lib/input/keys.ts'
import { useInput, type Input } from '../../lib/input/use-input.ts'

export function MemoryList({
  memories,
  isOn,
  mayAdd,
}: {
  memories: readonly Memory[]
  /** whether the assistant remembers */
  isOn: boolean
  /** whether the user may add and edit, and not only delete */
  mayAdd: boolean
}) {
  const { assistantName } = useBrand()
  const queryClient = useQueryClient()
  const [isClearing, setIsClearing] = useState(false)
  const lastCount = useLast(memories.length || undefined) ?? 0
  /** the memories whose editors are open, as they were before */
  const [edited, setEdited] = useState<readonly Memory[]>([])
  const closeEditor = (closedId: string) =>
    setEdited((current) => current.filter(({ id }) => id !== closedId))

  const clear = async () => {
    await clearMemory(queryClient)
    for (const { id } of edited) writeInput(memoryInputKey(id), undefined)
    setEdited([])
  }

  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="me-auto font-medium">{t`What ${assistantName} remembers`}</h3>
        {memories.length > 0 && (
          <>
            <span className="text-sm text-ink-muted">{t`${{ entries: memories.length }} of ${{ max: maxMemories }}`}</span>
            <Button size="sm" variant="danger" onClick={() => setIsClearing(true)}>
              {t`Delete all`}
            </Button>
          </>
        )}
      </div>
      {memories.length === 0 && edited.length === 0 ? (
        <p className="text-ink-muted">
          {isOn
            ? t`Nothing yet. Tell ${assistantName} in a chat to remember something, or add it here.`
            : t`Nothing yet.`}
        </p>
      ) : (
        <ul aria-label={t`What ${assistantName} remembers`} className="divide-y divide-line">
          {/* a memory that was deleted elsewhere stays in the list while its editor is open */}
          {includeEdited(memories, edited).map((memory) => {
            const editedMemory = edited.find(({ id }) => id === memory.id)
            return editedMemory ? (
              <li key={memory.id} className="py-3">
                <EditMemoryForm memory={editedMemory} onClose={() => closeEditor(memory.id)} />
              </li>
            ) : (
              <MemoryRow
                key={memory.id}
                memory={memory}
                onEdit={mayAdd ? () => setEdited([...edited, memory]) : undefined}
              />
            )
          })}
        </ul>
      )}
      <div className="mt-3">{mayAdd && <AddMemoryForm />}</div>
      <ActionDialog
        open={isClearing}
        onClose={() => setIsClearing(false)}
        title={plural(
          { entries: lastCount },
          { 1: 'Delete this memory?', one: 'Delete # memory?', other: 'Delete all # memories?' },
        )}
        confirmLabel={lastCount === 1 ? t`Delete` : t`Delete all`}
        isDestructive
        actionKey="clear memory"
        onConfirm={clear}
      >
        <p className="text-ink-muted">{t`Your conversations stay, with what was said there. This cannot be undone.`}</p>
      </ActionDialog>
    </>
  )
}

const includeEdited = (memories: readonly Memory[], edited: readonly Memory[]) => [
  ...memories,
  ...edited.filter(({ id }) => !memories.some((memory) => memory.id === id)),
]

function MemoryRow({
  memory,
  onEdit,
}: {
  memory: Memory
  /** absent if the user may only delete */
  onEdit: (() => void) | undefined
}) {
  const { text, created_at: createdAt } = memory
  const { row, remove } = useMemoryDeletion(memory, { canUndo: onEdit !== undefined })
  return (
    <li ref={row} className="flex items-start gap-3 py-3">
      <div className="min-w-0 flex-1">
        {/* its own direction, on the side of the page */}
        <p className="wrap-anywhere">
          <bdi>{text}</bdi>
        </p>
        <p className="text-sm text-ink-muted">{t`Since ${{ day: formatDate(new Date(createdAt)) }}`}</p>
      </div>
      {onEdit && (
        <IconButton
          size="sm"
          label={t`Edit: ${text}`}
          tooltip={false}
          icon={<Pencil size={16} />}
          onClick={onEdit}
        />
      )}
      <IconButton
        size="sm"
        label={t`Delete: ${text}`}
        tooltip={false}
        icon={<Trash2 size={16} />}
        onClick={() => remove()}
      />
    </li>
  )
}

/**
 * Deletes a memory at once. A toast offers to restore it.
 * @param options.canUndo false for a user who may not add memories
 * @returns the ref of the memory's row, next to which the focus goes, and the function that deletes
 */
function useMemoryDeletion({ id, text }: Memory, { canUndo }: { canUndo: boolean }) {
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

const newMemoryKey = 'memory/new'

/** Adds a memory. Each text that is entered while others are saved is saved after them. */
function AddMemoryForm() {
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
function EditMemoryForm({ memory, onClose }: { memory: Memory; onClose: () => void }) {
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
