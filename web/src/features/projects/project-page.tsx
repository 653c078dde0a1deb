import { plural, t } from '@lingui/core/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Settings2, SquarePen } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { lazyComponent } from '../../components/lazy-component.tsx'
import { OfflineBar } from '../../components/offline-bar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SavedPrompts } from '../../components/saved-prompts.tsx'
import { SettingsCard } from '../../components/settings-card.tsx'
import { Button, buttonClass } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { ApiError } from '../../lib/api-errors.ts'
import { useIsDeleting } from '../../lib/running-actions.ts'
import { callApi } from '../../lib/call-api.ts'
import { projectConversationsKey } from '../../lib/conversation-list.ts'
import { formatUpdated } from '../../lib/dates.ts'
import { useBackToChat } from '../../lib/use-back-to-chat.ts'
import { newChatPath } from '../../lib/new-chat.ts'
import { projectQuery } from '../../lib/projects.ts'
import { ProjectFiles } from './project-files.tsx'
import type { UploadFile } from './project-uploads.ts'
import { Loaded, MoreRows } from '../../components/loaded.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

const SettingsDialog = lazyComponent(() => import('./settings-dialog.tsx'), 'SettingsDialog', null)

const mainClass =
  'mx-auto grid max-w-[calc(var(--width-settings)+3rem)] gap-4 px-6 pt-6 pb-16 max-sm:px-4 max-sm:pt-4 max-sm:pb-12'

/** The page of a project: its conversations, instructions, files and saved prompts. */
export function ProjectPage({ projectId, upload }: { projectId: string; upload: UploadFile }) {
  const { onBack } = useBackToChat()
  const query = useQuery(projectQuery(projectId))
  const { data: project, error } = query
  const [isEditing, setIsEditing] = useState(false)
  const title = project?.name ?? t`Project`
  useDocumentTitle(title)
  const isMissing = error instanceof ApiError && error.status === 404

  return (
    <div className="min-h-dvh">
      <OfflineBar />
      <PageHeader
        title={title}
        subtitle={t`Its conversations share instructions and files`}
        onBack={onBack}
        actions={
          project && (
            <Button size="sm" onClick={() => setIsEditing(true)}>
              <Settings2 aria-hidden size={16} />
              {t`Project settings`}
            </Button>
          )
        }
      />
      <main className={mainClass}>
        {isMissing ? (
          <div className="grid justify-items-start gap-4 py-12">
            <p className="text-base text-ink-muted">{t`This project does not exist any more.`}</p>
            <Link to={newChatPath()} className={buttonClass()}>
              {t`Back to the chat`}
            </Link>
          </div>
        ) : (
          <Loaded
            query={query}
            label={t`Loading the project`}
            failure={t`The project could not be loaded.`}
            placeholder={
              <>
                <Skeleton className="h-11 w-full" />
                <Skeleton className="h-40 w-full" />
                <Skeleton className="h-28 w-full" />
              </>
            }
          >
            {(loaded) => (
              <>
                <Link
                  to={newChatPath({ projectId })}
                  className={buttonClass({ variant: 'primary', size: 'lg' })}
                >
                  <SquarePen aria-hidden size={16} />
                  {t`New chat in this project`}
                </Link>
                <Conversations projectId={projectId} />
                <SettingsCard title={t`Instructions`}>
                  <p
                    dir="auto"
                    className={`mt-3 line-clamp-6 wrap-anywhere whitespace-pre-wrap ${loaded.instructions === '' ? 'text-ink-muted' : ''}`}
                  >
                    {loaded.instructions ||
                      t`None yet. Add some in the project settings, and they apply to every conversation here.`}
                  </p>
                </SettingsCard>
                <ProjectFiles project={loaded} upload={upload} />
                <SettingsCard
                  title={t`Saved prompts`}
                  subtitle={t`Type / in a conversation of this project to insert one.`}
                >
                  <SavedPrompts projectId={projectId} />
                </SettingsCard>
                {isEditing && <SettingsDialog project={loaded} onClose={() => setIsEditing(false)} />}
              </>
            )}
          </Loaded>
        )}
      </main>
    </div>
  )
}

const pageSize = 20

function Conversations({ projectId }: { projectId: string }) {
  const [now] = useState(() => new Date())
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
    gcTime: 0,
  })
  return (
    <SettingsCard title={t`Conversations`}>
      <div className="mt-3">
        <Loaded
          query={query}
          label={t`Loading its conversations`}
          failure={t`Its conversations could not be loaded.`}
          empty={t`No conversations yet. Start one, or move one here from the menu of its line in the list.`}
        >
          {(sessions) => (
            <>
              <ul aria-label={t`Conversations`} className="-mx-3">
                {sessions
                  .filter(({ id }) => !isDeleting(id))
                  .map(({ id, title, message_count: count, updated_at, archived }) => (
                    <li key={id}>
                      <Link
                        to={`/?c=${encodeURIComponent(id)}`}
                        className="block rounded-md px-3 py-2 text-ink no-underline hover:bg-surface-hover"
                      >
                        <span className="block truncate font-medium">
                          <bdi>{title}</bdi>
                        </span>
                        <span className="block text-xs text-ink-muted">
                          {plural(count, { one: '# message', other: `# messages` })} ·{' '}
                          {formatUpdated(new Date(updated_at), now)}
                          {archived === true &&
                            ` · ${t({ message: 'Archived', context: 'one conversation' })}`}
                        </span>
                      </Link>
                    </li>
                  ))}
              </ul>
              <MoreRows query={query} />
            </>
          )}
        </Loaded>
      </div>
    </SettingsCard>
  )
}
