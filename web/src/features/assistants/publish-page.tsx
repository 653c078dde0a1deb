import { t, plural } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '../../lib/navigation/router.tsx'
import type { Project, SavedPrompt } from '#shared/contracts/projects.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { QueryContent } from '../../components/query-content.tsx'
import { buttonClass, Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { ApiError, ignoreNotFound } from '../../lib/api/api-errors.ts'
import { assistantsQuery } from '../../lib/conversations/assistant-queries.ts'
import { newChatPath } from '../../lib/navigation/new-chat.ts'
import { projectQuery } from '../../lib/queries/project-queries.ts'
import { promptsQuery } from '../../lib/queries/prompt-queries.ts'
import { useDocumentTitle } from '../../lib/navigation/use-document-title.ts'
import { PublishEditor, type Connected } from './publish-editor.tsx'
import { ArrowLeft } from 'lucide-react'
import type { Assistant } from '#shared/contracts/assistants.ts'
import { formatDate } from '../../lib/text/dates.ts'
import { projectPath } from '../../lib/navigation/paths.ts'
import { useRef, useState } from 'react'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { publishTimeoutMs } from '../../lib/browser/limits.ts'
import { watchPresence } from '../../lib/input/presence.ts'

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

const describeUses = (count: number) => plural(count, { one: 'used # time', other: `used # times` })

const describeVersion = ({ version, published_at, uses = 0 }: Assistant) =>
  t`version ${{ version }} since ${{ day: formatDate(new Date(published_at)) }}, ${{ usage: describeUses(uses) }}`

/** The heading of the page on which a project is published. @param before the version that is published now */
function PublishHeader({ project, before }: { project: Project; before: Assistant | undefined }) {
  return (
    <header className="mb-5 flex min-h-11 items-center gap-3">
      <Link
        to={projectPath(project.id)}
        aria-label={t`Back to ${{ projectName: project.name }}`}
        className={buttonClass({ variant: 'ghost', size: 'icon', className: '-ms-2 shrink-0' })}
      >
        <ArrowLeft aria-hidden size={20} strokeWidth={1.75} className="mirrored:-scale-x-100" />
      </Link>
      <div className="min-w-0 flex-1">
        <h1 className="text-lg/6 font-semibold tracking-tight">{t`Publish`}</h1>
        <p className="truncate text-sm text-ink-muted">
          {t`From the project ${{ projectName: project.name }}`}
          {before && <span className="max-sm:hidden"> · {describeVersion(before)}</span>}
        </p>
      </div>
      {before && <WithdrawButton assistant={before} projectId={project.id} />}
    </header>
  )
}

/** Withdraws an assistant after a confirmation, and leads somebody who has waited back to its project. */
function WithdrawButton({ assistant: { id, name }, projectId }: { assistant: Assistant; projectId: string }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  /** tells whether the user has stayed on the page since the withdrawal began */
  const isHere = useRef<() => boolean>(undefined)
  return (
    <>
      <Button variant="ghost" size="sm" onClick={() => setIsAsking(true)}>
        {t`Withdraw`}
      </Button>
      <ActionDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={t`Withdraw “${{ assistant: name }}”?`}
        confirmLabel={t`Withdraw`}
        isDestructive
        onConfirm={async () => {
          isHere.current = watchPresence()
          await callApi(
            'assistants.withdraw',
            { params: { assistantId: id } },
            { timeoutMs: publishTimeoutMs },
          ).catch(ignoreNotFound)
          await queryClient.invalidateQueries({ queryKey: assistantsQuery.queryKey })
        }}
        onDone={() => {
          setIsAsking(false)
          showToast('success', t`Withdrawn`)
          if (isHere.current?.()) navigate(projectPath(projectId))
        }}
      >
        <p className="text-ink-muted">{t`It ends at once for everybody. Their conversations go on without it; copies stay, and so does your project.`}</p>
      </ActionDialog>
    </>
  )
}
