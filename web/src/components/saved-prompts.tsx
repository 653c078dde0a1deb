import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import type { SavedPrompt } from '#shared/contracts/projects.ts'
import { useActions } from '../lib/actions/actions.ts'
import { ignoreNotFound } from '../lib/api/api-errors.ts'
import { callApi } from '../lib/api/call-api.ts'
import { lostTextMs, undoMs } from '../lib/browser/limits.ts'
import { promptsQuery } from '../lib/queries/prompt-queries.ts'
import { PromptDialog } from './prompt-dialog.tsx'
import { Button } from './ui/button.tsx'
import { IconButton } from './ui/icon-button.tsx'
import { QueryContent } from './query-content.tsx'
import { useUserToast } from './use-user-toast.ts'

/** The default of `renderFrame`. */
const renderBelow = (addButton: ReactNode, list: ReactNode) => (
  <div className="mt-3 grid justify-items-start gap-3 *:first:w-full">
    {list}
    {addButton}
  </div>
)

interface SavedPromptsProps {
  /** absent for the user's own prompts */
  projectId?: string
  /** arranges the list and the button that adds one, which then is small; by default it stands below the list */
  renderFrame?: (addButton: ReactNode, list: ReactNode) => ReactNode
}

/** The saved prompts of a project, or without one those of the user, with buttons to add, edit and delete them. */
export function SavedPrompts({ projectId, renderFrame }: SavedPromptsProps) {
  const prompts = useQuery({
    ...promptsQuery,
    select: (all) => all.filter(({ project_id }) => project_id === projectId),
  })
  // empty for a new one
  const [editedPrompt, setEditedPrompt] = useState<Partial<SavedPrompt>>()
  const addButton = useRef<HTMLButtonElement>(null)
  const { reload, remove } = usePromptChanges(() => addButton.current?.focus())

  const isBelow = renderFrame === undefined
  const arrange = renderFrame ?? renderBelow
  return (
    <>
      {arrange(
        <Button
          ref={addButton}
          aria-label={t`Add prompt`}
          {...(isBelow
            ? { className: 'max-sm:w-full' }
            : { variant: 'ghost', size: 'sm', className: '-me-2.5' })}
          onClick={() => setEditedPrompt({})}
        >
          <Plus aria-hidden size={16} />
          {isBelow ? t`Add prompt` : t`Add`}
        </Button>,
        <QueryContent
          query={prompts}
          label={t`Loading the saved prompts`}
          failure={t`The saved prompts could not be loaded.`}
          empty={t`No saved prompts yet.`}
        >
          {(list) => <PromptList prompts={list} onEdit={setEditedPrompt} onDelete={remove} />}
        </QueryContent>,
      )}
      {editedPrompt && (
        <PromptDialog
          prompt={editedPrompt}
          projectId={projectId}
          onClose={() => setEditedPrompt(undefined)}
          onSaved={() => void reload()}
        />
      )}
    </>
  )
}

function PromptList({
  prompts,
  onEdit,
  onDelete,
}: {
  prompts: readonly SavedPrompt[]
  onEdit: (prompt: SavedPrompt) => void
  onDelete: (prompt: SavedPrompt) => void
}) {
  return (
    <ul aria-label={t`Saved prompts`} className="divide-y divide-line">
      {prompts.map((prompt) => (
        <li key={prompt.id} className="flex items-center gap-3 py-2">
          <div className="min-w-0 flex-1">
            <p className="truncate font-medium" dir="auto">
              {prompt.name}
            </p>
            <p className="truncate text-sm text-ink-muted" dir="auto">
              {prompt.text}
            </p>
          </div>
          <IconButton
            label={t`Edit ${prompt.name}`}
            tooltip={false}
            icon={<Pencil size={18} strokeWidth={1.75} />}
            onClick={() => onEdit(prompt)}
          />
          <IconButton
            label={t`Delete ${prompt.name}`}
            tooltip={false}
            icon={<Trash2 size={18} strokeWidth={1.75} />}
            onClick={() => onDelete(prompt)}
          />
        </li>
      ))}
    </ul>
  )
}

/**
 * @param moveFocus called before a prompt disappears whose button has the focus
 * @returns `reload`: fetches the prompts again; `remove`: deletes one, and offers to restore it for a while
 */
function usePromptChanges(moveFocus: () => void) {
  const queryClient = useQueryClient()
  const actions = useActions()
  const showToast = useUserToast()
  const reload = () => queryClient.invalidateQueries({ queryKey: promptsQuery.queryKey })

  const restore = async ({ id, name, text, project_id }: SavedPrompt) => {
    try {
      await callApi('prompts.create', { body: { id, name, text, project_id } })
      await reload()
    } catch (error) {
      // the toast shows name and text, because they are not stored anywhere else any more
      const description = `${name}: ${text}`
      showToast('error', t`The prompt could not be restored`, { description, error, durationMs: lostTextMs })
    }
  }
  const removeNow = async (prompt: SavedPrompt) => {
    const pressed = document.activeElement
    try {
      await callApi('prompts.delete', { params: { promptId: prompt.id } }).catch(ignoreNotFound)
      // the user may be elsewhere by now
      if (document.activeElement === pressed) moveFocus()
      await reload()
      showToast('info', t`Prompt deleted`, {
        description: prompt.name,
        durationMs: undoMs,
        action: { label: t`Undo`, onClick: () => void restore(prompt) },
      })
    } catch (error) {
      showToast('error', t`The prompt could not be deleted`, { error })
    }
  }
  const remove = (prompt: SavedPrompt) =>
    void actions.start(`delete prompt ${prompt.id}`, () => removeNow(prompt))
  return { reload, remove }
}
