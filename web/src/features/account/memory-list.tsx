import { plural, t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Memory } from '#shared/contracts/memory.ts'
import { maxMemories } from '#shared/limits.ts'
import { Button } from '../../components/ui/button.tsx'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { useBrand } from '../../lib/api/config.ts'
import { formatDate } from '../../lib/text/dates.ts'
import { clearMemory } from '../../lib/queries/memory-queries.ts'
import { AddMemoryForm, EditMemoryForm } from './memory-form.tsx'
import { useMemoryDeletion } from './use-memory-deletion.ts'
import { memoryInputKey } from './use-memory-editor.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { useLast } from '../../lib/browser/use-last.ts'
import { writeInput } from '../../lib/input/inputs.ts'

/** The user's memories, with forms to add and edit them. */
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
