import { t } from '@lingui/core/macro'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { QueryContent } from '../../components/query-content.tsx'
import { ListRow } from '../../components/settings-card.tsx'
import { Button } from '../../components/ui/button.tsx'
import { disablePush, isThisReceiver } from '../../lib/account/push.ts'
import { ignoreNotFound } from '../../lib/api/api-errors.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { announce } from '../../lib/browser/announce.ts'
import { setReplyNotifications } from '../../lib/browser/reply-notifications.ts'
import { useLast } from '../../lib/browser/use-last.ts'
import { formatConversationTitle } from '../../lib/conversations/conversation-title.ts'
import { schedulesQuery } from '../../lib/queries/schedule-queries.ts'
import { sharesQuery } from '../../lib/queries/share-queries.ts'
import { formatDateTime } from '../../lib/text/dates.ts'

/** The browsers that get the user's notifications, newest first. */
const pushReceiversQuery = queryOptions({
  queryKey: ['push-receivers'],
  queryFn: async ({ signal }) => (await callApi('push.key', {}, { signal })).receivers,
})

const browsers = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const
const systems = [
  ['Windows', /\bWindows\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

/** What a browser called itself, which anybody may write, as `Firefox, Windows`; empty if it says nothing known. */
export const describeUserAgent = (userAgent: string): string =>
  [browsers, systems]
    .flatMap((known) => known.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? [])
    .join(', ')

const serversQuery = queryOptions({
  queryKey: ['custom-tools', 'access'],
  queryFn: async ({ signal }) => (await callApi('customTools.list', {}, { signal })).tools,
})

/** Something that was added to the account and works without the user. */
interface Access {
  key: string
  kind: string
  title: string
  detail?: string | undefined
  createdAt: string
  /** what its button says, and what ending it means */
  endLabel: string
  consequence: string
  end: () => Promise<unknown>
}

/** Loads all that was added to the account and works without the user, newest first. */
function useAccess() {
  const queries = [
    useQuery(pushReceiversQuery),
    useQuery(serversQuery),
    useQuery(sharesQuery),
    useQuery(schedulesQuery),
  ] as const
  const [{ data: receivers }, { data: servers }, { data: links }, { data: schedules }] = queries
  const data =
    receivers && servers && links && schedules
      ? [
          ...receivers.map(({ id, host, user_agent = '', created_at }): Access => ({
            key: `receiver ${id}`,
            kind: t`Notifications`,
            title: describeUserAgent(user_agent) || t`A browser`,
            detail: host,
            createdAt: created_at,
            endLabel: t`Remove`,
            consequence: t`It gets no more notifications, until somebody switches them on there again.`,
            async end() {
              // otherwise it would subscribe again with the next page
              if (await isThisReceiver(id)) await setReplyNotifications(false).then(disablePush)
              await callApi('push.unsubscribe', { body: { id } })
            },
          })),
          ...servers.map(({ id, name, created_at, config }): Access => ({
            key: `server ${id}`,
            kind: t`Custom tool`,
            title: name,
            detail: URL.canParse(config.serverUrl) ? new URL(config.serverUrl).host : undefined,
            createdAt: created_at,
            endLabel: t`Remove`,
            consequence: t`Its tools can no longer be called, and its key is deleted.`,
            end: () => callApi('customTools.remove', { params: { toolId: id } }),
          })),
          ...links.map(({ id, title, created_at }): Access => ({
            key: `link ${id}`,
            kind: t`Shared link`,
            title: formatConversationTitle(title),
            createdAt: created_at,
            endLabel: t`Revoke`,
            consequence: t`The link no longer opens. People who have read the copy may have saved it.`,
            end: () => callApi('shares.revoke', { params: { shareId: id } }),
          })),
          ...schedules.map(({ id, prompt, created_at, paused }): Access => ({
            key: `schedule ${id}`,
            kind: paused ? t`Schedule, paused` : t`Schedule`,
            title: prompt.trim().split(/[\r\n]/, 1)[0] ?? '',
            createdAt: created_at,
            endLabel: t`Delete`,
            consequence: t`It no longer runs. Its chat stays.`,
            end: () => callApi('schedules.delete', { params: { scheduleId: id }, query: {} }),
          })),
        ].toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
      : undefined
  const failed = queries.filter(({ error }) => error !== null)
  return {
    data,
    error: failed[0]?.error,
    isPending: failed.length === 0,
    refetch: () => Promise.all(failed.map(({ refetch }) => refetch())),
  }
}

/** All that was added to the account and works without the user, to be ended one by one. */
export function AccessList() {
  const queryClient = useQueryClient()
  const access = useAccess()
  const [target, setTarget] = useState<Access>()
  const shown = useLast(target)
  const end = async () => {
    if (!target) return
    try {
      await target.end().catch(ignoreNotFound)
      announce(t`Ended`)
    } finally {
      // it may have ended, although the response was lost
      await Promise.all(
        [pushReceiversQuery, serversQuery, sharesQuery, schedulesQuery].map(({ queryKey }) =>
          queryClient.invalidateQueries({ queryKey: [queryKey[0]] }),
        ),
      )
    }
  }
  return (
    <>
      <QueryContent
        query={access}
        label={t`Loading what was added`}
        failure={t`What was added could not be loaded.`}
        empty={t`Nothing was added.`}
      >
        {(list) => (
          <ul aria-label={t`Added to your account`} className="divide-y divide-line">
            {list.map((one) => {
              const { title, kind, detail, createdAt, endLabel } = one
              // a row of an earlier release may have no time
              const added =
                createdAt === '' ? undefined : t`added ${{ time: formatDateTime(new Date(createdAt)) }}`
              return (
                <ListRow key={one.key} title={title} details={[kind, detail, added]}>
                  <Button
                    size="sm"
                    variant="danger"
                    aria-label={`${endLabel}: ${title}`}
                    onClick={() => setTarget(one)}
                  >
                    {endLabel}
                  </Button>
                </ListRow>
              )
            })}
          </ul>
        )}
      </QueryContent>
      <ActionDialog
        open={target !== undefined}
        onClose={() => setTarget(undefined)}
        title={t`End “${{ title: shown?.title ?? '' }}”?`}
        confirmLabel={shown?.endLabel ?? ''}
        isDestructive
        actionKey={`end ${shown?.key}`}
        onConfirm={end}
      >
        <p className="wrap-anywhere text-ink-muted">{shown?.consequence}</p>
      </ActionDialog>
    </>
  )
}
