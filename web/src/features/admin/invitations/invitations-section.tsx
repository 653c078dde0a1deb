import { useQuery } from '@tanstack/react-query'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { invitationsQuery } from '../admin-queries.ts'
import { LoadError, RowSkeletons } from '../section-parts.tsx'
import { InvitationList } from './invitation-list.tsx'
import { InviteCard } from './invite-card.tsx'
import * as texts from './texts.ts'

/** Invites people, and lists who has not signed up yet. */
export function InvitationsSection() {
  const { data: invitations, error, isPending, refetch } = useQuery(invitationsQuery)
  return (
    <>
      <InviteCard />
      <SettingsCard title={texts.open} subtitle={texts.openHint}>
        <CardSection>
          {isPending ? (
            <RowSkeletons label={texts.loading} />
          ) : !invitations ? (
            <LoadError error={error} onRetry={() => void refetch()} />
          ) : invitations.length === 0 ? (
            <p className="text-ink-muted">{texts.noInvitations}</p>
          ) : (
            <InvitationList invitations={invitations} />
          )}
        </CardSection>
      </SettingsCard>
    </>
  )
}
