import { useQuery } from '@tanstack/react-query'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { invitationsQuery } from '../admin-queries.ts'
import { InvitationList } from './invitation-list.tsx'
import { InviteCard } from './invite-card.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import * as texts from './texts.ts'

/** Invites people, and lists who has not signed up yet. */
export function InvitationsSection() {
  const query = useQuery(invitationsQuery)
  return (
    <>
      <InviteCard />
      <SettingsCard title={texts.open} subtitle={texts.openHint}>
        <CardSection>
          <Loaded query={query} label={texts.loading} empty={texts.noInvitations}>
            {(invitations) => <InvitationList invitations={invitations} />}
          </Loaded>
        </CardSection>
      </SettingsCard>
    </>
  )
}
