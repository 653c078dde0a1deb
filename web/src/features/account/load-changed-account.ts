import type { QueryClient } from '@tanstack/react-query'
import { accountQuery } from '../../lib/account-queries.ts'
import { hasErrorCode } from '../../lib/has-error-code.ts'

/**
 * Handles the error `changed_elsewhere` of a form: loads the account again, so that the form shows the newer text.
 * @returns false for any other error, which is not handled
 */
export async function loadChangedAccount(queryClient: QueryClient, error: unknown): Promise<boolean> {
  if (!hasErrorCode(error, 'changed_elsewhere')) return false
  await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey })
  return true
}
