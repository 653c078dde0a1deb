import { plural, t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link, useNavigate } from 'react-router'
import type { Assistant } from '#shared/contracts/assistants.ts'
import type { Project, SavedPrompt } from '#shared/contracts/projects.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { QueryContent } from '../../components/query-content.tsx'
import { DocumentFlag } from '../../components/ui/document-flag.tsx'
import { Button, buttonClass } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { useActionMutation, usePageOffer } from '../../components/use-action.ts'
import { ApiError, getErrorMessage, ignoreNotFound } from '../../lib/api-errors.ts'
import { assistantPath, assistantsQuery } from '../../lib/assistant-queries.ts'
import { callApi } from '../../lib/call-api.ts'
import { formatDate } from '../../lib/dates.ts'
import { newChatPath } from '../../lib/new-chat.ts'
import { watchPresence } from '../../lib/presence.ts'
import { projectPath, projectQuery } from '../../lib/project-queries.ts'
import { promptsQuery } from '../../lib/prompt-queries.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { useInput } from '../../lib/use-input.ts'
import { AppearanceFields, AudienceFields, NewsField } from './publish-fields.tsx'
import { findShownPicture, hasAudience, toPublishForm, toPublishRequest } from './publish-form.ts'
import { PublishPreview } from './publish-preview.tsx'

/** Files are waited for, and their texts are copied. */
const publishTimeoutMs = 40_000

interface Connected {
  id: string
  name: string
}

/** The page on which a project is published. @param connected what the publisher has connected */
export function PublishPage({
  projectId,
  connected,
}: {
  projectId: string
  connected: readonly Connected[]
}) {
  const project = useQuery(projectQuery(projectId))
  const assistants = useQuery({ ...assistantsQuery, staleTime: 0 })
  const prompts = useQuery(promptsQuery)
  const [one, ...others] = [project, assistants, prompts]
  const failed = others.find(({ error, data }) => error && !data) ?? one
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
    <main className="h-full min-h-0 overflow-y-auto overscroll-contain scroll-quiet [scrollbar-gutter:stable_both-edges]">
      <div className="mx-auto max-w-[calc(66rem+3rem)] px-6 pt-6 max-sm:px-4 max-sm:pt-4">
        {!(project.data && assistants.data && prompts.data) && <h1 className="sr-only">{t`Publish`}</h1>}
        <QueryContent
          query={{
            data:
              project.data && assistants.data && prompts.data
                ? { project: project.data, list: assistants.data, prompts: prompts.data }
                : undefined,
            error: failed.error,
            isPending: !failed.error,
            refetch: () => Promise.all([project, assistants, prompts].map(({ refetch }) => refetch())),
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
          {(loaded) => <Publishing {...loaded} connected={connected} />}
        </QueryContent>
      </div>
    </main>
  )
}

function Publishing({
  project,
  list: { assistants, publishing },
  prompts,
  connected,
}: {
  project: Project
  list: RouteResponse<'assistants.list'>
  prompts: readonly SavedPrompt[]
  connected: readonly Connected[]
}) {
  const navigate = useNavigate()
  const offer = usePageOffer()
  const queryClient = useQueryClient()
  const before = assistants.find(({ project_id }) => project_id === project.id)
  const version = (before?.version ?? 0) + 1
  const { groups } = publishing
  const input = useInput(`publish/${project.id}`, {
    stored: toPublishForm(project, { before, prompts, groups }),
    onLeave: 'keep',
  })
  const form = useRef<HTMLFormElement>(null)
  const [isValidated, setIsValidated] = useState(false)
  const disabled = project.disabled_tools ?? []
  const toolNames = connected
    .filter(({ id }) => !disabled.some(({ mcp_id, tool }) => mcp_id === id && tool === undefined))
    .map(({ name }) => name)
  const { isBusy, error, start } = useActionMutation(`publish ${project.id}`, {
    run: async ({ sent }: { sent: typeof input; isHere: () => boolean }) => {
      const { assistant } = await callApi(
        'assistants.publish',
        { params: { projectId: project.id }, body: toPublishRequest(sent.value) },
        { timeoutMs: publishTimeoutMs },
      )
      return assistant
    },
    onSuccess: async (assistant, { sent, isHere }) => {
      await queryClient.invalidateQueries({ queryKey: assistantsQuery.queryKey })
      // what was typed while it was published stays
      sent.markSaved(toPublishForm(project, { before: assistant, prompts, groups }))
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
  const submit = () => {
    // the fields are shown as invalid first
    flushSync(() => setIsValidated(true))
    const isComplete = input.value.name.trim() !== '' && hasAudience(input.value)
    if (isComplete) start({ sent: input, isHere: watchPresence() })
    else form.current?.querySelector<HTMLElement>('[aria-invalid], [name=audience]:checked')?.focus()
  }
  return (
    <>
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
        {before && <Withdraw assistant={before} projectId={project.id} />}
      </header>
      {publishing.allowed ? (
        <form
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <div className="grid grid-cols-[minmax(0,1fr)_21rem] items-start gap-x-8 gap-y-6 max-lg:grid-cols-1">
            <div className="grid gap-4">
              <AppearanceFields input={input} before={before} isValidated={isValidated} />
              <AudienceFields
                input={input}
                groups={groups}
                problem={
                  isValidated && !hasAudience(input.value)
                    ? t`Please choose a group, or everyone.`
                    : undefined
                }
              />
              {before && <NewsField input={input} version={version} />}
            </div>
            <PublishPreview
              form={input.value}
              picture={findShownPicture(input.value, before)}
              project={project}
              version={version}
              toolNames={toolNames}
              promptCount={prompts.filter(({ project_id }) => project_id === project.id).length}
            />
          </div>
          {error && (
            <div className="mt-4">
              <Callout variant="danger">{getErrorMessage(error)}</Callout>
            </div>
          )}
          <div className="sticky bottom-0 mt-6 flex items-center justify-end gap-2 border-t border-line bg-surface py-4">
            <DocumentFlag name="form-bar" />
            <Link
              to={projectPath(project.id)}
              onClick={input.reset}
              className={buttonClass({ variant: 'ghost' })}
            >
              {t`Cancel`}
            </Link>
            <Button variant="primary" type="submit" busy={isBusy}>
              {t`Publish version ${{ version }}`}
            </Button>
          </div>
        </form>
      ) : (
        <Callout variant="info">{t`Your group may not publish assistants. Please ask an administrator.`}</Callout>
      )}
    </>
  )
}

const usesText = (count: number) => plural(count, { one: 'used # time', other: `used # times` })

const describeVersion = ({ version, published_at, uses = 0 }: Assistant) =>
  `${t`version ${{ version }} since ${{ day: formatDate(new Date(published_at)) }}`}, ${usesText(uses)}`

function Withdraw({ assistant: { id, name }, projectId }: { assistant: Assistant; projectId: string }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
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
          if (isHere.current?.()) void navigate(projectPath(projectId))
        }}
      >
        <p className="text-ink-muted">{t`It ends at once for everybody. Their conversations go on without it; copies stay, and so does your project.`}</p>
      </ActionDialog>
    </>
  )
}
