import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { InvitationResult } from '#shared/contracts/admin.ts'
import { useActionMutation } from '../../../components/use-action.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { useRecentSignIn } from '../../../lib/sign-in/recent-sign-in.ts'
import type { Input } from '../../../lib/input/use-input.ts'
import { invitationsQuery } from '../admin-queries.ts'
import { defaultDays } from './invitation-days.ts'
import type { ListedAddress } from './parse-addresses.ts'

/** The service invites for up to 22 seconds, and then answers for the rest of the list. */
const timeoutMs = 29_000

/** A line of the list, and what became of it. */
export type InvitedLine = InvitationResult & Pick<ListedAddress, 'line' | 'groups'>

interface SentList {
  /** the text of the list */
  input: Input<string>
  addresses: readonly ListedAddress[]
  /** those of everybody in the list */
  groups: readonly string[]
}

/** Invites the people of a list in one request. It asks for a new sign-in if the last one is too long ago. */
export function useInviteList() {
  const queryClient = useQueryClient()
  const withRecentSignIn = useRecentSignIn()
  return useActionMutation('invite-list', {
    failureTitle: t`The list was not invited`,
    run: async (sent: SentList) => {
      const people = sent.addresses.map(({ email, groups }) => ({ email, groups }))
      const { results = [] } = await withRecentSignIn(() =>
        callApi(
          'admin.invite',
          { body: { people, groups: [...sent.groups], days: defaultDays } },
          { timeoutMs },
        ),
      )
      await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey })
      return results.map((result, index): InvitedLine => {
        const { line = 0, groups: own = [] } = sent.addresses[index] ?? {}
        return { ...result, line, groups: own }
      })
    },
    onSuccess: (_lines, { input }) => input.markSaved(''),
  })
}
