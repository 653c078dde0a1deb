import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useRef } from 'react'
import type { Project } from '#shared/contracts/projects.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { RadioList } from '../../components/ui/radio-list.tsx'
import { assistantsQuery } from '../../lib/conversations/assistant-queries.ts'
import { useNavigate } from '../../lib/navigation/router.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { hasErrorCode } from '../../lib/api/has-error-code.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { createConversationCache } from '../../lib/conversations/conversation-cache.ts'
import { discardDraft, listDrafts, pageDraft } from '../../lib/input/drafts.ts'
import { writeInput } from '../../lib/input/inputs.ts'
import { forgetLastChat } from '../../lib/navigation/last-chat.ts'
import { watchPresence } from '../../lib/input/presence.ts'
import { projectQuery, projectsQuery } from '../../lib/queries/project-queries.ts'
import { promptsQuery } from '../../lib/queries/prompt-queries.ts'
import { projectFieldKey } from './use-project-field.ts'

/** The service may use its full time, 29 seconds, and then answers that it is not done. */
const deleteTimeoutMs = 40_000

/** What becomes of the conversations of a project that is deleted. */
type ConversationsChoice = 'keep' | 'delete'

/** Discards what was entered about a project, and the drafts of its page. */
function discardInput(projectId: string): void {
  for (const field of ['name', 'instructions'] as const)
    writeInput(projectFieldKey(projectId, field), undefined)
  // a key begins with the user, and names the page before a colon
  for (const key of listDrafts()) if (key.includes(`/${pageDraft(projectId)}:`)) discardDraft(key)
}

/** @returns `deleteProject` for the dialog's `onConfirm`; `showDeleted` for its `onDone`, which leads away from the page of the project */
function useDeleteProject(projectId: string) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  /** tells whether the user has stayed on the page since the deletion began */
  const isHere = useRef<() => boolean>(undefined)
  return {
    deleteProject: async (conversations: ConversationsChoice) => {
      isHere.current = watchPresence()
      const input = { params: { projectId }, query: { conversations } }
      try {
        for (let isDone = false; !isDone;)
          isDone = (await callApi('projects.delete', input, { timeoutMs: deleteTimeoutMs })).done
      } catch (error) {
        // deleted by a call whose response was lost, or elsewhere
        if (!hasErrorCode(error, 'project_not_found')) throw error
      }
    },
    showDeleted: async () => {
      createConversationCache(queryClient).clear()
      forgetLastChat()
      for (const { queryKey } of [projectsQuery, promptsQuery, assistantsQuery])
        void queryClient.invalidateQueries({ queryKey })
      showToast('success', t`Project deleted`)
      discardInput(projectId)
      if (isHere.current?.()) navigate('/')
      // not before: the page of the project would load it again
      queryClient.removeQueries({ queryKey: projectQuery(projectId).queryKey })
    },
  }
}

const choices = [
  { value: 'keep', label: t`Keep them, without a project` },
  { value: 'delete', label: t`Delete them too` },
] as const satisfies { value: ConversationsChoice; label: string }[]

/** Deletes a project, and asks what becomes of its conversations. */
export function DeleteProjectDialog({
  project: { id, name },
  onClose,
}: {
  project: Pick<Project, 'id' | 'name'>
  onClose: () => void
}) {
  const { deleteProject, showDeleted } = useDeleteProject(id)
  const [choice, setChoice] = useState<ConversationsChoice>('keep')
  const { data: published } = useQuery({
    ...assistantsQuery,
    select: ({ assistants }) => assistants.find(({ project_id }) => project_id === id)?.name,
  })

  return (
    <ActionDialog
      open
      onClose={onClose}
      title={t`Delete “${{ projectName: name }}”?`}
      confirmLabel={t`Delete project`}
      isDestructive
      actionKey={`delete project ${id}`}
      onConfirm={() => deleteProject(choice)}
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
