import { plural, t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Share } from '#shared/contracts/shares.ts'
import { getOwn } from '#shared/get-own.ts'
import { buildShareAddress } from '#shared/share-link.ts'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { useCopy } from '../../components/ui/use-copy.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { updateCached } from '../../lib/queries/update-cached.ts'
import { sharesQuery, useCanShare } from '../../lib/queries/share-queries.ts'
import { announce } from '../../lib/browser/announce.ts'
import { formatDate } from '../../lib/text/dates.ts'
import { CardSection, ListRow, SettingsCard } from '../../components/settings-card.tsx'
import { QueryContent } from '../../components/query-content.tsx'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { ignoreNotFound } from '../../lib/api/api-errors.ts'
import { useLast } from '../../lib/browser/use-last.ts'
import { formatConversationTitle } from '../../lib/conversations/conversation-title.ts'

const describeLink = (messages: number, sharedOn: string, endsOn: string) =>
  plural(messages, {
    one: `# message · shared ${sharedOn} · works until ${endsOn}`,
    other: `# messages · shared ${sharedOn} · works until ${endsOn}`,
  })

/** Who can open a link. A later release may name others, of which nothing is said. */
const audiences = { link: t`anyone with the link`, people: t`people here, signed in` }

/** The user's links to shared conversations, with buttons to copy and revoke them. */
export function SharedLinksCard() {
  const isSharingOn = useCanShare()
  const shares = useQuery(sharesQuery)
  // nothing can be shared, and nothing was
  if (!isSharingOn && shares.data?.length === 0) return null
  return (
    <SettingsCard
      title={t`Shared links`}
      subtitle={t`Copies of conversations. A link works until it expires or you revoke it; who can open it does not change.`}
    >
      <CardSection>
        {!isSharingOn && (
          <div className="mb-3">
            <Callout variant="info">{t`Sharing is turned off: these links do not work.`}</Callout>
          </div>
        )}
        <QueryContent
          query={shares}
          label={t`Loading your links`}
          failure={t`Your links could not be loaded.`}
          empty={t`No links yet. To create one, choose “Share” in the menu of a conversation.`}
        >
          {(list) => <Links shares={list} />}
        </QueryContent>
      </CardSection>
    </SettingsCard>
  )
}

function Links({ shares }: { shares: readonly Share[] }) {
  const queryClient = useQueryClient()
  const [revokeTarget, setRevokeTarget] = useState<Share>()
  const shownTarget = useLast(revokeTarget)

  const revoke = async () => {
    if (!revokeTarget) return
    const { id } = revokeTarget
    try {
      // or it was revoked in another tab, or has expired
      await callApi('shares.revoke', { params: { shareId: id } }).catch(ignoreNotFound)
      await updateCached(queryClient, sharesQuery, (known) => known.filter((each) => each.id !== id))
      announce(t`Link revoked`)
    } catch (error) {
      // it may have been revoked, although the response was lost
      void queryClient.invalidateQueries({ queryKey: sharesQuery.queryKey })
      throw error
    }
  }
  return (
    <>
      <ul aria-label={t`Shared links`} className="-mt-2 divide-y divide-line">
        {shares.map((share) => (
          <LinkRow key={share.id} share={share} onRevoke={() => setRevokeTarget(share)} />
        ))}
      </ul>
      <ActionDialog
        open={revokeTarget !== undefined}
        onClose={() => setRevokeTarget(undefined)}
        title={t`Revoke this link?`}
        confirmLabel={t`Revoke link`}
        isDestructive
        actionKey={`revoke link ${shownTarget?.id}`}
        onConfirm={revoke}
      >
        <p className="wrap-anywhere text-ink-muted">
          {t`It will no longer open the copy of “${{ title: formatConversationTitle(shownTarget?.title ?? '') }}”. People who have read the copy may have saved it. This cannot be undone.`}
        </p>
      </ActionDialog>
    </>
  )
}

function LinkRow({ share, onRevoke }: { share: Share; onRevoke: () => void }) {
  const { copy } = useCopy({ title: t`Link copied` })
  const title = formatConversationTitle(share.title)
  const details = describeLink(
    share.message_count,
    formatDate(new Date(share.created_at)),
    formatDate(new Date(share.ends_at)),
  )
  return (
    <ListRow title={title} details={[details, getOwn(audiences, share.audience)]}>
      <Button
        size="sm"
        aria-label={t`Copy link to ${title}`}
        onClick={() => void copy(buildShareAddress(location.origin, share.secret))}
      >
        {t`Copy link`}
      </Button>
      <Button size="sm" variant="danger" aria-label={t`Revoke link to ${title}`} onClick={onRevoke}>
        {t`Revoke`}
      </Button>
    </ListRow>
  )
}
