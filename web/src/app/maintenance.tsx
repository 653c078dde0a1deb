import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { pageOpenMs } from '#shared/limits.ts'
import { ConnectionMaintenance } from '../features/integrations/connect/connection-maintenance.tsx'
import { SignInAgain } from '../features/auth/sign-in-again.tsx'
import type { SignedInUser } from '../lib/api/signed-in-user.ts'
import { accountQuery } from '../lib/account/account-queries.ts'
import { callApi } from '../lib/api/call-api.ts'
import { prepareRequest } from '../lib/api/prepare-request.ts'
import { language } from '../lib/text/locale.ts'
import {
  getReplyNotifications,
  setReplyNotifications,
  useReplyNotifications,
} from '../lib/browser/reply-notifications.ts'
import { listenToOtherTabs } from '../lib/conversations/conversation-broadcast.ts'
import { replyingConversations } from '../lib/conversations/replying-conversations.ts'
import { refreshWaiting, waitingQuery } from '../lib/queries/waiting-queries.ts'
import { showWaitingCount } from '../lib/navigation/waiting-badge.ts'
import { ApiError } from '../lib/api/api-errors.ts'
import { disablePush, enablePush, isPushOfOther } from '../lib/account/push.ts'

/** A report that is so late still comes before the service takes the page for closed. */
const toleratedDelayMs = 15_000
const reportEveryMs = pageOpenMs - toleratedDelayMs

/** Reports to the service that the user sees a page, so that it sends no notification. Not for users who get none: each report costs. */
function useReportOpenPage(): void {
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

/** The pause before a request: an answer from before the service has what began a reply, such as a decision, would still count that. */
const refreshDelayMs = 2_000

/**
 * Shows how much waits for the user, until they sign out. Asks again when a reply has begun or ended, or a conversation has changed in another
 * tab.
 */
function useWaitingCount(): void {
  const queryClient = useQueryClient()
  const { data } = useQuery(waitingQuery)
  useEffect(() => showWaitingCount(data?.total ?? 0), [data?.total])
  useEffect(() => () => showWaitingCount(0), [])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void refreshWaiting(queryClient), refreshDelayMs)
    }
    const unsubscribe = replyingConversations.subscribe(refresh)
    const otherTabs = listenToOtherTabs(refresh)
    return () => {
      clearTimeout(timer)
      unsubscribe()
      otherTabs.close()
    }
  }, [queryClient])
}

/** Renews the push subscription of this browser. It may have changed, or belong to another user, whose notifications then end. */
function useRenewPush(userId: string): void {
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
