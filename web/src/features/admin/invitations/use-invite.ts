import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { AdminInvitation } from '#shared/contracts/admin.ts'
import { useActionMutation } from '../../../components/use-action.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { useRecentSignIn } from '../../../lib/sign-in/recent-sign-in.ts'
import type { Input } from '../../../lib/input/use-input.ts'
import { invitationsQuery } from '../admin-queries.ts'

/** What is sent to invite one person. */
interface SentInvitation {
  /** the address */
  input: Input<string>
  groups: string[]
  days: number
}

/**
 * Invites one person. It asks for a new sign-in if the last one is too long ago.
 * @param onInvited called after the invitation was made, unless the user has signed out
 */
export function useInvite(onInvited: (sent: SentInvitation) => void) {
  const queryClient = useQueryClient()
  const withRecentSignIn = useRecentSignIn()
  return useActionMutation('invite', {
    failureTitle: t`The invitation was not made`,
    run: async ({ input, groups, days }: SentInvitation): Promise<AdminInvitation> => {
      const { invitation } = await withRecentSignIn(() =>
        callApi('admin.invite', { body: { email: input.value.trim(), groups, days } }),
      )
      await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey })
      // the service answers with an invitation for one address, and with results for a list
      if (!invitation) throw new Error('no invitation for the address')
      return invitation
    },
    onSuccess: (invitation, sent, { notify }) => {
      onInvited(sent)
      if (invitation.sent_at !== null)
        notify('success', t`Invitation sent`, {
          description: t`${invitation.email} gets an e-mail with the link.`,
        })
    },
  })
}
