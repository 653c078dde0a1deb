import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { Assistant } from '#shared/contracts/assistants.ts'
import type { Project } from '#shared/contracts/projects.ts'
import { showToast } from '../../components/ui/toast.ts'
import { useActionMutation, usePageOffer } from '../../components/use-action.ts'
import { assistantPath, assistantsQuery } from '../../lib/assistant-queries.ts'
import { callApi } from '../../lib/call-api.ts'
import { watchPresence } from '../../lib/presence.ts'
import type { Input } from '../../lib/use-input.ts'
import { publishTimeoutMs, toPublishRequest, type PublishForm } from './publish-form.ts'

interface Sent {
  input: Input<PublishForm>
  /** whether the user has stayed on the page since */
  isHere: () => boolean
}

/**
 * Publishes a project, and leads to its assistant.
 * @param toStored what the form begins with after an assistant was published
 */
export function usePublish({ id }: Project, toStored: (published: Assistant) => PublishForm) {
  const navigate = useNavigate()
  const offer = usePageOffer()
  const queryClient = useQueryClient()
  const { isBusy, error, start } = useActionMutation(`publish ${id}`, {
    run: async ({ input }: Sent) => {
      const { assistant } = await callApi(
        'assistants.publish',
        { params: { projectId: id }, body: toPublishRequest(input.value) },
        { timeoutMs: publishTimeoutMs },
      )
      return assistant
    },
    onSuccess: async (assistant, { input, isHere }) => {
      await queryClient.invalidateQueries({ queryKey: assistantsQuery.queryKey })
      // what was typed while it was published stays
      input.markSaved(toStored(assistant))
      const path = assistantPath(assistant.id)
      const title = t`Version ${{ version: assistant.version }} is published`
      if (!isHere()) return offer(path, title)
      showToast('success', title)
      await navigate(path)
    },
    // published or withdrawn elsewhere: the next version has another number
    onError: () => void queryClient.invalidateQueries({ queryKey: assistantsQuery.queryKey }),
    failureTitle: t`The project could not be published`,
  })
  return {
    isBusy,
    error,
    publish: (input: Input<PublishForm>) => start({ input, isHere: watchPresence() }),
  }
}
