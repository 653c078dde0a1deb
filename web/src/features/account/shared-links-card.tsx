import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Share } from '#shared/contracts/shares.ts'
import { buildShareAddress } from '#shared/share-link.ts'
import { Button } from '../../components/ui/button.tsx'
import { ConfirmDialog } from '../../components/ui/confirm-dialog.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { useCopy } from '../../components/use-copy.ts'
import { ApiError, errorMessage } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { sharesQuery, useSharing } from '../../lib/share-queries.ts'
import { announce } from '../../lib/announce.ts'
import { formatDate } from '../../lib/dates.ts'
import { CardSection, SettingsCard } from '../../components/settings-card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import * as texts from './texts.ts'

/** The user's links to shared conversations, with buttons to copy and revoke them. */
export function SharedLinksCard() {
  const isSharingOn = useSharing()
  const shares = useQuery(sharesQuery)
  // hidden if there is nothing to show
  if (!isSharingOn && shares.data?.length === 0) return null
  return (
    <SettingsCard title={texts.sharedLinks} subtitle={texts.sharedLinksHint}>
      <CardSection>
        {!isSharingOn && (
          <div className="mb-3">
            <Callout variant="info">{texts.sharingOff}</Callout>
          </div>
        )}
        <Loaded
          query={shares}
          label={texts.loadingLinks}
          failure={texts.linksNotLoaded}
          empty={texts.noLinks}
        >
          {(list) => <Links shares={list} />}
        </Loaded>
      </CardSection>
    </SettingsCard>
  )
}

function Links({ shares }: { shares: readonly Share[] }) {
  const queryClient = useQueryClient()
  const [revokeTarget, setRevokeTarget] = useState<Share>()
  const [revokingId, setRevokingId] = useState<string>()
  const { copy } = useCopy({ title: texts.linkCopied })

  const revoke = async ({ id }: Share) => {
    setRevokingId(id)
    try {
      await callApi('shares.revoke', { params: { shareId: id } }).catch((error: unknown) => {
        // revoked in another tab, or expired
        if (!(error instanceof ApiError && error.code === 'share_not_found')) throw error
      })
      queryClient.setQueryData(sharesQuery.queryKey, (known) => known?.filter((each) => each.id !== id))
      announce(texts.linkRevoked)
    } catch (error) {
      showToast('error', texts.linkNotRevoked, { description: errorMessage(error) })
    } finally {
      setRevokingId(undefined)
      void queryClient.invalidateQueries({ queryKey: sharesQuery.queryKey })
    }
  }
  return (
    <>
      <ul aria-label={texts.sharedLinks} className="-mt-2 divide-y divide-line">
        {shares.map((share) => (
          <li
            key={share.id}
            className="flex items-center gap-4 py-3 max-sm:flex-col max-sm:items-stretch max-sm:gap-2"
          >
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium" title={share.title}>
                <bdi>{share.title}</bdi>
              </p>
              <p className="text-sm text-ink-muted">
                {texts.linkDetails(
                  share.message_count,
                  formatDate(new Date(share.created_at)),
                  formatDate(new Date(share.ends_at)),
                )}
              </p>
            </div>
            <div className="flex gap-2">
              <Button
                size="sm"
                aria-label={texts.copyLinkTo(share.title)}
                onClick={() => void copy(buildShareAddress(location.origin, share.secret))}
              >
                {texts.copyLink}
              </Button>
              <Button
                size="sm"
                variant="danger"
                busy={revokingId === share.id}
                aria-label={texts.revokeLinkTo(share.title)}
                onClick={() => setRevokeTarget(share)}
              >
                {texts.revoke}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        subject={revokeTarget}
        title={() => texts.revokeTitle}
        confirmLabel={texts.revokeLink}
        onConfirm={(share) => void revoke(share)}
        onClose={() => setRevokeTarget(undefined)}
      >
        {({ title }) => texts.revokeHint(title)}
      </ConfirmDialog>
    </>
  )
}
