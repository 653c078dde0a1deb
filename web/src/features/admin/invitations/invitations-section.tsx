import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { AdminInvitation } from '#shared/contracts/admin.ts'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { invitationsQuery } from '../admin-queries.ts'
import { InvitationList } from './invitation-list.tsx'
import { InviteCard } from './invite-card.tsx'
import { InviteListCard } from './invite-list-card.tsx'
import { QueryContent } from '../../../components/query-content.tsx'

/** By address, with numbers as people count. The service returns them in no order that helps to find one. */
const compareAddresses = (a: AdminInvitation, b: AdminInvitation) =>
  a.email.localeCompare(b.email, undefined, { numeric: true })

/** Invites people, and lists who has not signed up yet. */
export function InvitationsSection() {
  const query = useQuery(invitationsQuery)
  return (
    <>
      <InviteCard />
      <InviteListCard />
      <SettingsCard
        title={t`Open invitations`}
        subtitle={t`Not used yet. An invitation disappears once the person has signed up.`}
      >
        <CardSection>
          <QueryContent query={query} label={t`Loading the invitations`} empty={t`No open invitations.`}>
            {(invitations) => <InvitationList invitations={invitations.toSorted(compareAddresses)} />}
          </QueryContent>
        </CardSection>
      </SettingsCard>
    </>
  )
}
