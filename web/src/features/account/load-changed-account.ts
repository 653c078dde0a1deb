import type { QueryClient } from '@tanstack/react-query'
import { accountQuery } from '../../lib/account/account-queries.ts'
import { hasErrorCode } from '../../lib/api/has-error-code.ts'

/**
 * Handles the error `changed_elsewhere` of a form: loads the account again, so that the form shows the newer text.
 * @returns whether it shows that; false for any other error, or if the account could not be loaded
 */
export async function loadChangedAccount(queryClient: QueryClient, error: unknown): Promise<boolean> {
  if (!hasErrorCode(error, 'changed_elsewhere')) return false
  return queryClient.refetchQueries({ queryKey: accountQuery.queryKey }, { throwOnError: true }).then(
    () => true,
    () => false,
  )
}
