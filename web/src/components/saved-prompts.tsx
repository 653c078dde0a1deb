import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import type { SavedPrompt } from '#shared/contracts/projects.ts'
import { maxProjectNameCharacters, maxPromptCharacters } from '#shared/limits.ts'
import { ApiError, getErrorMessage, ignoreNotFound } from '../lib/api-errors.ts'
import { callApi } from '../lib/call-api.ts'
import { promptsQuery } from '../lib/prompt-queries.ts'
import { ActionDialog, InvalidForm } from './action-dialog.tsx'
import { Button } from './ui/button.tsx'
import { TextAreaField, TextField } from './ui/field.tsx'
import { IconButton } from './ui/icon-button.tsx'
import { QueryContent } from './query-content.tsx'
import { useInput } from '../lib/use-input.ts'
import { useUserToast } from './use-user-toast.ts'

const undoMs = 7_000

const renderBelow = (addButton: ReactNode, list: ReactNode) => (
  <div className="mt-3 grid justify-items-start gap-3 *:first:w-full">
    {list}
    {addButton}
  </div>
)

interface SavedPromptsProps {
  projectId?: string
  /** arranges the list and the button that adds one, which stands below it by default */
  renderFrame?: (addButton: ReactNode, list: ReactNode) => ReactNode
}

/** The saved prompts of a project, or without one those of the user, with buttons to add, edit and delete them. */
export function SavedPrompts({ projectId, renderFrame = renderBelow }: SavedPromptsProps) {
  const queryClient = useQueryClient()
  const showToast = useUserToast()
  const prompts = useQuery({
    ...promptsQuery,
    select: (all) => all.filter(({ project_id }) => project_id === projectId),
  })
  const [edited, setEdited] = useState<Partial<SavedPrompt>>()
  const addButton = useRef<HTMLButtonElement>(null)
  const reload = () => queryClient.invalidateQueries({ queryKey: promptsQuery.queryKey })

  const restore = async ({ id, name, text, project_id }: SavedPrompt) => {
    try {
      await callApi('prompts.create', { body: { id, name, text, project_id } })
      await reload()
    } catch (error) {
      // the toast shows the text, because it is not stored anywhere else any more
      const description = `${text}: ${getErrorMessage(error)}`
      showToast('error', t`The prompt could not be restored`, { description, durationMs: 30_000 })
    }
  }
  const remove = async (prompt: SavedPrompt) => {
    try {
      await callApi('prompts.delete', { params: { promptId: prompt.id } }).catch(ignoreNotFound)
      addButton.current?.focus()
      await reload()
      showToast('info', t`Prompt deleted`, {
        description: prompt.name,
        durationMs: undoMs,
        action: { label: t`Undo`, onClick: () => void restore(prompt) },
      })
    } catch (error) {
      showToast('error', t`The prompt could not be deleted`, { description: getErrorMessage(error) })
    }
  }

  const isBelow = renderFrame === renderBelow
  return (
    <>
      {renderFrame(
        <Button
          ref={addButton}
          aria-label={t`Add prompt`}
          {...(isBelow
            ? { className: 'max-sm:w-full' }
            : { variant: 'ghost', size: 'sm', className: '-me-2.5' })}
          onClick={() => setEdited({})}
        >
          <Plus aria-hidden size={16} />
          {isBelow ? t`Add prompt` : t`Add`}
        </Button>,
        <QueryContent
          query={prompts}
          label={t`Saved prompts`}
          failure={t`The saved prompts could not be loaded.`}
          empty={t`No saved prompts yet.`}
        >
          {(list) => (
            <ul aria-label={t`Saved prompts`} className="divide-y divide-line">
              {list.map((prompt) => (
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
                    onClick={() => setEdited(prompt)}
                  />
                  <IconButton
                    label={t`Delete ${prompt.name}`}
                    tooltip={false}
                    icon={<Trash2 size={18} strokeWidth={1.75} />}
                    onClick={() => void remove(prompt)}
                  />
                </li>
              ))}
            </ul>
          )}
        </QueryContent>,
      )}
      {edited && (
        <PromptDialog
          prompt={edited}
          projectId={projectId}
          onClose={() => setEdited(undefined)}
          onSaved={() => void reload()}
        />
      )}
    </>
  )
}

function PromptDialog({
  prompt,
  projectId,
  onClose,
  onSaved,
}: {
  /** empty for a new one */
  prompt: Partial<SavedPrompt>
  projectId: string | undefined
  onClose: () => void
  onSaved: () => void
}) {
  // pressing the button again after a lost response creates no second one
  const [newId] = useState(() => crypto.randomUUID())
  const input = useInput(`prompt/${prompt.id ?? `new/${projectId ?? ''}`}`, {
    stored: { name: prompt.name ?? '', text: prompt.text ?? '' },
  })
  const { name, text } = input.value
  const [savedId, setSavedId] = useState(prompt.id)
  const [isValidated, setIsValidated] = useState(false)

  const nameProblem = isValidated && name.trim() === '' ? t`Please enter a name.` : undefined
  const textProblem = isValidated && text.trim() === '' ? t`Please enter the text.` : undefined

  const save = async () => {
    setIsValidated(true)
    if (name.trim() === '' || text.trim() === '') throw new InvalidForm()
    setSavedId(await store())
    input.markSaved({ name, text })
    onSaved()
  }
  /** @returns the id of the prompt */
  const store = async () => {
    try {
      if (savedId !== undefined) {
        await callApi('prompts.update', { params: { promptId: savedId }, body: { name, text } })
        return savedId
      }
    } catch (error) {
      // deleted elsewhere: what was written here is kept
      if (!(error instanceof ApiError && error.code === 'prompt_not_found')) throw error
    }
    await callApi('prompts.create', { body: { id: newId, name, text, project_id: projectId } })
    return newId
  }

  return (
    <ActionDialog
      open
      onClose={onClose}
      inputs={[input]}
      title={prompt.id === undefined ? t`New prompt` : t`Edit prompt`}
      confirmLabel={t`Save`}
      actionKey={`save prompt ${prompt.id ?? 'new'}`}
      onConfirm={save}
    >
      <TextField
        label={t`Name`}
        input={input.at('name')}
        maxLength={maxProjectNameCharacters}
        dir="auto"
        autoComplete="off"
        error={nameProblem}
      />
      <TextAreaField
        label={t`Text`}
        hint={t`What is put into the message. You can change it before you send it.`}
        error={textProblem}
        rows={5}
        input={input.at('text')}
        maxLength={maxPromptCharacters}
      />
    </ActionDialog>
  )
}
