import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { pageOpenMs } from '#shared/limits.ts'
import { accountQuery } from '../lib/account-queries.ts'
import { callApi } from '../lib/call-api.ts'
import { prepareRequest } from '../lib/prepare-request.ts'
import { language } from '../lib/locale.ts'
import { useReplyNotifications } from '../lib/reply-notifications.ts'

/** A report that is so late still comes before the service takes the page for closed. */
const toleratedDelayMs = 15_000
const reportEveryMs = pageOpenMs - toleratedDelayMs

/** Reports to the service that the user sees a page, so that it sends no notification. Not for users who get none: each report costs. */
export function useReportOpenPage(): void {
  const isNotifiedHere = useReplyNotifications() === 'on'
  const isNotified = useQuery(accountQuery).data?.is_notified ?? isNotifiedHere
  useEffect(() => {
    if (!isNotified) return
    // a page that is being left can wait for nothing
    let sendLast: (() => Promise<unknown>) | undefined
    const report = () => {
      if (document.hidden) {
        // the user has seen what ended until now
        void sendLast?.().catch(() => undefined)
        sendLast = undefined
        return
      }
      const request = { body: { language } }
      // a report that is lost causes a notification at worst
      void callApi('push.pageOpen', request).catch(() => undefined)
      prepareRequest('push.pageOpen', request).then(
        (send) => {
          sendLast = send
        },
        () => undefined,
      )
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
