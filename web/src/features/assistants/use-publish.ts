import { plural, t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '../../lib/navigation/router.tsx'
import type { Assistant } from '#shared/contracts/assistants.ts'
import type { Project } from '#shared/contracts/projects.ts'
import { useActionMutation } from '../../components/use-action.ts'
import { usePageOffer } from '../../components/use-result-navigation.ts'
import { useUserToast } from '../../components/use-user-toast.ts'
import { assistantsQuery } from '../../lib/conversations/assistant-queries.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { publishTimeoutMs } from '../../lib/browser/limits.ts'
import { formatList } from '../../lib/text/locale.ts'
import { watchPresence } from '../../lib/input/presence.ts'
import { projectQuery } from '../../lib/queries/project-queries.ts'
import type { Input } from '../../lib/input/use-input.ts'
import { listTextFiles, toPublishRequest, type PublishForm } from './publish-form.ts'
import { assistantPath } from '../../lib/navigation/paths.ts'

interface Sent {
  /** the input of the render whose value is sent */
  input: Input<PublishForm>
  /** the files that the preview has promised */
  promised: Project['files']
  /** whether the user has stayed on the page since */
  isHere: () => boolean
}

/**
 * Publishes a project, and leads to its assistant; by a toast, if the user has left the page meanwhile.
 * @param toStored what the form begins with after an assistant was published
 */
export function usePublish(project: Project, toStored: (published: Assistant) => PublishForm) {
  const { id } = project
  const navigate = useNavigate()
  const offer = usePageOffer()
  const showToast = useUserToast()
  const queryClient = useQueryClient()
  const { isBusy, error, start } = useActionMutation(`publish ${id}`, {
    run: async ({ input, promised }: Sent) => {
      const { assistant, file_ids: published } = await callApi(
        'assistants.publish',
        { params: { projectId: id }, body: toPublishRequest(input.value) },
        { timeoutMs: publishTimeoutMs },
      )
      return { assistant, missing: promised.filter((file) => !published.includes(file.id)) }
    },
    onSuccess: async ({ assistant, missing }, { input, isHere }) => {
      await queryClient.invalidateQueries({ queryKey: assistantsQuery.queryKey })
      // what was typed while it was published stays
      input.markSaved(toStored(assistant))
      const path = assistantPath(assistant.id)
      if (missing.length > 0) {
        void queryClient.invalidateQueries({ queryKey: projectQuery(id).queryKey })
        showToast('info', describeMissing(missing.length), {
          description: describeNames(missing.map(({ name }) => name)),
          durationMs: missingToastMs,
        })
      }
      const title = t`Version ${{ version: assistant.version }} is published`
      if (!isHere()) return offer(path, title)
      showToast('success', title)
      navigate(path)
    },
    // published or withdrawn elsewhere: the next version has another number
    onError: () => void queryClient.invalidateQueries({ queryKey: assistantsQuery.queryKey }),
    failureTitle: t`The project could not be published`,
  })
  return {
    isBusy,
    error,
    publish: (input: Input<PublishForm>) =>
      start({ input, promised: listTextFiles(project), isHere: watchPresence() }),
  }
}

/** Long enough to read a list of names. */
const missingToastMs = 30_000
/** More names would fill the screen of a phone. */
const maxNames = 10

const describeMissing = (count: number) =>
  plural(count, {
    one: '# file is not in the published version',
    other: '# files are not in the published version',
  })

/** Which files of the preview are not in the published version, and why. */
function describeNames(names: readonly string[]): string {
  const shown = formatList([...names.slice(0, maxNames), ...(names.length > maxNames ? ['…'] : [])])
  return t`Deleted or removed from the project meanwhile, or without text: ${{ names: shown }}`
}
