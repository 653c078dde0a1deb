import {
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  infiniteQueryOptions,
  queryOptions,
} from '@tanstack/react-query'
import { useState } from 'react'
import type { AllowedTool } from '#shared/contracts/tools.ts'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { callApi } from '../../lib/call-api.ts'
import { useBrand } from '../../lib/config.ts'
import { formatDate } from '../../lib/dates.ts'
import { announce } from '../../lib/announce.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { ActivityRow } from './activity-row.tsx'
import { CardSection, SettingsCard } from '../../components/settings-card.tsx'
import { translateSentence } from '../../lib/translate.ts'
import * as texts from './texts.ts'
import * as commonTexts from '../../components/texts.ts'

/** The tool calls of the assistant, and the tools that run without approval. */
export function ActivityCard() {
  const { assistantName } = useBrand()
  return (
    <SettingsCard title={texts.activity} subtitle={texts.activityHint(assistantName)}>
      <CardSection>
        <ActivityList />
      </CardSection>
      <CardSection>
        <AllowedTools />
      </CardSection>
    </SettingsCard>
  )
}

function ActivityList() {
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(activityQuery)
  const [isClearing, setIsClearing] = useState(false)
  if (isPending) return <Loading label={texts.loadingActivity} />
  if (!data)
    return (
      <Callout variant="danger" action={{ label: commonTexts.tryAgain, onClick: () => void refetch() }}>
        {texts.activityNotLoaded} {errorMessage(error)}
      </Callout>
    )
  const entries = data.pages.flatMap((page) => page.entries)
  if (entries.length === 0) return <p className="text-ink-muted">{texts.noActivity}</p>
  return (
    <>
      <ul aria-label={texts.activity} className="-mt-2 divide-y divide-line">
        {entries.map((entry) => (
          <ActivityRow key={entry.id} entry={entry} />
        ))}
      </ul>
      {error && (
        <div className="mt-3">
          <Callout variant="danger">{errorMessage(error)}</Callout>
        </div>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {hasNextPage && (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.showMore}
          </Button>
        )}
        <Button variant="danger" className="ms-auto" onClick={() => setIsClearing(true)}>
          {texts.deleteList}
        </Button>
      </div>
      <ClearDialog open={isClearing} onOpenChange={setIsClearing} />
    </>
  )
}

function ClearDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  const clear = async () => {
    setBusy(true)
    try {
      await callApi('tools.clearLedger', {}, { timeoutMs: 30_000 })
      announce(texts.listDeleted)
    } catch (error) {
      showToast('error', texts.listNotDeleted, { description: errorMessage(error) })
    } finally {
      setBusy(false)
      // before the list is loaded again, during which the dialog is gone: it would come back open
      onOpenChange(false)
      await queryClient.resetQueries({ queryKey: activityQuery.queryKey })
    }
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !busy && onOpenChange(next)}
      title={texts.deleteListTitle}
      footer={
        <>
          <Button variant="ghost" disabled={busy} onClick={() => onOpenChange(false)}>
            {commonTexts.cancel}
          </Button>
          <Button variant="danger-solid" busy={busy} onClick={() => void clear()}>
            {texts.confirmDelete}
          </Button>
        </>
      }
    >
      <p className="text-ink-muted">{texts.deleteListHint}</p>
    </Dialog>
  )
}

function AllowedTools() {
  const { data, error, isPending, refetch } = useQuery(allowedToolsQuery)
  return (
    <>
      <h3 className="font-medium">{texts.alwaysAllowed}</h3>
      <p className="max-w-[60ch] text-ink-muted">{texts.alwaysAllowedHint}</p>
      <div className="mt-3">
        {isPending ? (
          <Loading label={texts.loadingAllowed} />
        ) : !data ? (
          <Callout variant="danger" action={{ label: commonTexts.tryAgain, onClick: () => void refetch() }}>
            {texts.allowedNotLoaded} {errorMessage(error)}
          </Callout>
        ) : data.length === 0 ? (
          <p className="text-ink-muted">{texts.noneAllowed}</p>
        ) : (
          <ul aria-label={texts.alwaysAllowed} className="divide-y divide-line">
            {data.map((tool) => (
              <AllowedRow key={tool.id} tool={tool} />
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

function AllowedRow({ tool: { id, title, integration, allowed_at } }: { tool: AllowedTool }) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  const toolTitle = translateSentence(title)
  const name = integration === null ? toolTitle : `${integration} · ${toolTitle}`
  const revoke = async () => {
    setBusy(true)
    try {
      await callApi('tools.revoke', { params: { toolId: id } })
      await queryClient.invalidateQueries({ queryKey: allowedToolsQuery.queryKey })
    } catch (error) {
      showToast('error', texts.updateFailed, { description: errorMessage(error) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <li className="flex items-center gap-4 py-2">
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-sm text-ink-muted">{texts.allowedSince(formatDate(new Date(allowed_at)))}</p>
      </div>
      <Button size="sm" busy={busy} aria-label={texts.askAgainFor(name)} onClick={() => void revoke()}>
        {texts.askAgain}
      </Button>
    </li>
  )
}

function Loading({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className="grid gap-3 py-1">
      <Skeleton className="h-3.5 w-72 max-w-full" />
      <Skeleton className="h-3.5 w-56 max-w-full" />
    </div>
  )
}

/** The tool calls, newest first, page by page. */
export const activityQuery = infiniteQueryOptions({
  queryKey: ['ledger'],
  queryFn: ({ pageParam, signal }) => callApi('tools.ledger', { query: { before: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
  gcTime: 0,
})

/** The tools that run without approval. */
export const allowedToolsQuery = queryOptions({
  queryKey: ['allowed-tools'],
  queryFn: async ({ signal }) => (await callApi('tools.allowed', {}, { signal })).tools,
})
