import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from '../../lib/navigation/router.tsx'
import type { Project } from '#shared/contracts/projects.ts'
import { QueryContent } from '../../components/query-content.tsx'
import { SavedPrompts } from '../../components/saved-prompts.tsx'
import { buttonClass } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { isNotFound } from '../../lib/api/api-errors.ts'
import { newChatPath } from '../../lib/navigation/new-chat.ts'
import { projectQuery } from '../../lib/queries/project-queries.ts'
import { useDocumentTitle } from '../../lib/navigation/use-document-title.ts'
import { Pane } from './pane.tsx'
import { ProjectConversations } from './project-conversations.tsx'
import { ProjectDefaults } from './project-defaults.tsx'
import { ProjectFiles } from './project-files.tsx'
import { ProjectHeading } from './project-heading.tsx'
import { ProjectInstructions } from './project-instructions.tsx'
import type { UploadFile } from './project-uploads.ts'

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
