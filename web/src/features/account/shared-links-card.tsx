import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Share } from '#shared/contracts/shares.ts'
import { shareAddress } from '#shared/share-link.ts'
import { Button } from '../../components/ui/button.tsx'
import { ConfirmDialog } from '../../components/ui/confirm-dialog.tsx'
import { Notice } from '../../components/ui/callout.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { useCopied } from '../../components/use-copy.ts'
import { ApiError, errorMessage } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { sharesQuery, useSharing } from '../../lib/share-queries.ts'
import { shortDate } from '../../lib/dates.ts'
import { CardPart, SettingsCard } from './settings-card.tsx'

/** The links that others can open, and the way to take them back. */
export function SharedLinksCard() {
  const isOn = useSharing()
  const { data: shares, error, isPending, refetch } = useQuery(sharesQuery)
  // nothing to say about what there is not
  if (!isOn && shares?.length === 0) return null
  return (
    <SettingsCard
      title="Shared links"
      lede="Copies of conversations that anybody who has the link can read, until it ends or you revoke it."
    >
      <CardPart>
        {!isOn && (
          <div className="mb-3">
            <Notice tone="info">Sharing is switched off here: these links lead nowhere.</Notice>
          </div>
        )}
        {isPending ? (
          <div role="status" aria-label="Loading your links" className="grid gap-3 py-1">
            <Skeleton className="h-3.5 w-72 max-w-full" />
            <Skeleton className="h-3.5 w-56 max-w-full" />
          </div>
        ) : !shares ? (
          <Notice tone="danger" action={{ label: 'Try again', onClick: () => void refetch() }}>
            Your links could not be read. {errorMessage(error)}
          </Notice>
        ) : shares.length === 0 ? (
          <p className="text-ink-muted">
            No links. “Share” in the menu of a conversation makes one, under Your Conversations.
          </p>
        ) : (
          <Links shares={shares} />
        )}
      </CardPart>
    </SettingsCard>
  )
}

function Links({ shares }: { shares: readonly Share[] }) {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState<Share>()
  const [revoking, setRevoking] = useState<string>()
  const { copy } = useCopied({ title: 'Link copied' })

  const revoke = async ({ id }: Share) => {
    setRevoking(id)
    try {
      await callApi('shares.revoke', { params: { shareId: id } }).catch((error: unknown) => {
        // revoked in another tab, or over
        if (!(error instanceof ApiError && error.code === 'share_not_found')) throw error
      })
      queryClient.setQueryData(sharesQuery.queryKey, (known) => known?.filter((each) => each.id !== id))
      showToast('success', 'Link revoked')
    } catch (error) {
      showToast('error', 'The link was not revoked', { description: errorMessage(error) })
    } finally {
      setRevoking(undefined)
      void queryClient.invalidateQueries({ queryKey: sharesQuery.queryKey })
    }
  }
  return (
    <>
      <ul aria-label="Shared links" className="-mt-2 divide-y divide-line">
        {shares.map((share) => (
          <li
            key={share.id}
            className="flex items-center gap-4 py-3 max-sm:flex-col max-sm:items-stretch max-sm:gap-2"
          >
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium" dir="auto" title={share.title}>
                {share.title}
              </p>
              <p className="text-sm text-ink-muted">
                {share.message_count === 1 ? '1 message' : `${share.message_count} messages`} · shared{' '}
                {shortDate(new Date(share.created_at))} · works until {shortDate(new Date(share.ends_at))}
              </p>
            </div>
            <div className="flex gap-2">
              <Button
                size="sm"
                aria-label={`Copy link to ${share.title}`}
                onClick={() => void copy(shareAddress(location.origin, share.secret))}
              >
                Copy link
              </Button>
              <Button
                size="sm"
                tone="danger"
                busy={revoking === share.id}
                aria-label={`Revoke link to ${share.title}`}
                onClick={() => setAsking(share)}
              >
                Revoke
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        subject={asking}
        title={() => 'Revoke this link?'}
        confirmLabel="Revoke link"
        onConfirm={(share) => void revoke(share)}
        onClose={() => setAsking(undefined)}
      >
        {({ title }) =>
          `Nobody can open the copy of “${title}” by it any more. Who has read it may have kept what it said. This cannot be undone.`
        }
      </ConfirmDialog>
    </>
  )
}
