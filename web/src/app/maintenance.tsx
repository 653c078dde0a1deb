import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ConnectionMaintenance } from '../features/integrations/connect/connection-maintenance.tsx'
import { accountQuery } from '../lib/account-queries.ts'
import { callApi } from '../lib/call-api.ts'
import { disablePush, enablePush, isPushOfOther } from '../lib/push.ts'
import {
  getReplyNotifications,
  setReplyNotifications,
  useReplyNotifications,
} from '../lib/reply-notifications.ts'
import { useWaitingCount } from './use-waiting-count.ts'

/** How often the page reports that it is open. The service takes it for closed after 35 s without a report. */
const reportEveryMs = 20_000

/** Work in the background while the page is open: reports, counts, push notifications, connections. Renders nothing. */
export function Maintenance({ userId }: { userId: string }) {
  useReportOpenPage()
  useWaitingCount()
  useRenewPush(userId)
  return <ConnectionMaintenance userId={userId} />
}

/** Reports to the service that the user sees a page, so that it sends no notification. Not for users who get none: each report costs. */
function useReportOpenPage() {
  const isNotifiedHere = useReplyNotifications() === 'on'
  const isNotified = useQuery(accountQuery).data?.is_notified ?? isNotifiedHere
  useEffect(() => {
    if (!isNotified) return
    const report = () => {
      if (document.hidden) return
      const { lang } = document.documentElement
      void callApi('push.pageOpen', { body: { language: lang || 'en' } }).catch(() => undefined)
    }
    report()
    const timer = setInterval(report, reportEveryMs)
    document.addEventListener('visibilitychange', report)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', report)
    }
  }, [isNotified])
}

/** Renews the push subscription of this browser. It may have changed, or belong to another user, whose notifications then end. */
function useRenewPush(userId: string) {
  useEffect(() => {
    const renew = async () => {
      if (isPushOfOther(userId)) {
        await disablePush()
        await setReplyNotifications(false)
      } else if (getReplyNotifications() === 'on') await enablePush(userId)
    }
    void renew().catch(() => undefined)
  }, [userId])
}
