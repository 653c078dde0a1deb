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
import { Notice } from '../../components/ui/callout.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { callApi } from '../../lib/call-api.ts'
import { useBrand } from '../../lib/config.ts'
import { shortDate } from '../../lib/dates.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { LedgerRow } from './activity-row.tsx'
import { CardPart, SettingsCard } from './settings-card.tsx'

/** What was done with connected tools, and what may be done without asking. */
export function AssistantCard() {
  const { assistantName } = useBrand()
  return (
    <SettingsCard
      title="What the assistant did"
      lede={`Every call that ${assistantName} made with your tools. Kept for a year, or until you delete it.`}
    >
      <CardPart>
        <Ledger />
      </CardPart>
      <CardPart>
        <AlwaysAllowed />
      </CardPart>
    </SettingsCard>
  )
}

function Ledger() {
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(ledgerQuery)
  const [clearing, setClearing] = useState(false)
  if (isPending) return <Loading label="Loading what the assistant did" />
  if (!data)
    return (
      <Notice tone="danger" action={{ label: 'Try again', onClick: () => void refetch() }}>
        What the assistant did could not be read. {errorMessage(error)}
      </Notice>
    )
  const entries = data.pages.flatMap((page) => page.entries)
  if (entries.length === 0)
    return <p className="text-ink-muted">Nothing yet. Calls of your tools are listed here.</p>
  return (
    <>
      <ul aria-label="What the assistant did" className="-mt-2 divide-y divide-line">
        {entries.map((entry) => (
          <LedgerRow key={entry.id} entry={entry} />
        ))}
      </ul>
      {error && (
        <div className="mt-3">
          <Notice tone="danger">{errorMessage(error)}</Notice>
        </div>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {hasNextPage && (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        )}
        <span className="grow" />
        <Button tone="danger" onClick={() => setClearing(true)}>
          Delete the list
        </Button>
      </div>
      <ClearDialog open={clearing} onOpenChange={setClearing} />
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
      onOpenChange(false)
      showToast('success', 'List deleted')
    } catch (error) {
      showToast('error', 'The list was not deleted', { description: errorMessage(error) })
    } finally {
      setBusy(false)
      await queryClient.resetQueries({ queryKey: ledgerQuery.queryKey })
    }
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !busy && onOpenChange(next)}
      title="Delete the whole list?"
      footer={
        <>
          <Button tone="ghost" disabled={busy} onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button tone="danger-solid" busy={busy} onClick={() => void clear()}>
            Delete
          </Button>
        </>
      }
    >
      <p className="text-ink-muted">
        Only the list goes: what was done stays done, and your conversations stay. This cannot be undone.
      </p>
    </Dialog>
  )
}

function AlwaysAllowed() {
  const { data, error, isPending, refetch } = useQuery(allowedQuery)
  return (
    <>
      <h3 className="font-medium">Always allowed</h3>
      <p className="max-w-[60ch] text-ink-muted">
        These tools run without asking you. When the description of one changes, it asks again.
      </p>
      <div className="mt-3">
        {isPending ? (
          <Loading label="Loading what is always allowed" />
        ) : !data ? (
          <Notice tone="danger" action={{ label: 'Try again', onClick: () => void refetch() }}>
            What is always allowed could not be read. {errorMessage(error)}
          </Notice>
        ) : data.length === 0 ? (
          <p className="text-ink-muted">None: every call that writes, sends or deletes asks first.</p>
        ) : (
          <ul aria-label="Always allowed" className="divide-y divide-line">
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
  const name = integration === null ? title : `${integration} · ${title}`
  const revoke = async () => {
    setBusy(true)
    try {
      await callApi('tools.revoke', { params: { toolId: id } })
      await queryClient.invalidateQueries({ queryKey: allowedQuery.queryKey })
    } catch (error) {
      showToast('error', 'Update failed', { description: errorMessage(error) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <li className="flex items-center gap-4 py-2">
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-sm text-ink-muted">Since {shortDate(new Date(allowed_at))}</p>
      </div>
      <Button size="sm" busy={busy} aria-label={`Ask again for ${name}`} onClick={() => void revoke()}>
        Ask again
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

/** What the assistant did, newest first, page by page. */
export const ledgerQuery = infiniteQueryOptions({
  queryKey: ['ledger'],
  queryFn: ({ pageParam, signal }) => callApi('tools.ledger', { query: { before: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
  gcTime: 0,
})

/** The tools that need no approval any more. */
export const allowedQuery = queryOptions({
  queryKey: ['allowed-tools'],
  queryFn: async ({ signal }) => (await callApi('tools.allowed', {}, { signal })).tools,
})
