import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AuditEntry, AuditAction } from '#shared/contracts/admin.ts'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { formatDateTime, formatDateTimeLong } from '../../../lib/text/dates.ts'
import { useConfig } from '../../../lib/api/config.ts'
import { auditQuery } from '../admin-queries.ts'
import { describeDetails } from './describe-details.ts'
import { getOwn } from '#shared/get-own.ts'
import { QueryContent, MoreRows } from '../../../components/query-content.tsx'

/** The sentence of an action that this page does not know: a later release may have written it. */
const describeUnknownAction = (actor: ReactNode, target: ReactNode, action: string) => (
  <Trans>
    {actor} did {action} to {target}
  </Trans>
)

/** Who did what, newest first. */
export function AuditSection() {
  const query = useInfiniteQuery(auditQuery)
  return (
    <SettingsCard
      title={t`Audit log`}
      subtitle={t`What administrators and operators did, and which assistants were published or withdrawn, newest first. Administrators cannot change it; entries are stored for 400 days.`}
    >
      <CardSection>
        <QueryContent query={query} label={t`Loading the log`} empty={t`Nothing yet.`}>
          {(entries) => (
            <>
              <ol aria-label={t`Audit log`} className="-my-3 divide-y divide-line">
                {entries.map((entry) => (
                  <EntryRow key={entry.id} entry={entry} />
                ))}
              </ol>
              <MoreRows query={query} />
            </>
          )}
        </QueryContent>
      </CardSection>
    </SettingsCard>
  )
}

function EntryRow({ entry }: { entry: AuditEntry }) {
  const { at, actor, action, target } = entry
  const time = new Date(at)
  const details = describeDetails(entry, useConfig()?.models)
  const actorName = <Name>{'command' in actor ? t`An operator, by command` : actor.email}</Name>
  const targetName = <Name>{target}</Name>
  return (
    <li className="flex items-baseline gap-x-4 gap-y-0.5 py-3 max-sm:flex-col-reverse">
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere">
          {getOwn(auditSentences, action)?.(actorName, targetName) ??
            describeUnknownAction(actorName, targetName, action)}
        </p>
        {details.length > 0 && <p className="text-sm wrap-anywhere text-ink-muted">{details.join(' · ')}</p>}
      </div>
      <time
        dateTime={at}
        title={formatDateTimeLong(time)}
        className="shrink-0 text-sm whitespace-nowrap text-ink-muted"
      >
        {formatDateTime(time)}
      </time>
    </li>
  )
}

const Name = ({ children }: { children: ReactNode }) => <bdi className="font-medium">{children}</bdi>

/** The sentence of an entry of the audit log, by its action. */
const auditSentences: Record<AuditAction, (actor: ReactNode, target: ReactNode) => ReactNode> = {
  'user.disabled': (actor, target) => (
    <Trans>
      {actor} disabled {target}
    </Trans>
  ),
  'user.enabled': (actor, target) => (
    <Trans>
      {actor} enabled {target}
    </Trans>
  ),
  'user.signed_out': (actor, target) => (
    <Trans>
      {actor} signed out {target} everywhere
    </Trans>
  ),
  'user.two_factor_reset': (actor, target) => (
    <Trans>
      {actor} reset two-factor of {target}
    </Trans>
  ),
  'user.groups_changed': (actor, target) => (
    <Trans>
      {actor} changed the groups of {target}
    </Trans>
  ),
  'user.deletion_started': (actor, target) => (
    <Trans>
      {actor} began to delete the account {target}
    </Trans>
  ),
  'user.deleted': (actor, target) => (
    <Trans>
      {actor} deleted the account {target}
    </Trans>
  ),
  'invitation.created': (actor, target) => (
    <Trans>
      {actor} invited {target}
    </Trans>
  ),
  'invitation.resent': (actor, target) => (
    <Trans>
      {actor} sent the invitation of {target} again
    </Trans>
  ),
  'invitation.revoked': (actor, target) => (
    <Trans>
      {actor} revoked the invitation of {target}
    </Trans>
  ),
  'group.created': (actor, target) => (
    <Trans>
      {actor} created the group {target}
    </Trans>
  ),
  'group.updated': (actor, target) => (
    <Trans>
      {actor} changed the group {target}
    </Trans>
  ),
  'group.deleted': (actor, target) => (
    <Trans>
      {actor} deleted the group {target}
    </Trans>
  ),
  'assistant.published': (actor, target) => (
    <Trans>
      {actor} published the assistant {target}
    </Trans>
  ),
  'assistant.withdrawn': (actor, target) => (
    <Trans>
      {actor} withdrew the assistant {target}
    </Trans>
  ),
  'site.updated': (actor) => <Trans>{actor} changed the settings of the site</Trans>,
  'schedules.paused': (actor, target) => (
    <Trans>
      {actor} paused the schedules of {target}
    </Trans>
  ),
  'schedules.resumed': (actor, target) => (
    <Trans>
      {actor} let the schedules of {target} go on
    </Trans>
  ),
}
