import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '../../lib/navigation/router.tsx'
import type { Project, SavedPrompt } from '#shared/contracts/projects.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { QueryContent } from '../../components/query-content.tsx'
import { buttonClass } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { ApiError } from '../../lib/api/api-errors.ts'
import { assistantsQuery } from '../../lib/conversations/assistant-queries.ts'
import { newChatPath } from '../../lib/navigation/new-chat.ts'
import { projectQuery } from '../../lib/queries/project-queries.ts'
import { promptsQuery } from '../../lib/queries/prompt-queries.ts'
import { useDocumentTitle } from '../../lib/navigation/use-document-title.ts'
import { PublishEditor, type Connected } from './publish-editor.tsx'
import { PublishHeader } from './publish-header.tsx'

/** The page on which a project is published. @param connected what the publisher has connected; undefined while it is not known */
export function PublishPage({
  projectId,
  connected,
}: {
  projectId: string
  connected: readonly Connected[] | undefined
}) {
  const project = useQuery(projectQuery(projectId))
  // fresh, because the form begins with the published version, which another tab may have changed
  const assistants = useQuery({ ...assistantsQuery, staleTime: 0 })
  const prompts = useQuery(promptsQuery)
  const queries = [project, assistants, prompts]
  const failed = queries.find(({ error, data }) => error && !data)
  const loaded =
    project.data && assistants.data && prompts.data
      ? { project: project.data, list: assistants.data, prompts: prompts.data }
      : undefined
  useDocumentTitle(t`Publish ${{ projectName: project.data?.name ?? '' }}`)
  if (project.error instanceof ApiError && project.error.status === 404)
    return (
      <main className="mx-auto grid w-full max-w-[calc(66rem+3rem)] content-start justify-items-start gap-4 px-6 py-12 max-sm:px-4">
        <h1 className="text-base font-normal text-ink-muted">{t`This project does not exist any more.`}</h1>
        <Link to={newChatPath()} className={buttonClass()}>
          {t`Back to the chat`}
        </Link>
      </main>
    )
  return (
    <main className="relative h-full min-h-0 overflow-y-auto overscroll-contain scroll-quiet [scrollbar-gutter:stable_both-edges]">
      <div className="mx-auto max-w-[calc(66rem+3rem)] px-6 pt-6 max-sm:px-4 max-sm:pt-4">
        {!loaded && <h1 className="sr-only">{t`Publish`}</h1>}
        <QueryContent
          query={{
            data: loaded,
            error: failed?.error,
            isPending: !failed,
            refetch: () => Promise.all(queries.map(({ refetch }) => refetch())),
          }}
          label={t`Loading the project`}
          failure={t`The project could not be loaded.`}
          placeholder={
            <>
              <Skeleton className="h-8 w-48" />
              <Skeleton className="h-64 w-full rounded-lg" />
            </>
          }
        >
          {(content) => <Publishing {...content} connected={connected} />}
        </QueryContent>
      </div>
    </main>
  )
}

/** The form, or why there is none. */
function Publishing({
  project,
  list: { assistants, publishing },
  prompts,
  connected,
}: {
  project: Project
  list: RouteResponse<'assistants.list'>
  prompts: readonly SavedPrompt[]
  connected: readonly Connected[] | undefined
}) {
  const before = assistants.find(({ project_id }) => project_id === project.id)
  return (
    <>
      <PublishHeader project={project} before={before} />
      {publishing.allowed ? (
        <PublishEditor
          project={project}
          before={before}
          groups={publishing.groups}
          prompts={prompts}
          connected={connected}
        />
      ) : (
        <Callout variant="info">{t`Your group may not publish assistants. Please ask an administrator.`}</Callout>
      )}
    </>
  )
}
