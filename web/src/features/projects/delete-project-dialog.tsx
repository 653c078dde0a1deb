import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Project } from '#shared/contracts/projects.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { RadioList } from '../../components/ui/radio-list.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError } from '../../lib/api-errors.ts'
import { assistantsQuery } from '../../lib/assistant-queries.ts'
import { callApi } from '../../lib/call-api.ts'
import { createConversationCache } from '../../lib/conversation-cache.ts'
import { forgetLastChat } from '../../lib/last-chat.ts'
import { projectQuery, projectsQuery } from '../../lib/project-queries.ts'
import { promptsQuery } from '../../lib/prompt-queries.ts'
import { discardDraft, listDrafts, pageDraft } from '../../lib/drafts.ts'
import { writeInput } from '../../lib/inputs.ts'
import { watchPresence } from '../../lib/presence.ts'
import { projectFieldKey } from './use-project-field.ts'

/** Longer than a call of the service works. */
const deleteTimeoutMs = 40_000

const choices = [
  { value: 'keep', label: t`Keep them, without a project` },
  { value: 'delete', label: t`Delete them too` },
] as const
type Choice = (typeof choices)[number]['value']

/** Deletes a project, and asks what becomes of its conversations. */
export function DeleteProjectDialog({
  project: { id, name },
  onClose,
}: {
  project: Pick<Project, 'id' | 'name'>
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [choice, setChoice] = useState<Choice>('keep')
  const { data: published } = useQuery({
    ...assistantsQuery,
    select: ({ assistants }) => assistants.find(({ project_id }) => project_id === id)?.name,
  })

  const isHere = useRef<() => boolean>(undefined)
  const deleteAll = async () => {
    isHere.current = watchPresence()
    const input = { params: { projectId: id }, query: { conversations: choice } }
    try {
      while (!(await callApi('projects.delete', input, { timeoutMs: deleteTimeoutMs })).done);
    } catch (error) {
      // deleted by a call whose response was lost, or elsewhere
      if (!(error instanceof ApiError && error.code === 'project_not_found')) throw error
    }
  }
  const showDeleted = async () => {
    createConversationCache(queryClient).clear()
    forgetLastChat()
    for (const { queryKey } of [projectsQuery, promptsQuery, assistantsQuery])
      void queryClient.invalidateQueries({ queryKey })
    showToast('success', t`Project deleted`)
    for (const field of ['name', 'instructions'] as const) writeInput(projectFieldKey(id, field), undefined)
    for (const key of listDrafts()) if (key.includes(`/${pageDraft(id)}:`)) discardDraft(key)
    if (isHere.current?.()) await navigate('/')
    queryClient.removeQueries({ queryKey: projectQuery(id).queryKey })
  }

  return (
    <ActionDialog
      open
      onClose={onClose}
      title={t`Delete “${{ projectName: name }}”?`}
      confirmLabel={t`Delete project`}
      isDestructive
      actionKey={`delete project ${id}`}
      onConfirm={deleteAll}
      onDone={() => void showDeleted()}
    >
      <p className="text-ink-muted">{t`Its instructions and saved prompts are deleted, and files that nothing else uses. This cannot be undone.`}</p>
      {published !== undefined && (
        <p>{t`Its assistant “${{ assistant: published }}” is withdrawn: conversations with it go on without it.`}</p>
      )}
      <p className="-mb-3 font-medium">{t`What becomes of its conversations?`}</p>
      <RadioList
        label={t`What becomes of its conversations?`}
        value={choice}
        options={choices}
        onChange={setChoice}
      />
    </ActionDialog>
  )
}
