import { useEffect } from 'react'
import { disablePush, enablePush, isPushOfOther } from '../lib/push.ts'
import { getReplyNotifications, setReplyNotifications } from '../lib/reply-notifications.ts'

/** Renews the push subscription of this browser. It may have changed, or belong to another user, whose notifications then end. */
export function useRenewPush(userId: string): void {
  useEffect(() => {
    const renew = async () => {
      if (isPushOfOther(userId)) {
        await disablePush()
        await setReplyNotifications(false)
      } else if (getReplyNotifications() === 'on') await enablePush(userId)
    }
    // the next page tries again
    void renew().catch(() => undefined)
  }, [userId])
}
