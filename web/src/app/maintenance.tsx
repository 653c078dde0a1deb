import { ConnectionMaintenance } from '../features/integrations/connect/connection-maintenance.tsx'
import { useRenewPush } from './use-renew-push.ts'
import { useReportOpenPage } from './use-report-open-page.ts'
import { useWaitingCount } from './use-waiting-count.ts'

/** Work in the background while the page is open: reports, counts, push notifications, connections. */
export function Maintenance({ userId }: { userId: string }) {
  useReportOpenPage()
  useWaitingCount()
  useRenewPush(userId)
  return <ConnectionMaintenance userId={userId} />
}
