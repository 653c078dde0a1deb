import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useNavigate } from '../../lib/navigation/router.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { hasErrorCode } from '../../lib/api/has-error-code.ts'
import { assistantsQuery } from '../../lib/conversations/assistant-queries.ts'
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
export type ConversationsChoice = 'keep' | 'delete'

/** Discards what was entered about a project, and the drafts of its page. */
function discardInput(projectId: string): void {
  for (const field of ['name', 'instructions'] as const)
    writeInput(projectFieldKey(projectId, field), undefined)
  // a key begins with the user, and names the page before a colon
  for (const key of listDrafts()) if (key.includes(`/${pageDraft(projectId)}:`)) discardDraft(key)
}

/** @returns `deleteProject` for the dialog's `onConfirm`; `showDeleted` for its `onDone`, which leads away from the page of the project */
export function useDeleteProject(projectId: string) {
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
