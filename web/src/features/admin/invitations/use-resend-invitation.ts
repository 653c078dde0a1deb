import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useActionMutation } from '../../../components/use-action.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { invitationsQuery } from '../admin-queries.ts'

/** Renews an invitation and sends its e-mail again; toasts tell what came of it. */
export function useResendInvitation(invitationId: string) {
  const queryClient = useQueryClient()
  return useActionMutation(`resend ${invitationId}`, {
    run: async () => {
      const { invitation } = await callApi('admin.resendInvitation', { params: { invitationId } })
      await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey })
      return invitation
    },
    onSuccess: (renewed, _input, { notify }) => {
      if (renewed.sent_at === null)
        notify('info', t`Renewed, without an e-mail`, {
          description: t`No e-mail was sent. Copy the link and pass it on.`,
        })
      else
        notify('success', t`Sent again`, {
          description: t`${renewed.email} gets an e-mail with the link.`,
        })
    },
    onError: (error, _input, { notify }) => {
      notify('error', t`The invitation was not sent again`, { error })
      // it may have been used meanwhile
      void queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey })
    },
  })
}
