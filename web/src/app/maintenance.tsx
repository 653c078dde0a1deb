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

/** The service takes a page for closed after 35 s. */
const tellEveryMs = 20_000

/** What the page does for its user beside what is shown; renders nothing. */
export function Maintenance({ userId }: { userId: string }) {
  useOpenPage()
  useWaitingCount()
  usePush(userId)
  return <ConnectionMaintenance userId={userId} />
}

/** Tells the service that the user sees a page: then nobody is notified. Where nobody is, it would cost for nothing. */
function useOpenPage() {
  const isNotifiedHere = useReplyNotifications() === 'on'
  const isNotified = useQuery(accountQuery).data?.is_notified ?? isNotifiedHere
  useEffect(() => {
    if (!isNotified) return
    const tell = () => {
      if (document.hidden) return
      const { lang } = document.documentElement
      void callApi('push.pageOpen', { body: { language: lang || 'en' } }).catch(() => undefined)
    }
    tell()
    const timer = setInterval(tell, tellEveryMs)
    document.addEventListener('visibilitychange', tell)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tell)
    }
  }, [isNotified])
}

/** Renews the subscription of this browser: it may have changed, or have ended with a sign-in. */
function usePush(userId: string) {
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
