import { t } from '@lingui/core/macro'
import { useQuery, useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from '../../lib/navigation/router.tsx'
import type { Project } from '#shared/contracts/projects.ts'
import { QueryContent, MoreRows } from '../../components/query-content.tsx'
import { SavedPrompts } from '../../components/saved-prompts.tsx'
import { buttonClass } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { isNotFound } from '../../lib/api/api-errors.ts'
import { newChatPath, conversationPath } from '../../lib/navigation/new-chat.ts'
import { projectQuery } from '../../lib/queries/project-queries.ts'
import { useDocumentTitle } from '../../lib/navigation/use-document-title.ts'
import { Pane } from './pane.tsx'
import { ProjectDefaults } from './project-defaults.tsx'
import { ProjectFiles } from './project-files.tsx'
import { ProjectHeading } from './project-heading.tsx'
import { ProjectInstructions } from './project-instructions.tsx'
import type { UploadFile } from './project-uploads.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { projectConversationsKey } from '../../lib/conversations/conversation-list.ts'
import { formatConversationTitle } from '../../lib/conversations/conversation-title.ts'
import { formatUpdated } from '../../lib/text/dates.ts'
import { formatCount } from '../../lib/text/locale.ts'
import { useIsDeleting } from '../../lib/actions/running-actions.ts'
import { useNow } from '../../lib/browser/use-now.ts'

const columnsClass = 'grid grid-cols-[minmax(0,1fr)_21rem] items-start gap-x-8 gap-y-6 max-lg:grid-cols-1'

interface ProjectPageProps {
  projectId: string
  upload: UploadFile
  /** the composer of a new conversation in the project */
  renderComposer: (project: Project) => ReactNode
}

/** The page of a project: a composer, its conversations, and what the assistant knows here. */
export function ProjectPage({ projectId, upload, renderComposer }: ProjectPageProps) {
  const query = useQuery(projectQuery(projectId))
  const { data, error } = query
  useDocumentTitle(data?.name ?? t`Project`)

  return (
    <main className="relative h-full min-h-0 overflow-y-auto overscroll-contain scroll-quiet [scrollbar-gutter:stable_both-edges] print:h-auto print:overflow-visible">
      <div className="mx-auto max-w-[calc(66rem+3rem)] px-6 pt-6 pb-16 max-sm:px-4 max-sm:pt-4 max-sm:pb-12">
        {isNotFound(error) ? (
          <div className="grid justify-items-start gap-4 py-12">
            <h1 className="text-base font-normal text-ink-muted">{t`This project does not exist any more.`}</h1>
            <Link to={newChatPath()} className={buttonClass()}>
              {t`Back to the chat`}
            </Link>
          </div>
        ) : (
          <>
            {!data && <h1 className="sr-only">{t`Project`}</h1>}
            <QueryContent
              query={query}
              label={t`Loading the project`}
              failure={t`The project could not be loaded.`}
              placeholder={
                <>
                  <Skeleton className="mb-5 h-6 w-48" />
                  <div className={columnsClass}>
                    <Skeleton className="h-28 w-full rounded-lg" />
                    <Skeleton className="h-40 w-full" />
                  </div>
                </>
              }
            >
              {(project) => (
                <>
                  <ProjectHeading project={project} />
                  <div className={columnsClass}>
                    <div className="grid min-w-0 grid-cols-1 gap-4">
                      {renderComposer(project)}
                      <ProjectConversations projectId={projectId} />
                    </div>
                    <aside aria-label={t`What the assistant knows here`}>
                      <ProjectInstructions project={project} />
                      <ProjectFiles project={project} upload={upload} />
                      <SavedPrompts
                        projectId={projectId}
                        renderFrame={(addButton, list) => (
                          <Pane title={t`Saved prompts`} action={addButton}>
                            {list}
                          </Pane>
                        )}
                      />
                      <ProjectDefaults project={project} />
                    </aside>
                  </div>
                </>
              )}
            </QueryContent>
          </>
        )}
      </div>
    </main>
  )
}

/** How many conversations are loaded at once: more than a screen shows below the composer. */
const pageSize = 20

/** The conversations of a project, the newest first. */
function ProjectConversations({ projectId }: { projectId: string }) {
  const now = useNow()
  const isDeleting = useIsDeleting()
  const query = useInfiniteQuery({
    queryKey: [...projectConversationsKey, projectId],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        'sessions.list',
        { query: { project_id: projectId, limit: pageSize, cursor: pageParam } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ sessions }) => sessions),
    // a page that is opened again loads its first page only, not all that were shown before
    gcTime: 0,
  })
  const sessions = query.data?.filter(({ id }) => !isDeleting(id))
  return (
    <section>
      <h2 className="mt-3 mb-2 flex items-baseline gap-2 text-sm font-medium text-ink-muted">
        {t`Conversations`}
        {sessions && sessions.length > 0 && !query.hasNextPage && (
          <span className="font-normal text-ink-faint">{formatCount(sessions.length)}</span>
        )}
      </h2>
      <QueryContent
        query={{ ...query, data: sessions }}
        label={t`Loading its conversations`}
        failure={t`Its conversations could not be loaded.`}
        empty={t`None yet. Write above, or move one here from the menu of its line in the list.`}
      >
        {(shown) => (
          <>
            <ul aria-label={t`Conversations`} className="-mx-3 text-ui">
              {shown.map(({ id, title, updated_at: updatedAt, archived }) => (
                <li key={id}>
                  <Link
                    to={conversationPath(id)}
                    className="flex min-h-11 items-center gap-4 rounded-sm px-3 py-1 text-ink no-underline hover:bg-surface-hover focus-visible:-outline-offset-2"
                  >
                    <span
                      className="min-w-0 flex-1 truncate"
                      dir="auto"
                      title={formatConversationTitle(title)}
                    >
                      {formatConversationTitle(title)}
                    </span>
                    <span className="shrink-0 text-xs text-ink-faint">
                      {archived === true && `${t({ message: 'Archived', context: 'one conversation' })} · `}
                      {formatUpdated(new Date(updatedAt), now)}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
            <MoreRows query={query} />
          </>
        )}
      </QueryContent>
    </section>
  )
}
