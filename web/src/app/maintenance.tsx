import { ConnectionMaintenance } from '../features/integrations/connect/connection-maintenance.tsx'
import { SignInAgain } from '../features/auth/sign-in-again.tsx'
import type { SignedInUser } from '../lib/signed-in-user.ts'
import { useRenewPush } from './use-renew-push.ts'
import { useReportOpenPage } from './use-report-open-page.ts'
import { useWaitingCount } from './use-waiting-count.ts'

/** Work in the background while the page is open: reports, counts, push notifications, connections; and the dialog for a new sign-in. */
export function Maintenance({ user }: { user: SignedInUser }) {
  useReportOpenPage()
  useWaitingCount()
  useRenewPush(user.sub)
  return (
    <>
      <ConnectionMaintenance userId={user.sub} />
      <SignInAgain user={user} />
    </>
  )
}
