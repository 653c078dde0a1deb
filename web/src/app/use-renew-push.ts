import { useEffect } from 'react'
import { ApiError } from '../lib/api-errors.ts'
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
    void renew().catch(async (error: unknown) => {
      // it is switched on in the settings, which ask for a new sign-in; after other errors the next page tries again
      if (error instanceof ApiError && error.code === 'sign_in_again') await setReplyNotifications(false)
    })
  }, [userId])
}
